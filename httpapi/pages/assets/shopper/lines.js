// The lines behind the totals: a fold for each item, which says where it costs least.
// In it each chain has its price, the listing that was priced and when it was seen, or
// why there is no price.

import { byId, h, show } from "../dom.js";
import { dollars, none } from "../format.js";
import { t } from "../lang.js";
import { amountWords } from "./quantity.js";
import { missingWords, seenWords } from "./words.js";

// wide says whether folds are open at first: on a phone they would be a long way down.
export const wide = () => matchMedia("(min-width: 56rem)").matches;

const short = 20; // items whose lines are open on a wide screen, and not folded away on a phone

// showLines shows the lines of an answer. items are those of the catalog.
export function showLines(answer, items) {
  const names = new Map(answer.stores.map((s) => [s.key, s.name]));
  const byItem = Map.groupBy(answer.lines, (l) => l.itemId);
  const otherSize = new Map(answer.stores.map((s) => [s.key, new Set(s.differentSizeItemIds)]));
  show(byId("items"), [...byItem].map(([id, lines]) => {
    const amounts = lines.filter((l) => l.reason === null).map((l) => l.lineTotalCad);
    const least = Math.min(...amounts);
    const marked = least < Math.max(...amounts) ? least : null; // where all cost the same, none is the lowest
    return h("li", {}, h("details", { open: wide() && byItem.size <= short },
      h("summary", {}, h("span", { class: "item-name" }, items.get(id).name),
        h("span", { class: "item-amount" }, amountWords(items.get(id), Math.round(lines[0].quantity * 100))),
        h("span", { class: "item-least num" }, leastWords(lines, least, names))),
      h("ul", { class: "offers" }, lines.map((line) => offer(line, names.get(line.storeKey), marked, otherSize.get(line.storeKey).has(id))))));
  }));
  show(byId("lines-summary"), t("Prices of {n} items", { n: byItem.size }));
  byId("lines-fold").open = wide() || byItem.size <= short;
  byId("lines").dataset.state = "shown";
}

// leastWords says where an item costs least.
function leastWords(lines, least, names) {
  const at = lines.filter((l) => l.reason === null && l.lineTotalCad === least);
  if (at.length === 0) return t("no price");
  if (at.length === 1) return t("{price} at {chain}", { price: dollars(least), chain: names.get(at[0].storeKey) });
  return t("{price} at {n} chains", { price: dollars(least), n: at.length });
}

function offer(line, name, marked, otherSize) {
  const missing = line.reason !== null;
  const lowest = !missing && line.lineTotalCad === marked;
  return h("li", { "data-store": line.storeKey, "data-item": line.itemId, "data-reason": line.reason, "data-lowest": lowest && "" },
    h("span", { class: "offer-name" }, name, " ", lowest && h("span", { class: "tag" }, t("lowest"))),
    h("span", { class: "amount num" }, missing ? [h("span", { "aria-hidden": "true" }, none), h("span", { class: "sr" }, t("No price:"), " ")] : dollars(line.lineTotalCad)), " ",
    h("span", { class: "details" }, missing ? missingWords(line) : [listing(line), otherSize && h("span", { class: "tag" }, t("another size than the standard one")), sale(line), h("time", { datetime: line.observedAt }, seenWords(line))]));
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
