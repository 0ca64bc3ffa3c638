/* Shows the changes between any two releases: rows that `dynconf.diff` made when the site was built.

   The fragment of the address, "#2.6..2.13", names the two, so that it can be shared. */
"use strict";

(() => {
  const { titles, changes, pairs } = dynconfReleases;
  const by = (id) => document.getElementById(`upgrade-${id}`);
  const [from, to] = [by("from"), by("to")];
  const sections = [...document.querySelectorAll("section > section")].filter((each) => each.id.startsWith("torch-"));

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // A narrow column breaks names between their words.
  const breakable = (text) => text.split(/(?<=[_.])/).flatMap((word) => [word, document.createElement("wbr")]).slice(0, -1);

  const row = ([flag, , before, after]) => {
    const name = element("code", {}, ...breakable(flag));
    const link = element("a", { class: "reference internal", href: `flags/${flag}.html` }, name);
    const cells = [before, after].map((text) => element("td", {}, ...breakable(text)));
    return element("tr", {}, element("th", { scope: "row" }, link), ...cells);
  };

  function table(title, members) {
    const heads = ["flag", "before", "after"].map((text) => element("th", { scope: "col" }, text));
    const head = element("thead", {}, element("tr", {}, ...heads));
    const body = element("tbody", {}, ...members.map(row));
    return [
      element("p", { class: "rubric" }, `${title} (${members.length})`),
      element("table", { class: "docutils upgrade" }, head, body),
    ];
  }

  function show() {
    const picked = from.value !== to.value;
    const found = picked ? pairs[from.value][to.value].map((number) => changes[number]) : [];
    by("result").hidden = false;
    for (const section of sections) section.hidden = true;
    by("count").textContent = found.length ? `${found.length} changes` : "No differences.";
    by("command").textContent = `dynconf diff --torch ${from.value} --torch ${to.value}`;
    const tables = Object.entries(titles).flatMap(([kind, title]) => {
      const members = found.filter((each) => each[1] === kind);
      return members.length ? table(title, members) : [];
    });
    by("tables").replaceChildren(...tables);
  }

  function read() {
    const [, before, after] = location.hash.match(/^#([\d.]+?)\.\.([\d.]+)$/) ?? [];
    if (before in pairs && after in pairs) {
      [from.value, to.value] = [before, after];
      show();
    } else {
      by("result").hidden = true;
      for (const section of sections) section.hidden = false;
    }
  }

  by("form").addEventListener("input", () => {
    history.pushState(null, "", `#${from.value}..${to.value}`);
    show();
  });
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  const known = Object.keys(pairs).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  [from.value, to.value] = known.slice(-2);
  by("form").hidden = false;
  read();
})();
