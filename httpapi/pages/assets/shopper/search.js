// Finding items of the catalog by what people call them, in English or French.

// fold takes off what people leave out when they type: capitals, accents,
// ligatures, apostrophes and other marks.
export function fold(text) {
  return text.toLowerCase().replaceAll("\u0153", "oe").replaceAll("\u00e6", "ae")
    .normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}%.]+/gu, " ").trim();
}

// indexOf prepares the items of a catalog for find. The first text of an item is
// its name, the second the French one.
export function indexOf(items) {
  return items.map((item) => {
    const texts = [item.name, item.nameFr ?? "", ...(item.aliases ?? [])].filter((t) => t !== "");
    return { item, texts: texts.map((text) => ({ text, folded: fold(text) })) };
  });
}

// find returns the items that match all words of a query, best first, each as
// {item, alias}: alias is the word that it was found by, null if that is its name.
export function find(index, query, most = 12) {
  const wanted = fold(query);
  if (wanted === "") return [];
  const found = search(index, wanted);
  // "oranges" finds "orange", should nothing be called so.
  const singular = wanted.replace(/(\p{L}{3,})[sx]\b/gu, "$1");
  return (found.length > 0 || singular === wanted ? found : search(index, singular)).slice(0, most);
}

function search(index, wanted) {
  const words = wanted.split(" ");
  const hits = [];
  for (const { item, texts } of index) {
    let best = null;
    for (const [at, { text, folded }] of texts.entries()) {
      const rank = rankOf(folded, wanted, words);
      if (rank !== null && (best === null || rank < best.rank)) best = { item, rank, length: folded.length, alias: at === 0 ? null : text };
    }
    if (best !== null) hits.push(best);
  }
  hits.sort((a, b) => a.rank - b.rank || a.length - b.length || a.item.id - b.item.id);
  return hits.map(({ item, alias }) => ({ item, alias }));
}

// rankOf says how well a text matches, 0 best: it is the query; begins with it as
// whole words; begins with it; has words that begin with all of the query's; has
// them somewhere. null: it doesn't.
function rankOf(text, wanted, words) {
  if (text === wanted) return 0;
  if (text.startsWith(`${wanted} `)) return 1;
  if (text.startsWith(wanted)) return 2;
  const own = text.split(" ");
  if (words.every((w) => own.some((o) => o.startsWith(w)))) return 3;
  const most = 3; // a shorter piece is in too many words
  return words.every((w) => w.length >= most && text.includes(w)) ? 4 : null;
}
