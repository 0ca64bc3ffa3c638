/* The search of the flag reference: as `dynconf.search` ranks, in the index that was written when the site was built.

   Its state is the fragment of the address, "#q=faster&module=inductor": it works for pages opened as files, too, and the
   back button finds it again. Any other fragment is the name of a flag. */
"use strict";

const dynconfSearch = (() => {
  const { flags, intents, stopWords, topics } = dynconfFlags;
  const stops = new Set(stopWords);
  const texts = flags.flatMap((flag) => flag.texts.map(([, text]) => text));
  const vocabulary = [...new Set(texts.flatMap((text) => text.split(" ")))];

  const normal = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const begins = (word, stems) => stems.some((stem) => word.startsWith(stem));

  /** Return a function that says how well a flag matches a word: 0 if not at all. */
  function scored(word) {
    const own = normal(word.replace(/s$/, ""));
    return (flag) =>
      Math.max(0, ...flag.texts.map(([weight, text]) => (own && text.includes(own) ? weight + own.length / text.length : 0)));
  }

  /** Return the words of a question by which it has an aim, if it has. */
  function wordsOf({ stems }, words) {
    const groups = stems.map((group) => words.filter((word) => /^\p{L}+$/u.test(word) && begins(word, group)));
    return new Set(groups.every((group) => group.length) ? groups.flat() : []);
  }

  /** Return the flags of the aims of a question, each with the words that ask for it and a weight. */
  function flagsMeant(words) {
    const found = intents.map((intent) => [wordsOf(intent, words), intent]);
    const isPart = (some, all) => some.size < all.size && [...some].every((word) => all.has(word));
    const meant = new Map();
    for (const [asked, intent] of found) {
      if (!asked.size || found.some(([other]) => isPart(asked, other))) continue;
      intent.flags.forEach((name, number) => {
        const before = meant.get(name) ?? { asked: [], weight: 0 };
        meant.set(name, { asked: new Set([...asked, ...before.asked]), weight: Math.max(before.weight, 1000 - number) });
      });
    }
    return meant;
  }

  const isGlob = (phrase) => !phrase.includes(" ") && /[*?[]/.test(phrase.replace(/\?$/, ""));

  function globbed(phrase) {
    const pattern = phrase.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".").replace(/\[!/g, "[^");
    try {
      const wanted = new RegExp(`^(?:${pattern})$`);
      return flags.filter((flag) => flag.names.some((name) => wanted.test(name)));
    } catch {
      return []; // a bracket that is still open
    }
  }

  /** Return the flags of a topic, those that match a glob, or those that match words, the best first. */
  function search(phrase) {
    if (topics.includes(phrase)) return flags.filter((flag) => flag.topic === phrase);
    if (isGlob(phrase)) return globbed(phrase);
    const words = [...new Set(phrase.toLowerCase().split(/[^\p{L}\p{N}_.]+/u).filter(Boolean))];
    const meant = flagsMeant(words);
    const telling = words.filter((word) => !stops.has(word));
    const wanted = (telling.length ? telling : words).map((word) => [word, scored(word)]);
    const found = [];
    for (const flag of flags) {
      const { asked, weight } = meant.get(flag.name) ?? { asked: new Set(), weight: 0 };
      const scores = wanted.map(([word, score]) => (asked.has(word) ? 0 : score(flag)));
      const count = 2 * asked.size + scores.filter(Boolean).length;
      if (count) found.push({ flag, count, sum: scores.reduce((a, b) => a + b, 0) + weight });
    }
    found.sort((a, b) => b.count - a.count || a.flag.minor - b.flag.minor || b.sum - a.sum);
    return found.map((each) => each.flag);
  }

  /** Return how many letters two words share in order, as Python's difflib counts them. */
  function shared(a, b) {
    let [size, inA, inB] = [0, 0, 0];
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < b.length; j++) {
        let k = 0;
        while (i + k < a.length && a[i + k] === b[j + k]) k++;
        if (k > size) [size, inA, inB] = [k, i, j];
      }
    }
    if (!size) return 0;
    return size + shared(a.slice(0, inA), b.slice(0, inB)) + shared(a.slice(inA + size), b.slice(inB + size));
  }

  const known = new Map();

  /** Return a word, or the most similar one that some flag has, if none has this one. */
  function knownWord(word) {
    if (stops.has(word) || intents.some(({ stems }) => stems.some((group) => begins(word, group)))) return word;
    const own = word.replace(/s$/, "");
    if (texts.some((text) => text.includes(own))) return word;
    let [nearest, best] = [word, 0.75];
    const typed = word.slice(0, 100);
    for (const each of vocabulary) {
      const ratio = (2 * shared(each, typed)) / (each.length + typed.length);
      if (ratio > best || (ratio === best && (nearest === word || each > nearest))) [nearest, best] = [each, ratio];
    }
    return nearest;
  }

  function corrected(phrase) {
    if (isGlob(phrase)) return phrase;
    return phrase.replace(/[\p{L}\p{N}]+/gu, (match) => {
      const word = match.toLowerCase();
      if (!known.has(word)) known.set(word, knownWord(word));
      return known.get(word) === word ? match : known.get(word);
    });
  }

  return Object.assign(search, { corrected });
})();

(() => {
  const FIRST = 50; // more rows would only make typing slow
  const FILTERS = ["module", "topic", "status", "release"];
  const { flags, releases, topics } = dynconfFlags;
  const by = (id) => document.getElementById(`flag-${id}`);
  const form = by("form");
  const query = by("query");
  const results = by("results");
  const list = results.querySelector("ol");
  const rows = new Map(flags.map((flag) => [flag.name, document.getElementById(flag.name)]));
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
    const asked = dynconfSearch.corrected(q ?? "");
    const found = (asked ? dynconfSearch(asked) : flags).filter(passes(filters));
    const shown = all ? found : found.slice(0, FIRST);
    list.replaceChildren(
      ...shown.map(({ name }) => {
        const row = rows.get(name).cloneNode(true);
        for (const each of [row, ...row.querySelectorAll("[id]")]) each.removeAttribute("id");
        return row;
      }),
    );
    const counted = `${found.length} flag${found.length === 1 ? "" : "s"}`;
    const searched = asked === (q ?? "") ? "" : ` for “${asked}”`;
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
