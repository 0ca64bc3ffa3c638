/* The one search of the site: MiniSearch ranks flags, pages and Python names together. Before its results come the flags
   and names that are asked for in full, and the flags that an expert would name for the aim of the question. */
"use strict";

const dynconfSearch = (() => {
  const { entries, aims, stopWords } = dynconfSite;
  const stops = new Set(stopWords);
  const named = new Map(); // the newest name beats an old one, and dynconf.patch the method of that name
  for (let at = 0; entries.some(({ names }) => at < names.length); at++) {
    for (const entry of entries) {
      const name = entry.names[at]?.toLowerCase();
      if (name && !named.has(name)) named.set(name, entry);
    }
  }

  const FEW = 6; // as in `dynconf.tools.show.search`
  const stem = (word) => word.replace(/(?<=[\p{L}\p{N}]{3})(?:ings?|ed|es|e|s)$/u, "");
  const words = new Set();
  let index, speller;

  function build() {
    index = new MiniSearch({
      fields: ["title", "names", "text", "about", "body"],
      extractField: (entry, field) => [entry[field] ?? ""].flat().join(" "),
      processTerm(written) {
        const word = written.toLowerCase();
        if (!speller) words.add(word);
        return !stops.has(word) && stem(word);
      },
      searchOptions: {
        prefix: true,
        boost: { title: 3, names: 2, text: 2, about: 1.5 },
        boostDocument: (id) => (entries[id].isMinor ? 0.3 : entries[id].isTask ? 1.6 : 1),
      },
    });
    index.addAll(entries.map((entry, id) => ({ ...entry, id })));
    speller = new MiniSearch({ fields: ["id"], searchOptions: { fuzzy: 0.25 } });
    speller.addAll([...words].map((id) => ({ id })));
  }

  // As in `dynconf.tools.show.search`, a stem as short as "inf" must be all of a word.
  const begins = (word, stems) =>
    stems.some((each) => word.replace(/s$/, "") === each || (each.length > 3 && word.startsWith(each)));

  /** Return a short question with each word that is nowhere as the most similar one that is; a message is spelt right. */
  function corrected(question) {
    if (question.split(/\s+/).filter((word) => !stops.has(word)).length > FEW) return question;
    return question.replace(/(?<!\S)\p{Ll}{5,}(?=[,.?!]*(?!\S))/gu, (written) => {
      const word = stem(written.toLowerCase());
      const isKnown = [...words].some((each) => each.startsWith(word));
      return isKnown ? written : (speller.search(written)[0]?.id ?? written);
    });
  }

  /** Return the entries that are named in full: of a word of English, one may mean something else. */
  function asked(question) {
    const words = question.toLowerCase().replace(/\(.*?\)/g, "").split(/\s+/);
    const names = words.filter((word) => words.length === 1 || /[_.]./.test(word)).map((word) => word.replace(/[.,:;?!]+$/, ""));
    return names.map((name) => named.get(name) ?? named.get(name.split("config.").at(-1))).filter(Boolean);
  }

  /** Return the flags of the aims of a question, those first for which more of its words ask. */
  function meant(question) {
    const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const found = aims.map(({ stems, flags }) => {
      const groups = stems.map((group) => words.filter((word) => begins(word, group)));
      return { words: new Set(groups.every((group) => group.length) ? groups.flat() : []), flags };
    });
    const isPart = (some, all) => some.size < all.size && [...some].every((word) => all.has(word));
    const whole = found.filter((each) => !found.some((other) => isPart(each.words, other.words)) && each.words.size);
    whole.sort((a, b) => b.words.size - a.words.size);
    return whole.flatMap(({ flags }) => flags.map((name) => named.get(name.toLowerCase())));
  }

  /** Return the question as it was understood, and the flags and the other places that answer it, the best first. */
  return (typed) => {
    if (!index) build();
    const question = corrected(typed);
    const hits = index.search(question).map(({ id }) => entries[id]);
    const found = [...new Set([...asked(question), ...meant(question), ...hits])];
    const isFlag = ({ kind }) => kind === "flag";
    return { question, flags: found.filter(isFlag), pages: found.filter((entry) => !isFlag(entry)), best: found[0] };
  };
})();
