/* Furo has two <aside> elements without names, which a screen reader could not tell from each other. */
"use strict";

document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Site");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
