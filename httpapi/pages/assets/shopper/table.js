// The table behind the totals: items by chain, each with its price, how old it is,
// and what is special about it; or why there is none.

import { byId, h, show } from "../dom.js";
import { day, dollars, none, plural } from "../format.js";
import { amountWords, quantityText } from "./quantity.js";
import { ageWords, conditionWords, missingWords } from "./words.js";

// showLines shows the lines of a comparison. items are those of the catalog.
export function showLines(body, answer, items) {
  const asked = answer.lines.filter((l) => l.storeKey === answer.stores[0]?.key);
  const byCell = new Map(answer.lines.map((l) => [`${l.storeKey} ${l.itemId}`, l]));
  const priced = new Map(body.stores.map((s) => [s.key, s.pricedItemIds.length]));
  const stores = answer.stores;
  const table = h("table", {},
    h("caption", {}, "What the quantity on the list costs at each chain. Chains with the whole list come first."),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Item"), stores.map((s) => h("th", { scope: "col", "data-store": s.key }, s.name)))),
    h("tbody", {}, asked.map((line) => h("tr", { "data-item": line.itemId },
      rowHead(line, items.get(line.itemId)), stores.map((s) => cell(byCell.get(`${s.key} ${line.itemId}`)))))),
    h("tfoot", {},
      h("tr", { id: "totals" }, h("th", { scope: "row" }, "Total"), stores.map((s) => total(s, s.totalCad, priced.get(s.key), asked.length))),
      h("tr", { id: "adjusted" }, h("th", { scope: "row" }, "Total at standard sizes"), stores.map((s) => total(s, s.sizeAdjustedTotalCad, priced.get(s.key), asked.length)))));
  const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Prices line by line, scrolls sideways" }, table);
  show(byId("lines-table"), stores.length === 0 ? h("p", {}, "No chain was compared.") : scroll);
  lineState("shown");
}

// lineState says what became of the table: loading, shown, failed, differs.
export function lineState(state, text = "") {
  const section = byId("lines");
  section.dataset.state = state;
  if (state !== "shown") show(byId("lines-table"));
  show(byId("lines-note"), text);
  byId("lines-note").hidden = text === "";
}

function rowHead(line, item) {
  const quantity = Math.round(line.quantity * 100);
  return h("th", { scope: "row" }, h("span", { class: "item-name" }, item?.name ?? `item ${line.itemId}`),
    h("span", { class: "item-amount" }, item ? amountWords(item, quantity) : quantityText(quantity)));
}

function cell(line) {
  const at = { "data-store": line.storeKey, "data-item": line.itemId };
  if (line.reason !== null) {
    return h("td", { ...at, class: "missing", "data-reason": line.reason },
      h("span", { class: "amount" }, h("span", { "aria-hidden": "true" }, none), h("span", { class: "sr" }, "No price: ")), h("span", { class: "why" }, missingWords(line)));
  }
  return h("td", at,
    h("span", { class: "amount" }, dollars(line.totalCad)),
    h("span", { class: "details" }, rate(line), sale(line), condition(line), size(line), h("time", { datetime: line.observedOn }, ageWords(line.ageDays))));
}

// rate says what one costs, where that is not what the line does.
function rate(line) {
  if (line.shelfCad === null) return h("span", {}, `${dollars(line.priceCad)}/kg`);
  return line.quantity !== 1 && h("span", {}, `${dollars(line.shelfCad)} each`);
}

// basis says what a price beside the line's is for: all but the shelf's are for a
// kilogram or the standard size.
function basis(line) {
  if (line.shelfCad === null) return "/kg";
  return line.otherSize ? ` per ${line.standardSize.text}` : "";
}

function sale(line) {
  if (!line.onSale) return null;
  const regular = line.regularPriceCad !== null && line.regularPriceCad > line.priceCad;
  return [h("span", { class: "tag" }, line.saleEndsOn === null ? "Sale" : `Sale to ${day(line.saleEndsOn, true)}`),
    regular && h("span", {}, `regular ${dollars(line.regularPriceCad)}${basis(line)}`)];
}

// condition tells of a sale that not everybody gets, which is not counted.
function condition(line) {
  if (line.condition === null) return null;
  const end = line.saleEndsOn === null ? "" : ` to ${day(line.saleEndsOn, true)}`;
  return h("span", { class: "condition" }, `${conditionWords(line.condition)} ${dollars(line.seenPriceCad)}${basis(line)}${end}, not counted`);
}

function size(line) {
  if (!line.otherSize || line.size === null) return null;
  if (line.shelfCad === null) return h("span", {}, `packs of ${line.size.text.replace(/^~/, "about ")}`);
  return [h("span", { class: "tag warn" }, `${line.size.text}, not ${line.standardSize.text}`),
    h("span", {}, `${dollars(line.sizeAdjustedTotalCad)} at standard size`)];
}

// total is muted for a part of the list, and says of how much of it it is.
function total(store, amount, priced, asked) {
  const whole = store.completeRequestedList;
  return h("td", { "data-store": store.key, "data-complete": String(whole), class: !whole && "subtotal" },
    h("span", { class: "amount" }, dollars(amount)),
    h("span", { class: "details" }, whole ? `all ${plural(asked, "item")}` : `${priced} of ${plural(asked, "item")} only`));
}
