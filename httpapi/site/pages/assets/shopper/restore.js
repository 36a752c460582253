// A link opened: what of it the catalog has becomes the list, exactly; the rest is
// said and left out. Nothing is rounded, corrected or replaced.

import { t } from "../lang.js";
import { conditionWords, nothing, parse, parseEntry } from "./state.js";
import { allows, ruleOf, ruleWords, shownQuantity } from "./quantity.js";
import { quoted as inQuotes } from "./words.js";

// restore returns {state, problems}: problems are {part, text}, a sentence each.
// Nobody should compare by itself what has problems: it is another list.
export function restore(fragment, catalog) {
  if (!fragment.includes("=")) return { state: nothing, problems: [] }; // an anchor of the page, no list
  const read = parse(fragment);
  const problems = read.problems.map((p) => ({ part: p.part, text: p.why(quoted(p.text)) }));
  const state = {
    city: cityOf(read.city, catalog, problems),
    items: itemsOf(read.items ?? [], catalog, problems),
    stores: storesOf(read.stores, catalog, problems),
    conditions: conditionsOf(read.conditions ?? [], problems),
    variants: read.accept?.includes("variants") ?? false,
    accept: [],
    reject: [],
    others: (read.lines ?? []).slice(0, catalog.rules.maxItems).map(([text, ...choices]) => ({ text: text.slice(0, 200), choices: choices.flatMap((c) => choiceOf(c, catalog)) })).filter((line) => line.text.trim() !== ""),
  };
  for (const part of ["accept", "reject"]) {
    for (const text of (read[part] ?? []).filter((x) => part === "reject" || x !== "variants")) {
      const [, id, store] = /^(\d+)@(.+)$/.exec(text) ?? [];
      if (state.items.some((x) => x.id === Number(id)) && catalog.chains.some((c) => c.key === store)) state[part].push({ id: Number(id), store });
      else problems.push({ part, text: t("{part} names no item of this list at a chain.", { part: quoted(text) }) });
    }
  }
  // With a list of chains that can't be read, "all" would be another question.
  if (read.stores === null && read.problems.some((p) => p.part === "stores")) state.stores = [];
  return { state, problems };
}

function cityOf(slug, catalog, problems) {
  if (slug === null) return "";
  if (catalog.cities.some((c) => c.slug === slug)) return slug;
  problems.push({ part: "city", text: t("{part} is no city here. Choose one; none is taken instead.", { part: quoted(slug) }) });
  return "";
}

// choiceOf reads what a line may mean. What the catalog has not is left out.
function choiceOf(text, catalog) {
  const asked = parseEntry(text), item = catalog.items.find((x) => x.id === asked?.id);
  if (item === undefined || !text.includes("x")) return item ? [{ id: item.id }] : [];
  return allows(ruleOf(item), asked.quantity) ? [asked] : [];
}

function itemsOf(entries, catalog, problems) {
  const items = [];
  const problem = (text) => problems.push({ part: "items", text });
  const read = entries.map(parseEntry);
  const seen = new Set();
  for (const [i, asked] of read.entries()) {
    if (asked === null) {
      problem(t("{part} is no item with a quantity, such as 1x2.", { part: quoted(entries[i]) }));
      continue;
    }
    if (seen.has(asked.id)) continue;
    seen.add(asked.id);
    const item = catalog.items.find((x) => x.id === asked.id);
    const same = read.filter((x) => x?.id === asked.id);
    if (item === undefined) {
      problem(t("There is no item {id} here. Nothing is taken instead.", { id: String(asked.id) }));
    } else if (same.some((x) => x.quantity !== asked.quantity)) {
      problem(t("{item}: the link has it {times} times, with different quantities. Add it with the one you want.", { item: item.name, times: same.length }));
    } else if (!allows(ruleOf(item), asked.quantity)) {
      const given = asked.quantity < 0 ? entries[i].slice(entries[i].indexOf("x") + 1, 40) : shownQuantity(asked.quantity);
      problem(t("{item}: {given} is no quantity of it. It is sold {rule}.", { item: item.name, given, rule: ruleWords(item) }));
    } else if (items.length === catalog.rules.maxItems) {
      problem(t("{item}: a list has at most {most} items.", { item: item.name, most: catalog.rules.maxItems }));
    } else {
      if (same.length > 1) problem(t("{item}: the link has it {times} times, each time with {given}. It is on the list once.", { item: item.name, times: same.length, given: shownQuantity(asked.quantity) }));
      items.push({ id: asked.id, quantity: asked.quantity });
    }
  }
  return items;
}

function storesOf(keys, catalog, problems) {
  if (keys === null) return null;
  const stores = [];
  const problem = (text) => problems.push({ part: "stores", text });
  for (const key of keys) {
    const chain = catalog.chains.find((c) => c.key === key);
    if (chain === undefined) problem(t("{part} is no chain here.", { part: quoted(key) }));
    else if (stores.includes(key)) problem(t("{chain}: the link names it more than once. It is chosen once.", { chain: chain.name }));
    else if (stores.length === catalog.rules.maxStores) problem(t("{chain}: at most {most} chains are compared.", { chain: chain.name, most: catalog.rules.maxStores }));
    else stores.push(key);
  }
  return stores;
}

function conditionsOf(words, problems) {
  for (const word of words) {
    if (!conditionWords.includes(word)) problems.push({ part: "conditions", text: t("{part} is no condition of a sale here.", { part: quoted(word) }) });
  }
  return conditionWords.filter((word) => words.includes(word));
}

// quoted shows a piece of a link; of a long one the beginning.
function quoted(text) {
  if (text === "") return t("An empty entry");
  return inQuotes(text.length > 60 ? `${text.slice(0, 60)}\u2026` : text);
}
