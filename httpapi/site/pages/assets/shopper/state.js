// What a shopper asks for, and its form in the fragment of the address:
//
//   #city=toronto&items=1x2,7x0.5&stores=a,b&lines=caviar&at=a&open=7,-caviar
//
// Up to the lines it is the server's form of a comparisonUrl to the byte: items in order of id,
// chains in order of key, so equal lists have equal links. Browsers don't send a fragment, so no
// log gets the list.
//
// A state is {city, items, stores, conditions, variants, accept, reject, others, at, done}: a slug
// or ""; [{id, quantity}] in the order of the list; keys of chains, none for all of the city; the
// conditions of sales that the shopper meets; whether any variant is fine; ["5@a"], of variants
// that are fine, and of listings that are left out; lines that are not compared, as {text,
// choices}; the list that is open to tick off; and what is ticked on it, items by their id and
// lines by "-" and their text. The address has what is still open instead.

import { t } from "../lang.js";
import { allows, parseQuantity } from "./quantity.js";

export const mostLines = 100; // that are not compared

export const nothing = Object.freeze({
  city: "", items: [], stores: [], conditions: [], variants: false, accept: [], reject: [], others: [], at: "", done: [],
});

const conditionWords = ["member", "multi_buy"]; // in the order of a link

// escape writes a slug or key: ASCII letters, digits, "-", "_" and "." as they are, of all else the bytes.
const escape = (text) => encodeURIComponent(text.toWellFormed()).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const itemsText = (items) => items.toSorted((a, b) => a.id - b.id).map((x) => `${x.id}x${x.quantity}`).join(",");

const lineText = ({ text, choices }) => [text.replace(/\s+/g, " "), ...choices.map((c) => (c.quantity === undefined ? c.id : `${c.id}x${c.quantity}`))].join("\t");

// ticks returns what can be ticked off.
const ticks = ({ items, others }) => [...items.map((x) => String(x.id)), ...others.map((x) => `-${x.text}`)];

// chosen returns the choices of the items that are on the list still.
const chosen = (state, choices) => choices.filter((x) => state.items.some((item) => x.startsWith(`${item.id}@`)))
  .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1));

// format writes a state as a fragment, "" if there is nothing in it.
export function format(state) {
  const choices = (list) => chosen(state, list).map((x) => x.replace(/@.*/, (store) => `@${escape(store.slice(1))}`));
  const list = ticks(state), done = state.done.filter((x) => list.includes(x));
  const parts = {
    city: escape(state.city), items: itemsText(state.items), stores: state.stores.toSorted().map(escape).join(","),
    conditions: conditionWords.filter((word) => state.conditions.includes(word)).join(","),
    accept: [...(state.variants ? ["variants"] : []), ...choices(state.accept)].join(","), reject: choices(state.reject).join(","),
    lines: escape(state.others.map(lineText).join("\n")), at: escape(state.at),
  };
  const text = Object.entries(parts).filter(([, value]) => value !== "").map((pair) => pair.join("="));
  if (done.length > 0) text.push(`open=${list.filter((x) => !done.includes(x)).map(escape).join(",")}`);
  return text.length === 0 ? "" : `#${text.join("&")}`;
}

// asked returns the part of a fragment that is compared.
export const asked = (fragment) => fragment.replace(/[#&](at|open)=.*$/, "");

// requestOf returns the form that asks for a comparison.
export function requestOf(state) {
  const form = new URLSearchParams({ city: state.city, items: itemsText(state.items) });
  const add = (name, list) => list.forEach((value) => form.append(name, value));
  add("stores", state.stores);
  add("conditions", state.conditions);
  add("accept", [...(state.variants ? ["variants"] : []), ...chosen(state, state.accept)]);
  add("reject", chosen(state, state.reject));
  add("other", state.others.map((x) => x.text));
  return form;
}

const entry = /^(0|[1-9][0-9]*)(?:x(.*))?$/;

// readEntry reads an item with its quantity, 1 without one; null if there is no such item, or not so much of it.
function readEntry(text, catalog) {
  const [, id, asked = "1"] = entry.exec(text) ?? [];
  const item = catalog.items.find((x) => x.id === Number(id)), quantity = parseQuantity(asked);
  return item && allows(item, quantity) ? { id: item.id, quantity } : null;
}

// restore returns {state, problems} of a fragment: problems are {part, text}, a sentence each. Nobody should compare by
// itself what has problems: it is another list.
export function restore(fragment, catalog) {
  const state = { ...nothing }, problems = [], read = new Map();
  if (!fragment.includes("=")) return { state, problems }; // an anchor of the page, no list
  const refuse = (part, text) => problems.push({ part, text: sentences(part)(t("“{title}”", { title: text.slice(0, 60) })) });
  for (const pair of fragment.replace(/^#/, "").split("&")) {
    const [name, value] = [pair.split("=")[0], pair.slice(pair.indexOf("=") + 1)];
    try {
      if (!parts.includes(name) || !pair.includes("=") || read.has(name)) refuse(parts.includes(name) ? name : "part", pair);
      else read.set(name, name === "open" ? value.split(",").map(decodeURIComponent) : decodeURIComponent(value));
    } catch {
      refuse(name, pair);
    }
  }
  const each = (part, take) => {
    if (read.has(part)) read.get(part).split(",").forEach((text) => { if (!take(text)) refuse(part, text); });
  };
  const known = (list, key) => list.some((x) => (x.slug ?? x.key) === key);
  const once = (list, x) => !list.includes(x) && list.push(x);
  for (const list of ["items", "stores", "conditions", "accept", "reject"]) state[list] = [];
  each("city", (slug) => known(catalog.cities, slug) && (state.city = slug));
  each("items", (text) => {
    const x = readEntry(text, catalog);
    return x && state.items.length < catalog.rules.maxItems && !state.items.some((y) => y.id === x.id) && state.items.push(x);
  });
  each("stores", (key) => known(catalog.chains, key) && once(state.stores, key));
  each("conditions", (word) => conditionWords.includes(word) && once(state.conditions, word));
  for (const part of ["accept", "reject"]) {
    each(part, (text) => {
      if (part === "accept" && text === "variants") return (state.variants = true);
      return chosen(state, [text]).length > 0 && known(catalog.chains, text.split("@")[1]) && state[part].push(text);
    });
  }
  state.others = (read.get("lines") ?? "").split("\n").slice(0, mostLines).map((line) => line.split("\t"))
    .filter(([text]) => text.trim() !== "").map(([text, ...choices]) => ({ text: text.slice(0, 200), choices: choices.flatMap((c) => choiceOf(c, catalog)) }));
  state.at = read.get("at") ?? "";
  if (read.has("open")) state.done = ticks(state).filter((x) => !read.get("open").includes(x));
  return { state, problems };
}

// choiceOf reads what a line may mean. What the catalog has not is left out.
function choiceOf(text, catalog) {
  const read = readEntry(text, catalog);
  if (read === null) return [];
  return [text.includes("x") ? read : { id: read.id }];
}

const parts = ["city", "items", "stores", "conditions", "accept", "reject", "lines", "at", "open"];

const sentences = (of) => (part) => {
  if (of === "city") return t("{part} is no city here. Choose one; none is taken instead.", { part });
  if (of === "items") return t("{part} is no item with a quantity that can be asked for, such as 1x2. Nothing is taken instead.", { part });
  if (of === "stores") return t("{part} is no chain here.", { part });
  return t("{part} is no part of a list.", { part });
};
