// What came out of a comparison: the recommendation, its reasons and caveats in words, and the totals at a glance.

import { cityName } from "../cities.js";
import { byId, h, show } from "../dom.js";
import { day, dollars, number } from "../format.js";
import { locale, t, tx } from "../lang.js";
import { headline, listWords, nameOf, quoted } from "./words.js";

// sentencesOf says the reasons of an answer, as {code, text}, and how close is too close to call. What the headline
// or a question says has no text.
function sentencesOf(body, items) {
  const { reasons } = body.codes, margin = reasons.find((r) => r.margin !== undefined)?.margin;
  return {
    reasons: reasons.map((r) => ({ code: r.code, text: sentence(reasonWords(r, body, items)) })),
    note: margin === undefined ? "" : sentence(t("up to {amount} apart ({percent}, at least {least}) is too close to call", { amount: dollars(margin), percent: percentage("2"), least: dollars(0.05) })),
  };
}

function reasonWords(r, body, items) {
  const { stores } = body, store = (key) => stores.find((s) => s.key === key);
  const of = store(r.storeKey), other = store(r.otherKey);
  const apart = () => ({ amount: dollars(r.apart), percent: percentage(Number(r.percent).toFixed(1)) });
  switch (r.code) {
    case "lowest_complete_total": return t("it is {amount} ({percent}) below {chain}, the next", { ...apart(), chain: other.name });
    case "close_total": return t("{chain} at {total} is {amount} ({percent}) above {lowest} at {least}", { ...apart(), chain: of.name, total: dollars(of.total), lowest: other.name, least: dollars(other.total) });
    case "size_basis_conflict": return [
      t("{chain} at {total} is the lowest total, but at standard sizes it costs {adjusted}, {amount} more than {other} at {least}",
        { chain: of.name, total: dollars(of.total), adjusted: dollars(of.sizeAdjustedTotal), amount: dollars(r.apart), other: other.name, least: dollars(other.sizeAdjustedTotal) }),
      r.itemIds && t("other sizes: {items}", { items: named(r.itemIds, items) }),
    ].filter(Boolean).map(sentence).join(" ");
    case "fewer_than_two_complete_chains": return [
      t("{full} of {n} chains have fresh prices for the whole list", { full: stores.filter((s) => s.completeRequestedList).length, n: stores.length }),
      r.lacks && t("without a usable price: {items}", { items: lacking(r.lacks, items) }),
    ].filter(Boolean).map(sentence).join(" ");
    case "untracked_items": return t("none of the chains compared lists {items}", { items: named(r.itemIds, items) });
    case "unsupported_quantity": return t("some chains sell only fixed packs, of which the quantity asked for is no multiple, of {items}", { items: named(r.itemIds, items) });
    default: return "";
  }
}

// caveatWords says a caveat.
function caveatWords(c, body, items) {
  const counted = () => ({ items: c.lines.map((x) => `${body.stores.find((s) => s.key === x.storeKey).name}: ${named(x.itemIds, items)}`).join("; ") });
  switch (c.code) {
    case "invented_prices": return t("These prices are invented: this is synthetic data, and no real shop charges them.");
    case "stock_not_promised": return t("Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised.");
    case "conditional_sales_not_counted": return t("A sale that needs a membership or several packages is not counted: items with such a price stand at their regular price.");
    case "other_conditions_not_counted": return t("A sale with another condition than those asked for is not counted: items with such a price stand at their regular price.");
    case "other_sizes": return t("Some items come in packages of another size than the standard one: the total is what these packages cost, the total at standard sizes what the standard size would cost at the same rate.");
    default: return c.condition === "member"
      ? t("Counted at a sale price that needs a membership, as asked: {items}.", counted())
      : t("Counted at a sale price that needs several packages, as asked: {items}.", counted());
  }
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) || text === "" ? "" : "."}`;
}

const percentage = (text) => `${number(text)}${locale.startsWith("fr") ? "\u00a0" : ""}%`;

const named = (ids, items) => listWords(ids.map((id) => quoted(nameOf(items, id))));

const most = 8; // items that a reason names

function lacking(lacks, items) {
  const each = lacks.slice(0, most).map((x) => t("{item} (at {n} chains)", { item: quoted(nameOf(items, x.itemId)), n: x.chains }));
  return lacks.length <= most ? listWords(each) : t("{items} and {more} more", { items: each.join(", "), more: lacks.length - most });
}

// showHeadline says what came out of a comparison, for a list with other lines besides.
export function showHeadline(body, others) {
  const [title, lead] = headline(body, others);
  show(byId("headline"), title);
  show(byId("lead"), lead);
  byId("lead").hidden = lead === "";
}

// showResult shows the rest of a comparison. items are those of the catalog by id.
export function showResult(body, items) {
  const { reasons, note } = sentencesOf(body, items);
  byId("recommendation").dataset.status = body.recommendation.status;
  show(byId("reasons"), reasons.filter((r) => r.code !== "variant_lines").map((r) => h("li", { "data-code": r.code }, r.text)));
  show(byId("margin"), note);
  byId("margin").hidden = note === "";
  show(byId("dates"), dates(body));
  show(byId("leftovers"), leftovers(body, items));
  show(byId("caveats"), body.codes.caveats.map((c) => h("li", {}, caveatWords(c, body, items))));
  show(byId("glance"), glance(body, items));
}

// dates says for what and when the answer is, and of when its prices are.
function dates({ requestedItemIds, city, evaluatedOn, observationSpan: { oldest, newest } }) {
  const when = (date) => h("time", { datetime: date }, day(date));
  const args = {
    n: requestedItemIds.length, city: city.province ? t("{city}, {province}", { city: cityName(city.name), province: city.province }) : cityName(city.name),
    day: h("time", { id: "evaluated", datetime: evaluatedOn }, day(evaluatedOn)), oldest: when(oldest), newest: when(newest),
  };
  if (oldest === null) return tx("For {n} items in {city}, evaluated on {day} (UTC), without any price.", args);
  if (oldest === newest) return tx("For {n} items in {city}, evaluated on {day} (UTC), from prices seen on {newest}.", args);
  return tx("For {n} items in {city}, evaluated on {day} (UTC), from prices seen between {oldest} and {newest}.", args);
}

// leftovers says what is in the question and not in the answer.
function leftovers(body, items) {
  const named = (ids) => listWords(ids.map((id) => quoted(nameOf(items, id))));
  const excluded = body.excludedStores;
  const counted = body.stores.flatMap((s) => {
    const ids = s.lines.filter((l) => l.conditional && l.onSale).map((l) => l.itemId);
    return ids.length === 0 ? [] : [t("{chain} for {items}", { chain: s.name, items: named(ids) })];
  });
  const told = body.codes.reasons.some((r) => r.code === "untracked_items");
  const untracked = told ? [] : body.untrackedItemIds;
  return [
    counted.length > 0 && h("p", { id: "counted" }, t("Sales with a card or in multiples are counted at {chains}.", { chains: listWords(counted) })),
    untracked.length > 0 && h("p", {}, t("None of the chains compared lists {items}.", { items: named(untracked) })),
    excluded.length > 0 && h("p", {}, t("Not compared: {chains}. It is not certain that these {n} chains\u2019 prices are of stores in {city}.", {
      n: excluded.length, chains: listWords(excluded.map((s) => s.name)), city: cityName(body.city.name),
    })),
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
    group(t("Chains with the whole list"), whole, h("ul", { class: "bars" }, whole.map((s) => bar(s, whole, body.recommendation)))),
    group(t("With a part of it only"), part,
      h("p", { class: "small muted" }, t("What they lack is not in these amounts, so they are no totals to compare.")),
      h("ul", { class: "parts" }, part.map((s) => h("li", { "data-store": s.key, "data-complete": "false" },
        h("span", {}, s.name), h("span", {}, t("{priced} of {n} items", { priced: s.pricedItemIds.length, n: body.requestedItemIds.length })), h("span", { class: "num" }, dollars(s.total)),
        h("span", { class: "small lacks" }, lacks(s, items)))))),
  ];
}

const lackNames = 2; // how many missing items a card names

function lacks({ missingItemIds }, items) {
  const names = missingItemIds.slice(0, lackNames).map((id) => items.get(id).name);
  const more = missingItemIds.length - names.length;
  const lacking = names.join("; ");
  return more > 0 ? t("Lacks {items}; and {more} more", { items: lacking, more }) : t("Lacks {items}", { items: lacking });
}

function bar(store, whole, { storeKeys, closeStoreKeys }) {
  const cents = (s) => Math.round(s.total * 100);
  const most = Math.max(...whole.map(cents)), above = cents(store) - Math.min(...whole.map(cents));
  const fill = h("span", { class: "fill" });
  fill.style.width = `${most > 0 ? (100 * cents(store)) / most : 0}%`;
  const lowest = storeKeys.includes(store.key);
  return h("li", { "data-store": store.key, "data-complete": "true", class: lowest && "named" },
    h("span", { class: "bar-name" }, store.name,
      lowest && h("span", { class: "tag" }, t("lowest")), closeStoreKeys.includes(store.key) && h("span", { class: "tag" }, t("about the same"))),
    h("span", { class: "bar-total num" }, dollars(store.total)),
    h("span", { class: "track", "aria-hidden": "true" }, fill),
    above > 0 && h("span", { class: "small muted bar-more", "data-above": above }, t("{amount} above the lowest", { amount: dollars(above / 100) })),
    store.sizeAdjustedTotal !== store.total && h("span", { class: "small muted bar-more" }, t("{amount} at standard sizes", { amount: dollars(store.sizeAdjustedTotal) })));
}
