// The lines behind the totals: a fold for each item, which says where a kilogram, litre or
// piece of it costs least, and what was priced. In it each chain has its price, the listing
// that was priced and when it was seen, or why there is no price.

import { byId, h, show } from "../dom.js";
import { dollars, none } from "../format.js";
import { t, tx } from "../lang.js";
import { amountWords } from "./quantity.js";
import { missingWords, seenWords } from "./words.js";

// wide says whether folds are open at first: on a phone they would be a long way down.
export const wide = () => matchMedia("(min-width: 56rem)").matches;

const short = 20; // items whose lines are open on a wide screen

// showLines shows the lines of an answer. items are those of the catalog.
export function showLines(answer, items) {
  const names = new Map(answer.stores.map((s) => [s.key, s.name]));
  const byItem = Map.groupBy(answer.lines, (l) => l.itemId);
  const otherSize = new Map(answer.stores.map((s) => [s.key, new Set(s.differentSizeItemIds)]));
  show(byId("items"), [...byItem].map(([id, lines]) => {
    const priced = lines.filter((l) => l.reason === null), marked = priced.filter((l) => l.lowest);
    const least = marked.length > 0 ? marked : priced; // where all cost the same, none is the lowest
    // The chain with the lowest total comes first, if it has the whole list.
    const told = [...new Set([answer.stores[0].completeRequestedList && priced[0], least[0]])].filter(Boolean);
    return h("li", {}, h("details", { open: wide() && byItem.size <= short },
      h("summary", {}, h("span", { class: "item-name" }, items.get(id).name),
        h("span", { class: "item-amount" }, amountWords(items.get(id), Math.round(lines[0].quantity * 100))),
        h("span", { class: "item-least num" }, leastWords(least, names)),
        told.map((l) => h("span", { class: "item-title" }, t("{chain}, {price}:", { chain: names.get(l.storeKey), price: dollars(l.lineTotalCad) }), " ", listing(l)))),
      h("ul", { class: "offers" }, lines.map((line) => offer(line, names.get(line.storeKey), otherSize.get(line.storeKey).has(id))))));
  }));
  byId("lines").dataset.state = "shown";
}

// leastWords says where an item costs least.
function leastWords(at, names) {
  if (at.length === 0) return t("no price");
  if (at.length === 1) return tx("{price} at {chain}", { price: byUnit(at[0]), chain: names.get(at[0].storeKey) });
  return tx("{price} at {n} chains", { price: byUnit(at[0]), n: at.length });
}

// byUnit says the price of a kilogram, litre or piece.
function byUnit({ unit, priceCad }) {
  const price = dollars(priceCad);
  const words = { unit: t("{price} each", { price }), L: t("{price}/L", { price }), kg: t("{price}/kg", { price }) };
  return h("span", { class: "price" }, words[unit]);
}

const lowestBy = { kg: t("lowest per kg"), L: t("lowest per litre"), unit: t("lowest per piece") };

function offer(line, name, otherSize) {
  const missing = line.reason !== null;
  return h("li", { "data-store": line.storeKey, "data-item": line.itemId, "data-reason": line.reason, "data-lowest": line.lowest && "" },
    h("span", { class: "offer-name" }, name, " ", line.lowest && h("span", { class: "tag" }, lowestBy[line.unit])),
    h("span", { class: "amount num" }, missing ? [h("span", { "aria-hidden": "true" }, none), h("span", { class: "sr" }, t("No price:"), " ")] : dollars(line.lineTotalCad)), " ",
    h("span", { class: "details" }, missing ? missingWords(line) : [listing(line), byUnit(line), otherSize && h("span", { class: "tag" }, t("another size than the standard one")), sale(line), h("time", { datetime: line.observedAt }, seenWords(line))]));
}

// sale says that the price is one of a sale, or that there is one that not everybody
// gets, which is not counted.
function sale(line) {
  if (line.conditional) return h("span", { class: "condition" }, line.onSale ? t("sale with a condition, counted") : t("sale with a condition, not counted"));
  return line.onSale && h("span", { class: "tag" }, t("Sale"));
}

// listing names what was priced.
function listing(line) {
  return [h("span", { "data-scraped": "" }, [line.title, line.brand, line.packageSize].filter((text) => text !== null).join(", ")),
    line.fit === "variant" && h("span", { class: "tag warn" }, t("a variant: {words}", { words: line.fitWords.join(", ") }))];
}
