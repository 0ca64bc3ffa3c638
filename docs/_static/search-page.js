/* The page of results: a list of flags and one of pages, first the one that has the best result. */
"use strict";

(() => {
  const MOST = { flags: 5, pages: 8 };
  const root = document.documentElement.dataset.content_root;
  const query = new URLSearchParams(location.search).get("q") ?? "";

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function list(title, kind, entries) {
    const rows = entries.slice(0, MOST[kind]).map(({ title, address, text }) =>
      element("li", {}, element("a", { href: `${root}${address}` }, title), element("p", { class: "context" }, text)),
    );
    return element("section", { id: `${kind}-found` }, element("h2", {}, title), element("ul", { class: "search" }, ...rows));
  }

  function show() {
    const { question, flags, pages, best } = dynconfSearch(query);
    const lists = [list("Flags", "flags", flags), list("Pages", "pages", pages)];
    const all = `${root}reference/flags/index.html#${new URLSearchParams({ q: query })}`;
    lists[0].append(element("p", {}, element("a", { href: all }, `All ${flags.length} flags`)));
    if (best && best.kind !== "flag") lists.reverse();
    const summary = best ? `Results for “${question}”, the best first.` : `Nothing matches “${query}”.`;
    const found = lists.filter((each) => each.querySelector("li"));
    const results = document.getElementById("search-results");
    results.replaceChildren(element("p", { class: "search-summary", role: "status" }, summary), ...found);
  }

  // On a narrow screen, the search of the theme is out of sight.
  document.getElementById("page-form").hidden = false;
  for (const input of document.querySelectorAll("input[name=q]")) input.value = query;
  if (query.trim()) show();
})();
