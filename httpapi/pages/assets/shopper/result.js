// What came out of a comparison: the recommendation in words, and the totals at a
// glance.

import { byId, h, show } from "../dom.js";
import { day, dollars, plural } from "../format.js";
import { caveatWords, headline, listWords, sentencesOf } from "./words.js";

// showResult shows a comparison. items are those of the catalog by id.
export function showResult(body, items) {
  const { status } = body.recommendation;
  const [title, lead] = headline(body);
  const { reasons, notes } = sentencesOf(body.recommendation.reasons);
  const note = byId("recommendation");
  note.dataset.status = status;
  show(byId("headline"), title);
  show(byId("lead"), lead);
  byId("lead").hidden = lead === "";
  show(byId("reasons"), reasons.map((r) => h("li", { "data-code": r.code }, r.text)));
  show(byId("margin"), notes.join(" "));
  byId("margin").hidden = notes.length === 0;
  show(byId("dates"), `For ${plural(body.requestedItemIds.length, "item")} in ${body.city.name}, ${body.city.province}, evaluated on `,
    h("time", { id: "evaluated", datetime: body.evaluatedOn }, day(body.evaluatedOn)), " (UTC), ", ...span(body.observationSpan), ".");
  show(byId("leftovers"), leftovers(body, items));
  show(byId("caveats"), body.caveats.map((text) => h("li", {}, caveatWords(text))));
  show(byId("glance"), glance(body, items));
}

function span({ oldest, newest }) {
  const when = (date) => h("time", { datetime: date }, day(date));
  if (oldest === null) return ["without any price"];
  return oldest === newest ? ["from prices seen on ", when(newest)] : ["from prices seen between ", when(oldest), " and ", when(newest)];
}

// leftovers says what is in the question and not in the answer.
function leftovers(body, items) {
  const named = (ids) => listWords(ids.map((id) => `\u201c${items.get(id)?.name ?? `item ${id}`}\u201d`));
  const excluded = body.excludedStores;
  const counted = body.stores.flatMap((s) => {
    const ids = s.lines.filter((l) => l.conditional && l.onSale).map((l) => l.itemId);
    return ids.length === 0 ? [] : [`${s.name} for ${named(ids)}`];
  });
  const told = body.recommendation.reasons.some((r) => r.startsWith("untracked_items:"));
  const untracked = told ? [] : body.untrackedItemIds;
  return [
    counted.length > 0 && h("p", { id: "counted" }, `Sales with a card or in multiples are counted at ${listWords(counted)}.`),
    untracked.length > 0 && h("p", {}, `None of the chains compared lists ${named(untracked)}.`),
    excluded.length > 0 && h("p", {}, `Not compared: ${listWords(excluded.map((s) => s.name))}. It is not certain that `,
      excluded.length === 1 ? "its prices are of a store" : "their prices are of stores", ` in ${body.city.name}.`),
  ];
}

// glance shows a card for each chain. Totals of the whole list have bars, which begin
// at zero, and their difference to the lowest. Subtotals have neither, for they are of
// other lists, but what the chain lacks.
function glance(body, items) {
  const whole = body.stores.filter((s) => s.completeRequestedList);
  const part = body.stores.filter((s) => !s.completeRequestedList);
  const group = (title, list, ...rest) => list.length > 0 && h("div", {}, h("h3", {}, title), ...rest);
  return [
    group("Chains with the whole list", whole, h("ul", { class: "bars" }, whole.map((s) => bar(s, whole, body.recommendation)))),
    group("With a part of it only", part,
      h("p", { class: "small muted" }, "What they lack is not in these amounts, so they are no totals to compare."),
      h("ul", { class: "parts" }, part.map((s) => h("li", { "data-store": s.key, "data-complete": "false" },
        h("span", {}, s.name), h("span", {}, `${s.pricedItemIds.length} of ${plural(body.requestedItemIds.length, "item")}`), h("span", { class: "num" }, dollars(s.totalCad)),
        h("span", { class: "small lacks" }, lacks(s, items)))))),
  ];
}

const lackNames = 2; // how many missing items a card names

function lacks({ missingItemIds }, items) {
  const names = missingItemIds.slice(0, lackNames).map((id) => items.get(id).name);
  const more = missingItemIds.length - names.length;
  return `Lacks ${names.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function bar(store, whole, { storeKeys, closeStoreKeys }) {
  const cents = (s) => Math.round(s.totalCad * 100);
  const most = Math.max(...whole.map(cents)), above = cents(store) - Math.min(...whole.map(cents));
  const fill = h("span", { class: "fill" });
  fill.style.width = `${most > 0 ? (100 * cents(store)) / most : 0}%`;
  const lowest = storeKeys.includes(store.key);
  return h("li", { "data-store": store.key, "data-complete": "true", class: lowest && "named" },
    h("span", { class: "bar-name" }, store.name,
      lowest && h("span", { class: "tag" }, "lowest"), closeStoreKeys.includes(store.key) && h("span", { class: "tag" }, "about the same")),
    h("span", { class: "bar-total num" }, dollars(store.totalCad)),
    h("span", { class: "track", "aria-hidden": "true" }, fill),
    above > 0 && h("span", { class: "small muted bar-more", "data-above": above }, `${dollars(above / 100)} above the lowest`),
    store.sizeAdjustedTotalCad !== store.totalCad && h("span", { class: "small muted bar-more" }, `${dollars(store.sizeAdjustedTotalCad)} at standard sizes`));
}
