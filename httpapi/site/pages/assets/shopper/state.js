// What a shopper asks for, and its form in the fragment of the address:
//
//   #city=toronto&items=1x2,7x0.5&stores=a,b
//
// It is the server's form of a comparisonUrl to the byte: items in order of id,
// chains in order of key, so equal lists have equal links. At its end it may have lines that
// are not compared, which no request has. Browsers don't send a fragment, so no log gets
// the list. It is kept on the device only if the shopper says so.
//
// A state is {city, items, stores, conditions, variants, accept, reject, others}: a slug or ""; [{id,
// quantity}] in the order of the list; null for all chains of the city, or the keys of those
// chosen; the conditions of sales that the shopper meets; whether any variant is fine;
// [{id, store}] whose variant a link accepts, and of listings that it leaves out; lines that are not
// compared, as basket.js has them. A link has "&conditions=member,multi_buy", "&accept=variants,5@a"
// and "&reject=23@a" only where there is something of them.

import { t } from "../lang.js";
import { allows, parseQuantity, quantityText, ruleOf, ruleWords, shownQuantity } from "./quantity.js";
import { quoted as inQuotes } from "./words.js";

export const nothing = Object.freeze({ city: "", items: Object.freeze([]), stores: null, conditions: Object.freeze([]), variants: false, accept: Object.freeze([]), reject: Object.freeze([]), others: Object.freeze([]) });

// conditionWords are the conditions of sales, in the order of a link.
const conditionWords = ["member", "multi_buy"];

// format writes a state as a fragment, "" if there is nothing in it. What is not
// chosen yet is left out; "stores=" stands for chosen chains, and none chosen yet.
export function format(state) {
  const parts = [];
  if (state.city !== "") parts.push(`city=${escape(state.city)}`);
  if (state.items.length > 0) {
    const items = state.items.toSorted((a, b) => a.id - b.id);
    parts.push(`items=${items.map((x) => `${x.id}x${quantityText(x.quantity)}`).join(",")}`);
  }
  if (state.stores !== null) parts.push(`stores=${state.stores.toSorted().map(escape).join(",")}`);
  if (state.conditions.length > 0) parts.push(`conditions=${inOrder(state.conditions)}`);
  const accept = acceptOf(state, escape), reject = choicesOf(state, "reject", escape);
  if (accept.length > 0) parts.push(`accept=${accept}`);
  if (reject.length > 0) parts.push(`reject=${reject}`);
  if (state.others.length > 0) parts.push(`lines=${escape(state.others.map(lineText).join("\n"))}`);
  return parts.length === 0 ? "" : `#${parts.join("&")}`;
}

const lineText = ({ text, choices }) => [text.replace(/\s+/g, " "), ...choices.map((c) => (c.quantity === undefined ? c.id : `${c.id}x${quantityText(c.quantity)}`))].join("\t");

// asked returns the part of a fragment that is compared.
export const asked = (fragment) => fragment.replace(/[#&]lines=.*$/, "");

// choicesOf returns the entries of accept or reject, of the items that are on the list still.
function choicesOf(state, name, write = (store) => store) {
  return (state[name] ?? []).filter((x) => state.items.some((item) => item.id === x.id))
    .toSorted((a, b) => a.id - b.id || (a.store < b.store ? -1 : 1)).map((x) => `${x.id}@${write(x.store)}`);
}

const acceptOf = (state, write) => [...(state.variants ? ["variants"] : []), ...choicesOf(state, "accept", write)];

// requestOf returns the body of a comparison. All chains are asked for by naming
// none.
export function requestOf(state) {
  const body = { city: state.city, items: state.items.toSorted((a, b) => a.id - b.id).map((x) => ({ id: x.id, qty: x.quantity / 100 })) };
  if (state.stores !== null) body.stores = state.stores.toSorted();
  if (state.conditions?.length > 0) body.conditions = inOrder(state.conditions);
  const accept = acceptOf(state), reject = choicesOf(state, "reject");
  if (accept.length > 0) body.accept = accept;
  if (reject.length > 0) body.reject = reject;
  return body;
}

const inOrder = (conditions) => conditionWords.filter((word) => conditions.includes(word));

// parse reads a fragment without a catalog: texts as they stand there, and what
// can't be read as problems. Each is {part, text, why}: why makes a sentence of the text; entries of items and
// stores are only taken apart, for restore to judge.
function parse(fragment) {
  const read = { city: null, items: null, stores: null, conditions: null, accept: null, reject: null, lines: null, problems: [] };
  const text = fragment.replace(/^#/, "");
  if (text === "") return read;
  const twice = new Set();
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=");
    const name = at < 0 ? pair : pair.slice(0, at);
    const problem = (why) => read.problems.push({ part: name in known ? name : "part", text: pair, why });
    if (at < 0 || !(name in known)) {
      problem((part) => t("{part} is no part of a list.", { part }));
    } else if (read[name] !== null || twice.has(name)) {
      twice.add(name);
      read[name] = null;
    } else {
      try {
        read[name] = known[name](decodeURIComponent(pair.slice(at + 1)));
      } catch {
        problem((part) => t("{part} is not escaped as addresses are.", { part }));
      }
    }
  }
  for (const name of twice) read.problems.push({ part: name, text: name, why: (part) => t("{part} is there twice; which one counts is not clear.", { part }) });
  return read;
}

const known = {
  __proto__: null,
  city: (value) => value,
  items: (value) => value.split(","),
  stores: (value) => (value === "" ? [] : value.split(",")),
  conditions: (value) => value.split(","),
  accept: (value) => value.split(","),
  reject: (value) => value.split(","),
  lines: (value) => value.split("\n").map((line) => line.split("\t")),
};

const entry = /^(0|[1-9][0-9]*)(?:x(.*))?$/;

// parseEntry reads an entry of items: {id, quantity}, as parseQuantity has it;
// null if it is none. An id alone stands for a quantity of 1.
function parseEntry(text) {
  const parts = entry.exec(text);
  if (parts === null) return null;
  const quantity = parts[2] === undefined ? 100 : parseQuantity(parts[2]);
  return quantity === null ? null : { id: Number(parts[1]), quantity };
}

// escape writes a slug or key: ASCII letters, digits, "-", "_" and "." as they are, of all else the bytes.
const escape = (text) => encodeURIComponent(text.toWellFormed()).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

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
