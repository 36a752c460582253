// What codes and numbers of a comparison are called in plain words.

import { day, dollars } from "../format.js";
import { t } from "../lang.js";

// seenWords says when a price was seen.
export function seenWords(line) {
  return t("seen {day}", { day: day(line.observedAt, true) });
}

// missingWords says why a chain has no price of an item.
export function missingWords(line) {
  switch (line.reason) {
    case "doubtful_match": return t("listed goods may be of another kind");
    case "rejected_match": return t("you left it out");
    case "stale_price": return t("price too old");
    case "expired_promotion": return t("sale is over, no other price");
    case "ambiguous_checkout": return t("sold in another count, can\u2019t be compared");
    case "unsupported_quantity": return t("fixed packs that don\u2019t make up this quantity");
    case "conditional_promotion": return t("only a member or multi-buy price is known");
    case "quality_gate": return t("price in doubt, checks not passed");
    case "no_observation": return t("not seen at this chain here");
    default: return t("no usable price ({reason})", { reason: line.reason });
  }
}

// quoted puts a text into quotation marks.
export function quoted(text) {
  return t("\u201c{title}\u201d", { title: text });
}

// nameOf names an item of the catalog; one that it lacks by its id.
export function nameOf(items, id) {
  return items.get(id)?.name ?? t("item {id}", { id: String(id) });
}

// listWords joins texts: "a", "a and b", "a, b and c".
export function listWords(texts, last = t("and")) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last} ${texts.at(-1)}`;
}

// headline says what came out, in a sentence and another that explains it. A
// chain is named the lowest with the status "lowest" only.
export function headline(body) {
  const { status, storeKeys, closeStoreKeys } = body.recommendation;
  const store = (key) => body.stores.find((s) => s.key === key);
  switch (status) {
    case "lowest": {
      const s = store(storeKeys[0]);
      const complete = body.stores.filter((x) => x.completeRequestedList).length;
      return [t("{chain} is the lowest of the {complete} chains (of {all}) that have everything: {total}", { chain: s.name, complete, all: body.stores.length, total: dollars(s.totalCad) }), ""];
    }
    case "too_close_to_call":
      return [t("Too close to call: {chains} cost about the same", { chains: listWords(closeStoreKeys.map((k) => store(k).name)) }), ""];
    case "size_basis_disagrees":
      return [t("It depends on the size of the packages"), t("The chain with the lowest total at the shelf is not the one with the lowest total at standard sizes, so none is named.")];
    case "insufficient_coverage":
      return [t("No answer for the whole list"), t("Fewer than two chains have fresh prices for all of it ({n} items). Totals of a part of the list can\u2019t be set against each other.", { n: body.requestedItemIds.length })];
    default:
      return [t("No recommendation"), ""];
  }
}
