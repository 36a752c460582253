// What was priced, line by line, and what a second stop is worth: the list bought at two chains.

import { byId, h, show } from "../dom.js";
import { dollars, none } from "../format.js";
import { t, tx } from "../lang.js";
import { amountWords } from "./quantity.js";
import { listWords, missingWords, nameOf, quoted, seenWords } from "./words.js";

// wide says whether folds are open at first: on a phone they would be a long way down.
const wide = () => matchMedia("(min-width: 56rem)").matches;

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
        told.map((l) => h("span", { class: "item-title" }, t("{chain}, {price}:", { chain: names.get(l.storeKey), price: dollars(l.lineTotal) }), " ", listing(l)))),
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
function byUnit({ unit, price: amount }) {
  const price = dollars(amount);
  const words = { unit: t("{price} each", { price }), L: t("{price}/L", { price }), kg: t("{price}/kg", { price }) };
  return h("span", { class: "price" }, words[unit]);
}

const lowestBy = { kg: t("lowest per kg"), L: t("lowest per litre"), unit: t("lowest per piece") };

function offer(line, name, otherSize) {
  const missing = line.reason !== null;
  return h("li", { "data-store": line.storeKey, "data-item": line.itemId, "data-reason": line.reason, "data-lowest": line.lowest && "" },
    h("span", { class: "offer-name" }, name, " ", line.lowest && h("span", { class: "tag" }, lowestBy[line.unit])),
    h("span", { class: "amount num" }, missing ? [h("span", { "aria-hidden": "true" }, none), h("span", { class: "sr" }, t("No price:"), " ")] : dollars(line.lineTotal)), " ",
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

let current = null;

// showSplit shows the split of an answer.
export function showSplit(answer, items) {
  const { split } = answer;
  current = split;
  const names = new Map(answer.stores.map((s) => [s.key, s.name]));
  const lines = new Map(answer.lines.map((l) => [`${l.storeKey} ${l.itemId}`, l]));
  byId("split").dataset.status = split.status;
  show(byId("split-words"), words(split, items, pairsWithAll(answer)));
  byId("worth-row").hidden = split.status !== "saves";
  show(byId("close-pairs"), closePairs(split, names));
  byId("close-pairs").hidden = split.closePairs.length === 0;
  show(byId("stops"), split.best === null ? [] : split.best.stops.map((stop, at) => card(stop, at, items, lines)));
  weigh();
}

// weigh sets the saving against the price of a stop, which the slider says. It must be
// more than that, and not too close to the baseline to call (2%).
export function weigh() {
  const slider = byId("worth");
  const worth = Number(slider.value);
  const shown = dollars(worth);
  byId("worth-shown").textContent = shown;
  slider.setAttribute("aria-valuetext", t("a stop costs {price}", { price: shown }));
  const verdict = byId("verdict"), fold = byId("stops-fold");
  verdict.hidden = current?.status !== "saves";
  if (verdict.hidden) {
    verdict.removeAttribute("data-worth");
    fold.hidden = current === null || current.best === null;
    fold.open = wide();
    return;
  }
  // Cents, so that an amount and the slider are compared as they are shown.
  const pays = Math.round(current.best.saving * 100) > Math.round(worth * 100) && !current.baselineIsClose;
  const saving = dollars(current.best.saving);
  verdict.dataset.worth = String(pays);
  fold.hidden = !pays;
  fold.open = pays && wide();
  const amounts = { saving, price: shown };
  if (pays) show(verdict, t("Worth a second stop: it saves {saving}, more than the {price} that a stop costs you.", amounts));
  else if (current.baselineIsClose) show(verdict, t("Not worth a second stop: it saves {saving}, too little to tell it from one stop.", amounts));
  else show(verdict, t("Not worth a second stop: it saves {saving}, no more than the {price} that a stop costs you.", amounts));
}

// pairsWithAll counts the pairs of chains that have a price of every item between
// them: of a single one nothing is the cheapest.
function pairsWithAll({ stores, lines }) {
  const ids = new Set(lines.map((l) => l.itemId));
  const priced = new Set(lines.filter((l) => l.reason === null).map((l) => `${l.storeKey} ${l.itemId}`));
  return stores.flatMap((a, at) => stores.slice(at + 1).filter((b) => [...ids].every((id) => priced.has(`${a.key} ${id}`) || priced.has(`${b.key} ${id}`)))).length;
}

// priceWords says what the list costs at the best pair.
function priceWords({ closePairs }, pairs, args) {
  if (closePairs.length > 0) return tx("Bought at <strong>{pair}</strong>, the whole list costs {total}.", args);
  if (pairs === 1) return tx("Of the chains compared, the only pair with fresh prices for the whole list is <strong>{pair}</strong>: {total}.", args);
  return tx("The cheapest pair of chains for the whole list is <strong>{pair}</strong>: {total}.", args);
}

function words(split, items, pairs) {
  const { baseline, best } = split;
  const pair = best && listWords(best.stops.map((s) => s.name));
  // The lowest total is not named: it is no recommendation, and may be too close to call.
  const args = { pair, total: best && dollars(best.total), saving: best && dollars(best.saving), one: baseline && dollars(baseline.total) };
  const price = best === null ? [] : [priceWords(split, pairs, args), " "];
  switch (split.status) {
    case "saves":
      return [h("p", {}, price, split.baselineIsClose
        ? tx("That saves <strong>{saving}</strong> against the lowest total at one stop ({one}); so little that one stop and two cost about the same.", args)
        : tx("That saves <strong>{saving}</strong> against the lowest total at one stop ({one}).", args))];
    case "covers_list":
      return [h("p", {}, pairs === 1 ? t("No chain alone has fresh prices for the whole list.") : t("No chain alone has fresh prices for the whole list, but two together do."), " ", price)];
    case "no_saving":
      return [h("p", {}, t("At the shelf, a second stop saves nothing: no pair of the chains compared costs less than the lowest total at one stop ({one}).", args))];
    case "one_chain":
      return [h("p", {}, t("Only one chain has a price of anything on the list, so whether a second stop saves anything can\u2019t be said."))];
    case "size_basis_disagrees":
      return [h("p", {}, sizeQuestion(baseline, pairs))];
    case "insufficient_coverage":
      return [h("p", {}, uncovered(split.uncoveredItemIds, items))];
    default:
      return [];
  }
}

// sizeQuestion is what depends on sizes: without a chain that has the whole list
// there is nothing to save on, and with one pair none to choose.
function sizeQuestion(baseline, pairs) {
  if (baseline === null) return t("No chain alone has fresh prices for the whole list. At which two it costs least depends on the size of the packages. So no pair is named.");
  if (pairs === 1) return t("Whether a second stop saves anything depends on the size of the packages. So no pair is named.");
  return t("Whether a second stop saves anything, or at which pair of chains, depends on the size of the packages. So no pair is named.");
}

function uncovered(ids, items) {
  if (ids.length === 0) return t("Each item has a fresh price somewhere, but no two chains have the whole list between them.");
  const named = listWords(ids.map((id) => quoted(nameOf(items, id))), t("or"));
  return t("Two stops don\u2019t get the whole list either: no chain compared has a fresh price of {items}.", { items: named });
}

function closePairs(split, names) {
  const pairs = split.closePairs.map((p) => `${listWords(p.storeKeys.map((k) => names.get(k) ?? k))} (${dollars(p.total)})`);
  return pairs.length === 0 ? "" : t("For about as much: {pairs}. These are too close to be told apart.", { pairs: pairs.join("; ") });
}

// remarks are what to know of a price in the shop: which listing it is, whether it is
// on sale, when it was seen.
function remarks(line) {
  const known = (texts) => texts.filter((text) => text !== null).join("; ");
  const listing = known([line.title, line.packageSize]), rest = known([line.onSale ? t("sale") : null, seenWords(line)]);
  return [h("span", { "data-scraped": "" }, listing), listing === "" ? rest : `; ${rest}`];
}

function card(stop, at, items, lines) {
  const line = (id) => lines.get(`${stop.storeKey} ${id}`);
  return h("section", { class: "stop", "data-store": stop.storeKey, "aria-labelledby": `stop-${at}` },
    h("h3", { id: `stop-${at}` }, h("span", { class: "muted" }, t("Stop {number}:", { number: at + 1 }), " "), stop.name),
    h("ul", {}, stop.itemIds.map((id) => h("li", { "data-item": id },
      h("span", { class: "box", "aria-hidden": "true" }), h("span", { class: "name" }, nameOf(items, id), h("span", { class: "small muted" }, remarks(line(id)))),
      h("span", { class: "unit" }, items.has(id) ? amountWords(items.get(id), Math.round(line(id).quantity * 100)) : ""),
      h("span", { class: "num" }, dollars(line(id).lineTotal))))),
    h("p", { class: "stop-total" }, h("span", {}, t("Total")), h("span", { class: "num" }, dollars(stop.total))));
}
