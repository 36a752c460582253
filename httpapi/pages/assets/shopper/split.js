// What a second stop is worth: the list bought at two chains, against what the
// shopper says that a stop is worth. All amounts are the server's.

import { byId, h, show } from "../dom.js";
import { dollars } from "../format.js";
import { wide } from "./lines.js";
import { amountWords } from "./quantity.js";
import { listWords, seenWords } from "./words.js";

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
  slider.setAttribute("aria-valuetext", `a stop costs ${shown}`);
  const verdict = byId("verdict"), fold = byId("stops-fold");
  verdict.hidden = current?.status !== "saves";
  if (verdict.hidden) {
    verdict.removeAttribute("data-worth");
    fold.hidden = current === null || current.best === null;
    fold.open = wide();
    return;
  }
  // Cents, so that an amount and the slider are compared as they are shown.
  const pays = Math.round(current.best.savingCad * 100) > Math.round(worth * 100) && !current.baselineIsClose;
  const saving = dollars(current.best.savingCad);
  verdict.dataset.worth = String(pays);
  fold.hidden = !pays;
  fold.open = pays && wide();
  const why = current.baselineIsClose ? "too little to tell it from one stop" : `no more than the ${shown} that a stop costs you`;
  show(verdict, pays ? `Worth a second stop: it saves ${saving}, more than the ${shown} that a stop costs you.` : `Not worth a second stop: it saves ${saving}, ${why}.`);
}

// pairsWithAll counts the pairs of chains that have a price of every item between
// them: of a single one nothing is the cheapest.
function pairsWithAll({ stores, lines }) {
  const ids = new Set(lines.map((l) => l.itemId));
  const priced = new Set(lines.filter((l) => l.reason === null).map((l) => `${l.storeKey} ${l.itemId}`));
  return stores.flatMap((a, at) => stores.slice(at + 1).filter((b) => [...ids].every((id) => priced.has(`${a.key} ${id}`) || priced.has(`${b.key} ${id}`)))).length;
}

function words(split, items, pairs) {
  const { baseline, best } = split;
  const pair = best && listWords(best.stops.map((s) => s.name));
  // Not named: the lowest total is no recommendation, and may be too close to call.
  const one = baseline && `the lowest total at one stop (${dollars(baseline.totalCad)})`;
  const price = split.closePairs.length > 0
    ? ["Bought at ", h("strong", {}, pair), `, the whole list costs ${dollars(best.totalCad)}. `]
    : best && [pairs === 1 ? "Of the chains compared, the only pair with fresh prices for the whole list is " : "The cheapest pair of chains for the whole list is ", h("strong", {}, pair), `: ${dollars(best.totalCad)}. `];
  switch (split.status) {
    case "saves":
      return [h("p", {}, price, "That saves ", h("strong", {}, dollars(best.savingCad)), ` against ${one}${split.baselineIsClose ? "; so little that one stop and two cost about the same" : ""}.`)];
    case "covers_list":
      return [h("p", {}, `No chain alone has fresh prices for the whole list${pairs === 1 ? "" : ", but two together do"}. `, price)];
    case "no_saving":
      return [h("p", {}, `At the shelf, a second stop saves nothing: no pair of the chains compared costs less than ${one}.`)];
    case "one_chain":
      return [h("p", {}, "Only one chain has a price of anything on the list, so whether a second stop saves anything can\u2019t be said.")];
    case "size_basis_disagrees":
      return [h("p", {}, `${sizeQuestion(baseline, pairs)} depends on the size of the packages. So no pair is named.`)];
    case "insufficient_coverage":
      return [h("p", {}, uncovered(split.uncoveredItemIds, items))];
    default:
      return [];
  }
}

// sizeQuestion is what depends on sizes: without a chain that has the whole list
// there is nothing to save on, and with one pair none to choose.
function sizeQuestion(baseline, pairs) {
  if (baseline === null) return "No chain alone has fresh prices for the whole list. At which two it costs least";
  return pairs === 1 ? "Whether a second stop saves anything" : "Whether a second stop saves anything, or at which pair of chains,";
}

function uncovered(ids, items) {
  if (ids.length === 0) return "Each item has a fresh price somewhere, but no two chains have the whole list between them.";
  const named = listWords(ids.map((id) => `\u201c${items.get(id)?.name ?? `item ${id}`}\u201d`), "or");
  return `Two stops don\u2019t get the whole list either: no chain compared has a fresh price of ${named}.`;
}

function closePairs(split, names) {
  const pairs = split.closePairs.map((p) => `${listWords(p.storeKeys.map((k) => names.get(k) ?? k))} (${dollars(p.totalCad)})`);
  return pairs.length === 0 ? "" : `For about as much: ${pairs.join("; ")}. These are too close to be told apart.`;
}

// remarks are what to know of a price in the shop: which listing it is, whether it is
// on sale, when it was seen.
function remarks(line) {
  return [line.title, line.packageSize, line.onSale ? "sale" : null, seenWords(line)].filter((text) => text !== null).join("; ");
}

function card(stop, at, items, lines) {
  const line = (id) => lines.get(`${stop.storeKey} ${id}`);
  return h("section", { class: "stop", "data-store": stop.storeKey, "aria-labelledby": `stop-${at}` },
    h("h3", { id: `stop-${at}` }, h("span", { class: "muted" }, `Stop ${at + 1}: `), stop.name),
    h("ul", {}, stop.itemIds.map((id) => h("li", { "data-item": id },
      h("span", { class: "box", "aria-hidden": "true" }), h("span", { class: "name" }, items.get(id)?.name ?? `item ${id}`, h("span", { class: "small muted" }, remarks(line(id)))),
      h("span", { class: "unit" }, items.has(id) ? amountWords(items.get(id), Math.round(line(id).quantity * 100)) : ""),
      h("span", { class: "num" }, dollars(line(id).lineTotalCad))))),
    h("p", { class: "stop-total" }, h("span", {}, "Total"), h("span", { class: "num" }, dollars(stop.totalCad))));
}
