// Texts in the language of the page. The server puts the texts of the language where a
// script has their keys.

import { h } from "./dom.js";

export const locale = document.documentElement.lang;

const plurals = new Intl.PluralRules(locale);
const count = new Intl.NumberFormat(locale, { useGrouping: "min2", maximumFractionDigits: 20 });

// t returns a text with each {name} in it replaced by args.name. A text with plurals is
// an object of forms, of which the number {n} chooses one.
export const t = (text, args = {}) => textOf(text, args).replace(/\{(\w+)\}/g, (_, name) => written(args[name]));

// tx is t for texts with elements, and returns a list of children. An argument may be
// an element. <name>text</name> becomes args.name(children), or else an element of that
// name.
export const tx = (text, args = {}) => parts(textOf(text, args), args);

const textOf = (text, args) => (typeof text === "string" ? text : text[plurals.select(args.n)] ?? text.other);

function parts(text, args) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(/<(\w+)>(.*?)<\/\1>|\{(\w+)\}/g)) {
    const [all, name, inner, placeholder] = match;
    found.push(text.slice(from, match.index));
    if (placeholder) found.push(written(args[placeholder]));
    else found.push(args[name] ? args[name](parts(inner, args)) : h(name, {}, parts(inner, args)));
    from = match.index + all.length;
  }
  found.push(text.slice(from));
  return found.filter((part) => part !== "");
}

const written = (value) => (typeof value === "number" ? count.format(value) : value);

// home is the address of the first page in this language.
const home = document.querySelector("a.brand").getAttribute("href");

// at returns the address of a page in this language. path is its address without a language.
export const at = (path) => (home === "/" ? path : home + path.replace(/\/$/, ""));

// The link to the other language keeps what is shown.
const other = document.getElementById("language");
for (const kind of ["click", "auxclick"]) {
  other?.addEventListener(kind, () => {
    other.search = location.search;
    other.hash = location.hash;
  });
}
