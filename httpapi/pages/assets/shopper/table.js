// The table behind the totals: items by chain, each with its price, the listing that
// was priced, and when it was seen; or why there is none.

import { byId, h, show } from "../dom.js";
import { dollars, none, plural } from "../format.js";
import { amountWords, quantityText } from "./quantity.js";
import { missingWords, seenWords } from "./words.js";

// showLines shows the lines of an answer. items are those of the catalog.
export function showLines(answer, items) {
  const asked = answer.lines.filter((l) => l.storeKey === answer.stores[0]?.key);
  const byCell = new Map(answer.lines.map((l) => [`${l.storeKey} ${l.itemId}`, l]));
  const priced = new Map(answer.stores.map((s) => [s.key, s.pricedItemIds.length]));
  const least = leastOf(answer.lines);
  const stores = answer.stores;
  const table = h("table", {},
    h("caption", {}, "What the quantity on the list costs at each chain. Chains with the whole list come first."),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Item"), stores.map((s) => h("th", { scope: "col", "data-store": s.key }, s.name)))),
    h("tbody", {}, asked.map((line) => h("tr", { "data-item": line.itemId },
      rowHead(line, items.get(line.itemId)), stores.map((s) => cell(byCell.get(`${s.key} ${line.itemId}`), least))))),
    h("tfoot", {},
      h("tr", { id: "totals" }, h("th", { scope: "row" }, "Total"), stores.map((s) => total(s, s.totalCad, priced.get(s.key), asked.length))),
      h("tr", { id: "adjusted" }, h("th", { scope: "row" }, "Total at standard sizes"), stores.map((s) => total(s, s.sizeAdjustedTotalCad, priced.get(s.key), asked.length)))));
  const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Prices line by line, scrolls sideways" }, table);
  show(byId("lines-table"), stores.length === 0 ? h("p", {}, "No chain was compared.") : scroll);
  byId("lines").dataset.state = "shown";
}

// leastOf returns the lowest amounts by item, for items that some chain sells for more.
function leastOf(lines) {
  const least = new Map();
  for (const [id, list] of Map.groupBy(lines.filter((l) => l.reason === null), (l) => l.itemId)) {
    const amounts = list.map((l) => l.lineTotalCad);
    if (Math.min(...amounts) < Math.max(...amounts)) least.set(id, Math.min(...amounts));
  }
  return least;
}

function rowHead(line, item) {
  const quantity = Math.round(line.quantity * 100);
  return h("th", { scope: "row" }, h("span", { class: "item-name" }, item?.name ?? `item ${line.itemId}`),
    h("span", { class: "item-amount" }, item ? amountWords(item, quantity) : quantityText(quantity)));
}

function cell(line, least) {
  const at = { "data-store": line.storeKey, "data-item": line.itemId };
  if (line.reason !== null) {
    return h("td", { ...at, class: "missing", "data-reason": line.reason },
      h("span", { class: "amount" }, h("span", { "aria-hidden": "true" }, none), h("span", { class: "sr" }, "No price: ")), h("span", { class: "why" }, missingWords(line)));
  }
  const lowest = least.get(line.itemId) === line.lineTotalCad;
  return h("td", { ...at, "data-lowest": lowest && "" },
    h("span", { class: "amount" }, dollars(line.lineTotalCad)),
    h("span", { class: "details" }, lowest && h("span", { class: "tag" }, "lowest"), listing(line), sale(line), h("time", { datetime: line.observedAt }, seenWords(line))));
}

// sale says that the price is one of a sale, or that there is one that not everybody
// gets, which is not counted.
function sale(line) {
  if (line.conditional) return h("span", { class: "condition" }, line.onSale ? "sale with a condition, counted" : "sale with a condition, not counted");
  return line.onSale && h("span", { class: "tag" }, "Sale");
}

// listing names what was priced.
function listing(line) {
  return [h("span", {}, [line.title, line.brand, line.packageSize].filter((text) => text !== null).join(", ")),
    line.wideSpread && [h("span", { class: "tag warn" }, "Check the product"), h("span", {}, "unit prices of its kind here spread over 2 to 1")]];
}

// total is muted for a part of the list, and says of how much of it it is.
function total(store, amount, priced, asked) {
  const whole = store.completeRequestedList;
  return h("td", { "data-store": store.key, "data-complete": String(whole), class: !whole && "subtotal" },
    h("span", { class: "amount" }, dollars(amount)),
    h("span", { class: "details" }, whole ? `all ${plural(asked, "item")}` : `${priced} of ${plural(asked, "item")} only`));
}
