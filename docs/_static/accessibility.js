/* What the theme leaves out for screen readers and keyboards. */
"use strict";

// Two <aside> elements without names could not be told from each other.
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Site");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
for (const each of document.querySelectorAll(".caption[role=heading]")) each.setAttribute("aria-level", "2");
// Without a mouse, only an element with the focus can be scrolled; any other would be one more stop on the way.
function focusable() {
  for (const each of document.querySelectorAll("pre, .table-wrapper, p:has(> img)")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    else each.removeAttribute("tabindex");
  }
}
addEventListener("load", focusable);
addEventListener("resize", focusable);
