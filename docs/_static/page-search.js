/* The search of all pages, in the index that the theme has: pages that have the rarest words of a question come first,
   and need not have all of them. Beside them are the flags that `dynconf explain` finds. */
"use strict";

(() => {
  const FLAG = /^reference\/flags\/(?!index$)/;
  const MOST = { pages: 8, flags: 5 };
  const GUIDES = 1.4; // a task before a list of everything
  const TITLE = 3;
  const OPENING = 2;
  const stemmer = new Stemmer();
  const root = document.documentElement.dataset.content_root;

  /** Return the words of the index and their pages, and how many words each page has. */
  const read = (() => {
    let kept;
    return () => {
      if (kept) return kept;
      const { docnames, terms, titleterms } = Search._index;
      const isPage = docnames.map((name) => !FLAG.test(name));
      const openings = docnames.map((name) => new Set(split(dynconfPages[name] ?? "").map((word) => stemmer.stemWord(word))));
      const sizes = docnames.map(() => 0);
      const words = new Map();
      for (const [weight, found] of [[1, terms], [TITLE, titleterms]]) {
        for (const [word, files] of Object.entries(found)) {
          for (const file of [files].flat().filter((file) => isPage[file])) {
            if (!words.has(word)) words.set(word, new Map());
            words.get(word).set(file, openings[file].has(word) ? Math.max(weight, OPENING) : weight);
            if (found === terms) sizes[file]++;
          }
        }
      }
      const pages = isPage.filter(Boolean).length;
      const mean = sizes.reduce((a, b) => a + b) / pages;
      return (kept = { words, sizes, pages, mean });
    };
  })();

  /** Return the pages that have a word: its beginning if nothing else, or the most similar word. */
  function pagesOf(word) {
    const { words } = read();
    if (words.has(word)) return words.get(word);
    const longer = [...words.keys()].filter((each) => each.startsWith(word));
    if (word.length > 2 && longer.length) return new Map(longer.flatMap((each) => [...words.get(each)]));
    return words.get(dynconfNearest(word, words.keys())) ?? new Map();
  }

  const split = (query) => [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean))];

  /** Return the numbers of the pages that match a question, the best first. */
  function ranked(query) {
    const { sizes, pages, mean } = read();
    const { docnames } = Search._index;
    const scores = new Map();
    const telling = split(query).filter((word) => !stopwords.has(word) && !/^\d+$/.test(word));
    for (const word of new Set(telling.map((word) => stemmer.stemWord(word)))) {
      const found = pagesOf(word);
      const rarity = Math.log(1 + pages / found.size);
      for (const [file, weight] of found) {
        const long = 0.4 + 0.6 * (sizes[file] / mean);
        scores.set(file, (scores.get(file) ?? 0) + (weight * rarity * 2) / (1 + long));
      }
    }
    const preferred = (file) => (/^(guides|explanations)\//.test(docnames[file]) ? GUIDES : 1);
    const score = (file) => scores.get(file) * preferred(file);
    return [...scores.keys()].sort((a, b) => score(b) - score(a));
  }

  /** Return the public Python names that are asked for, as links. */
  function objects(query) {
    const typed = query.replace(/\(.*$/, "");
    const asked = typed.toLowerCase();
    const { objects, objnames, docnames } = Search._index;
    const found = [];
    for (const [prefix, members] of Object.entries(objects)) {
      for (const [file, kind, , anchor, name] of members) {
        const full = prefix ? `${prefix}.${name}` : name;
        if (FLAG.test(docnames[file]) || ![full, name].some((each) => each.toLowerCase() === asked)) continue;
        const id = anchor === "" ? full : anchor === "-" ? `${objnames[kind][1]}-${full}` : anchor;
        found.push({ title: full, address: `${root}${docnames[file]}.html#${id}`, text: objnames[kind][2] });
      }
    }
    const isExact = ({ title }) => title === typed || title.endsWith(`.${typed}`); // patch, not Patch
    return found.sort((a, b) => isExact(b) - isExact(a));
  }

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function list(title, kind, items) {
    const rows = items.map(({ title, address, text }) =>
      element("li", {}, element("a", { href: address }, title), element("p", { class: "context" }, text)),
    );
    return element("section", { id: `${kind}-found` }, element("h2", {}, title), element("ul", { class: "search" }, ...rows));
  }

  function show(query) {
    const { docnames, titles } = Search._index;
    const pages = ranked(query).map((file) => ({
      title: titles[file],
      address: `${root}${docnames[file]}.html`,
      text: dynconfPages[docnames[file]] ?? "",
    }));
    const asked = dynconfSearch.corrected(query);
    const flags = dynconfSearch(asked);
    const links = flags.slice(0, MOST.flags).map(({ name, summary }) => ({
      title: name,
      address: `${root}reference/flags/${name}.html`,
      text: summary,
    }));
    const all = `${root}reference/flags/index.html#${new URLSearchParams({ q: query })}`;
    const lists = [
      list("Pages", "pages", [...objects(query), ...pages].slice(0, MOST.pages)),
      list("Flags", "flags", links),
    ];
    lists[1].append(element("p", {}, element("a", { href: all }, `All ${flags.length} flags`)));
    // Whoever asks for a flag by its name, or a variable, wants that.
    const words = asked.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    const isName = words.includes(" ") || asked.includes("_");
    if (isName && flags.length && flags[0].texts.some(([, text]) => text === words)) lists.reverse();
    const found = lists.filter((each) => each.querySelector("li"));
    const summary = found.length ? `Results for “${query}”, the best first.` : `Nothing matches “${query}”.`;
    results.replaceChildren(element("p", { class: "search-summary", role: "status" }, summary), ...found);
  }

  const results = document.getElementById("search-results");
  // On a narrow screen, the search of the theme is out of sight.
  document.getElementById("page-form").hidden = false;

  Search.performSearch = (query) => (Search.hasIndex() ? Search.query(query) : Search.deferQuery(query));
  Search.query = show;
})();
