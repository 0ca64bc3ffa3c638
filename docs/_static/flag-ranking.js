/* Ranks flags as `dynconf.tools.show.search` does, in the index that was written when the site was built. */
"use strict";

/** Return the most similar of some words, as `dynconf.text.nearest` finds it, or the word if none is similar. */
function dynconfNearest(word, words) {
  // Counts the letters that two words share in order, as Python's difflib does.
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

  let [nearest, best] = [word, 0.83];
  const typed = word.slice(0, 100);
  for (const each of words) {
    const ratio = (2 * shared(each, typed)) / (each.length + typed.length);
    if (ratio > best || (ratio === best && (nearest === word || each > nearest))) [nearest, best] = [each, ratio];
  }
  return nearest;
}

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
      Math.max(0, ...flag.texts.map(([weight, text]) => (own && ` ${text}`.includes(` ${own}`) ? weight + own.length / text.length : 0)));
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
    const written = phrase.toLowerCase().split(/[^\p{L}\p{N}_.]+/u).map((word) => word.replace(/^\.+|\.+$/g, ""));
    const words = [...new Set(written.filter(Boolean).map((word) => word.split("config.").at(-1)))];
    const inFull = new Set(words.filter((word) => !written.includes(word) || !/^\p{L}+$/u.test(word)).map(normal));
    const meant = flagsMeant(words);
    const telling = words.filter((word) => !stops.has(word));
    const wanted = (telling.length ? telling : words).map((word) => [word, scored(word)]);
    const found = [];
    let isKnown = false;
    for (const flag of flags) {
      const { asked, weight } = meant.get(flag.name) ?? { asked: new Set(), weight: 0 };
      const scores = wanted.map(([word, score]) => (asked.has(word) ? 0 : score(flag)));
      const matched = scores.filter(Boolean).length;
      const count = 2 * asked.size + matched;
      const named = flag.texts.some(([weight, text]) => weight === 3 && inFull.has(text));
      isKnown ||= named || asked.size > 0 || (matched > 0 && 2 * matched >= wanted.length);
      if (count) found.push({ flag, named, count, sum: scores.reduce((a, b) => a + b, 0) + weight });
    }
    found.sort((a, b) => b.named - a.named || b.count - a.count || a.flag.minor - b.flag.minor || b.sum - a.sum);
    return isKnown ? found.map((each) => each.flag) : [];
  }

  const known = new Map();

  /** Return a word, or the most similar one that some flag has, if none has this one. */
  function knownWord(word) {
    if (word.length < 4 || stops.has(word) || intents.some(({ stems }) => stems.some((group) => begins(word, group)))) return word;
    const own = word.replace(/s$/, "");
    if (texts.some((text) => ` ${text}`.includes(` ${own}`))) return word;
    return dynconfNearest(word, vocabulary);
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
