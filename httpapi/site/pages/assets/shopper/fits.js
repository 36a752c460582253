// Variants: "Walmart sells Ambrosia here for Gala apples: fine?" A variant has no price before the
// shopper accepts it. This browser remembers each answer for its item, chain and title, so another title
// is asked about anew. Of the answers, comparisons are sent only the items and chains.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";
import { nameOf, quoted } from "./words.js";

const place = "larder.fits.1"; // another number when the form of what is kept changes
const most = 500; // answers that are kept
const atOnce = 3; // questions

let answers = read();
addEventListener("storage", (event) => { if (event.key === place || event.key === null) answers = read(); });

function read() {
  try {
    return new Map(JSON.parse(localStorage.getItem(place)));
  } catch {
    return new Map();
  }
}

const keyOf = ({ itemId, storeKey, title }) => `${itemId}@${storeKey} ${title}`;

// answerOf returns whether a variant is fine; undefined: that was not asked yet.
export const answerOf = (line) => answers.get(keyOf(line));

// keep remembers an answer, or forgets it if it is undefined. Without a line, all are forgotten.
function keep(line, fine) {
  if (line === null) answers.clear();
  else answers.delete(keyOf(line));
  if (fine !== undefined) answers.set(keyOf(line), fine);
  try {
    if (answers.size === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify([...answers].slice(-most)));
  } catch {
    // Then they are remembered for as long as the page is open.
  }
  tellAnswers();
}

// tellAnswers says how many answers are kept, beside the button that forgets them.
export function tellAnswers() {
  byId("answers").hidden = answers.size === 0;
  byId("answers-text").textContent = t("{n} answers about variants are kept on this device.", { n: answers.size });
}

export const forgetAnswers = () => keep(null);

// askedOf returns the variants that a body asks about, pricedOf those that it prices, variantsOf both: the
// complete and cheapest chains first.
export const askedOf = (body) => body.stores.flatMap((s) => (s.variants ?? []).map((l) => ({ ...l, storeKey: s.key })));
const pricedOf = (body) => body.stores.flatMap((s) => s.lines.filter((l) => l.fit === "variant").map((l) => ({ ...l, storeKey: s.key })));
export const variantsOf = (body) => [...pricedOf(body), ...askedOf(body)];

// showFits asks about the variants of an answer, and says which are taken and which are left
// out: left by answers, rejected by the link. again compares anew, and unreject takes an
// entry off the link before.
export function showFits(body, items, { rejected, again, unreject }) {
  const element = byId("fits"), asked = askedOf(body), taken = pricedOf(body).filter(answerOf);
  const words = (line) => ({
    chain: body.stores.find((s) => s.key === line.storeKey)?.name ?? line.storeKey, item: quoted(nameOf(items, line.itemId)), title: quoted(line.title), words: line.fitWords?.join(", "),
  });
  const settle = (line, fine) => {
    keep(line, fine);
    again();
  };
  const button = (name, text, line, onclick) => h("button", { type: "button", [name]: "", "aria-label": `${text}, ${line.title ?? nameOf(items, line.itemId)}, ${words(line).chain}`, onclick }, text);
  const answered = (text, line, onclick) => h("li", {}, text, " ", button("data-again", t("Ask again"), line, onclick));
  const given = [
    taken.map((line) => answered(t("{chain}: {title} is fine for {item}.", words(line)), line, () => settle(line))),
    body.left.map((line) => answered(t("{chain}: {title} is left out for {item}.", words(line)), line, () => settle(line))),
    rejected.map((line) => answered(t("{chain}: a listing of {item} is left out by the link.", words(line)), line, () => unreject(line))),
  ].flat();
  show(element,
    asked.length > 0 && h("ul", {}, asked.slice(0, atOnce).map((line) => h("li", {},
      h("p", {}, t("{chain} sells {title} here for {item} ({words}): fine?", words(line))),
      h("span", { class: "row" }, button("data-fine", t("It is fine"), line, () => settle(line, true)), button("data-refuse", t("Leave it out"), line, () => settle(line, false)))))),
    asked.length > atOnce && h("p", { class: "small" }, t("Then {n} more questions.", { n: asked.length - atOnce })),
    given.length > 0 && h("details", {}, h("summary", {}, t("{n} of your answers count here", { n: given.length })), h("ul", {}, given)));
  element.hidden = element.childElementCount === 0;
  element.dataset.asked = asked.length;
}
