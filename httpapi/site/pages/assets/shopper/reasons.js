// Reasons and caveats in words, of their codes and arguments.

import { dollars, number } from "../format.js";
import { locale, t } from "../lang.js";
import { listWords, nameOf, quoted } from "./words.js";

// sentencesOf says the reasons of an answer, as {code, text}, and how close is too close to call. What the headline
// or a question says has no text.
export function sentencesOf(body, items) {
  const { reasons } = body.codes, margin = reasons.find((r) => r.marginCad !== undefined)?.marginCad;
  return {
    reasons: reasons.map((r) => ({ code: r.code, text: sentence(reasonWords(r, body, items)) })),
    note: margin === undefined ? "" : sentence(t("up to {amount} apart ({percent}, at least {least}) is too close to call", { amount: dollars(margin), percent: percentage("2"), least: dollars(0.05) })),
  };
}

function reasonWords(r, body, items) {
  const { stores } = body, store = (key) => stores.find((s) => s.key === key);
  const of = store(r.storeKey), other = store(r.otherKey);
  const apart = () => ({ amount: dollars(r.apartCad), percent: percentage(Number(r.percent).toFixed(1)) });
  switch (r.code) {
    case "lowest_complete_total": return t("it is {amount} ({percent}) below {chain}, the next", { ...apart(), chain: other.name });
    case "close_total": return t("{chain} at {total} is {amount} ({percent}) above {lowest} at {least}", { ...apart(), chain: of.name, total: dollars(of.totalCad), lowest: other.name, least: dollars(other.totalCad) });
    case "size_basis_conflict": return [
      t("{chain} at {total} is the lowest total, but at standard sizes it costs {adjusted}, {amount} more than {other} at {least}",
        { chain: of.name, total: dollars(of.totalCad), adjusted: dollars(of.sizeAdjustedTotalCad), amount: dollars(r.apartCad), other: other.name, least: dollars(other.sizeAdjustedTotalCad) }),
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
export function caveatWords(c, body, items) {
  const counted = () => ({ items: c.counted.map((x) => `${body.stores.find((s) => s.key === x.storeKey).name}: ${named(x.itemIds, items)}`).join("; ") });
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
