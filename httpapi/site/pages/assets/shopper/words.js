// Names of the catalog and words for a comparison, in the language of the page.

import { own } from "../categories.js";
import { cityName } from "../cities.js";
import { day, dollars } from "../format.js";
import { locale, t } from "../lang.js";

const french = locale.startsWith("fr");

// otherTongue is the language of an item's second name, which nameFr holds.
export const otherTongue = french ? "en" : "fr";

// inLanguage returns a catalog with its names in the page's language. In French an item's
// nameFr is its English name.
export function inLanguage(catalog) {
  if (!french) return catalog;
  return {
    ...catalog,
    items: catalog.items.map((x) => (x.nameFr ? { ...x, name: x.nameFr, nameFr: x.name } : x)),
    cities: catalog.cities.map((c) => ({ ...c, name: cityName(c.name) })),
  };
}

// categoryName names a category of the catalog; one that is new here by its key.
export function categoryName(key) {
  const spaced = key.replaceAll("_", " ");
  return own?.get(key) ?? categories[key] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const categories = {
  produce_fruit: t("Fruit"), produce_veg: t("Vegetables"), dairy: t("Dairy and eggs"), meat: t("Meat, fish, tofu"), bakery: t("Bakery"),
  pantry: t("Pantry"), frozen: t("Frozen"), beverages: t("Drinks"), household: t("Household"),
};

// seenWords says when a price was seen.
export const seenWords = (line) => t("seen {day}", { day: day(line.observedAt, true) });

// missingWords says why a chain has no price of an item.
export function missingWords(line) {
  switch (line.reason) {
    case "doubtful_match": return t("listed goods may be of another kind");
    case "variant_match": return t("only a variant is sold here");
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
export const quoted = (text) => t("\u201c{title}\u201d", { title: text });

// nameOf names an item of the catalog; one that it lacks by its id.
export const nameOf = (items, id) => items.get(id)?.name ?? t("item {id}", { id: String(id) });

// listWords joins texts: "a", "a and b", "a, b and c".
export function listWords(texts, last) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last ?? t("and")} ${texts.at(-1)}`;
}

// headline says what came out, in a sentence and another that explains it. A chain is named
// the lowest with the status "lowest" only. others counts the lines of the person's list that are
// in no request: with them, it says of how many lines it is.
export function headline(body, others) {
  const { recommendation: { status, storeKeys, closeStoreKeys }, requestedItemIds: { length: part } } = body;
  const complete = body.stores.filter((s) => s.completeRequestedList);
  const names = (keys) => listWords(keys.map((key) => body.stores.find((s) => s.key === key).name));
  const n = part + others;
  // told says a verdict on the whole list, or on a part of it.
  const told = (whole, ofPart) => (part === n ? whole : t("{part} of your {n} lines: {verdict}", { part, n, verdict: ofPart }));
  let verdict, lead = "";
  if (status === "lowest") {
    const args = { chain: names(storeKeys), complete: complete.length, all: body.stores.length, part, n, total: dollars(complete[0].total) };
    if (part === n) verdict = t("{chain} is the lowest of the {complete} chains (of {all}) that have everything: {total}", args);
    else {
      verdict = t("Cheapest for {part} of your {n} lines: {chain}, {total}", args);
      lead = t("It is the lowest of the {complete} chains (of {all}) that have fresh prices of these.", args);
    }
  } else if (status === "too_close_to_call") {
    const args = { chains: names(closeStoreKeys) };
    verdict = told(t("Too close to call: {chains} cost about the same", args), t("{chains} cost about the same, too close to call", args));
  } else if (status === "size_basis_disagrees") {
    verdict = told(t("It depends on the size of the packages"), t("it depends on the size of the packages"));
    lead = t("The chain with the lowest total at the shelf is not the one with the lowest total at standard sizes, so none is named.");
  } else if (complete.length === 1) {
    const args = { chain: complete[0].name, total: dollars(complete[0].total) };
    verdict = told(t("Only {chain} has fresh prices for the whole list: {total}", args), t("only {chain} has fresh prices, {total}", args));
    lead = t("No other chain has them all, so none is named the lowest.");
  } else {
    verdict = told(t("No answer for the whole list"), t("no answer"));
    lead = t("Fewer than two chains have fresh prices for all of it ({n} items). Totals of a part of the list can\u2019t be set against each other.", { n: part });
  }
  return [verdict, lead];
}
