/* The form of the flag reference: its state is the fragment of the address, "#q=faster&module=inductor". It works for pages
   opened as files, too, and the back button finds it again. Any other fragment is the name of a flag. */
"use strict";

(() => {
  const FIRST = 50; // more rows would only make typing slow
  const FILTERS = ["module", "topic", "status", "release"];
  const flags = dynconfSite.entries.filter(({ kind }) => kind === "flag");
  const by = (id) => document.getElementById(`flag-${id}`);
  const form = by("form");
  const query = by("query");
  const results = by("results");
  const list = results.querySelector("ol");
  const releases = [...by("release").options].map(({ value }) => value).filter(Boolean).reverse();
  const rows = new Map(flags.map((flag) => [flag.title, document.getElementById(flag.title)]));
  const sections = [...document.querySelectorAll("section > section")].filter((each) => each.id.startsWith("flags-of-"));
  const moduleOf = new Map(flags.map((flag) => [flag.topic, flag.module]));
  let all = false;

  const passes = ({ module, topic, status, release }) => {
    const at = releases.indexOf(release);
    return (flag) => {
      const inRelease = at < 0 ? flag.status.findLast(Boolean) : flag.status[at];
      return (
        (!module || flag.module === module) &&
        (!topic || flag.topic === topic) &&
        (!status || inRelease === status) &&
        (at < 0 || inRelease)
      );
    };
  };

  function state() {
    const values = { q: query.value.trim() };
    for (const name of FILTERS) values[name] = by(name).value;
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
  }

  function show() {
    const { q, ...filters } = state();
    const active = Boolean(q) || Object.keys(filters).length > 0;
    results.hidden = !active;
    for (const section of sections) section.hidden = active;
    for (const option of by("topic").options) {
      option.hidden = Boolean(filters.module && option.value && moduleOf.get(option.value) !== filters.module);
    }
    if (!active) return;
    const { question, flags: matches } = q ? dynconfSearch(q) : { question: "", flags };
    const found = matches.filter(passes(filters));
    const shown = all ? found : found.slice(0, FIRST);
    list.replaceChildren(
      ...shown.map(({ title, defaults }) => {
        const row = rows.get(title).cloneNode(true);
        const at = filters.release ? releases.indexOf(filters.release) : releases.length;
        const last = releases.slice(0, at + 1).findLast((each) => each in defaults);
        row.querySelector(".flag-default").textContent = defaults[last];
        for (const each of [row, ...row.querySelectorAll("[id]")]) each.removeAttribute("id");
        return row;
      }),
    );
    const counted = `${found.length} flag${found.length === 1 ? "" : "s"}`;
    const searched = question === (q ?? "") ? "" : ` for “${question}”`;
    by("count").textContent = found.length ? `${counted}${searched}${q ? ", the best first" : ""}` : "No flag matches.";
    by("more").hidden = shown.length === found.length;
    by("more").textContent = `Show all ${found.length}`;
  }

  const address = () => `#${new URLSearchParams(state())}`;

  function changed() {
    all = false;
    show();
    // The page as it is now is what the back button comes back to; each letter a page would be too many.
    const fragment = address();
    history.replaceState(null, "", fragment === "#" ? location.pathname + location.search : fragment);
  }

  function read() {
    const values = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    query.value = values.get("q") ?? "";
    for (const name of FILTERS) by(name).value = values.get(name) ?? "";
    show();
  }

  const links = () => [...list.querySelectorAll("a")];

  function move(step) {
    const places = [query, ...links()];
    const next = places[places.indexOf(document.activeElement) + step];
    if (next) next.focus();
    return Boolean(next);
  }

  form.addEventListener("input", (event) => {
    const module = by("module").value;
    if (module && moduleOf.get(by("topic").value) !== module) by("topic").value = "";
    changed();
  });
  form.addEventListener("reset", () => setTimeout(() => { changed(); query.focus(); }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  by("more").addEventListener("click", () => {
    all = true;
    show();
    links()[FIRST]?.focus();
  });
  // In the capturing phase: the theme would move "/" to its own search, of all pages.
  document.addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const typing = target.matches("input, select, textarea");
      const here = target === query || list.contains(target);
      let done = false;
      if (key === "/" && !typing) {
        query.focus();
        query.select();
        done = true;
      } else if (key === "ArrowDown" && here) done = move(1);
      else if (key === "ArrowUp" && here) done = move(-1);
      else if (key === "Escape" && here) {
        query.value = "";
        query.focus();
        changed();
        done = true;
      }
      if (done) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );
  addEventListener("hashchange", read);
  addEventListener("pageshow", read);
  form.hidden = false;
  read();
})();
