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
// compared, as others.js has them. A link has "&conditions=member,multi_buy", "&accept=variants,5@a"
// and "&reject=23@a" only where there is something of them.

import { t } from "../lang.js";
import { parseQuantity, quantityText } from "./quantity.js";

export const nothing = Object.freeze({ city: "", items: Object.freeze([]), stores: null, conditions: Object.freeze([]), variants: false, accept: Object.freeze([]), reject: Object.freeze([]), others: Object.freeze([]) });

// conditionWords are the conditions of sales, in the order of a link.
export const conditionWords = ["member", "multi_buy"];

// format writes a state as a fragment, "" if there is nothing in it. What is not
// chosen yet is left out; "stores=" stands for chosen chains, and none chosen yet.
export function format(state) {
  const parts = [];
  if (state.city !== "") parts.push(`city=${escape(state.city)}`);
  if (state.items.length > 0) {
    const items = state.items.toSorted((a, b) => a.id - b.id);
    parts.push(`items=${items.map((x) => `${x.id}x${quantityText(x.quantity)}`).join(",")}`);
  }
  if (state.stores !== null) parts.push(`stores=${state.stores.toSorted(byCodePoint).map(escape).join(",")}`);
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
    .toSorted((a, b) => a.id - b.id || byCodePoint(a.store, b.store)).map((x) => `${x.id}@${write(x.store)}`);
}

const acceptOf = (state, write) => [...(state.variants ? ["variants"] : []), ...choicesOf(state, "accept", write)];

// requestOf returns the body of a comparison. All chains are asked for by naming
// none.
export function requestOf(state) {
  const body = { city: state.city, items: state.items.toSorted((a, b) => a.id - b.id).map((x) => ({ id: x.id, qty: x.quantity / 100 })) };
  if (state.stores !== null) body.stores = state.stores.toSorted(byCodePoint);
  if (state.conditions?.length > 0) body.conditions = inOrder(state.conditions);
  const accept = acceptOf(state), reject = choicesOf(state, "reject");
  if (accept.length > 0) body.accept = accept;
  if (reject.length > 0) body.reject = reject;
  return body;
}

const inOrder = (conditions) => conditionWords.filter((word) => conditions.includes(word));

// parse reads a fragment without a catalog: texts as they stand there, and what
// can't be read as problems. Each is {part, text, why}: why makes a sentence of the text; entries of items and
// stores are only taken apart, for restore.js to judge.
export function parse(fragment) {
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
export function parseEntry(text) {
  const parts = entry.exec(text);
  if (parts === null) return null;
  const quantity = parts[2] === undefined ? 100 : parseQuantity(parts[2]);
  return quantity === null ? null : { id: Number(parts[1]), quantity };
}

// escape writes a slug or key: ASCII letters, digits, "-", "_" and "." as they
// are, of all else the bytes.
function escape(text) {
  let out = "";
  for (const byte of new TextEncoder().encode(text)) {
    const c = String.fromCharCode(byte);
    out += /[A-Za-z0-9_.-]/.test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

// byCodePoint orders as the server does, by bytes of UTF-8.
function byCodePoint(a, b) {
  const x = Array.from(a), y = Array.from(b);
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  }
  return x.length - y.length;
}
