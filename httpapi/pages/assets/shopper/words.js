// What codes and numbers of a comparison are called in plain words.

import { day, dollars, plural } from "../format.js";

// categoryName names a category of the catalog; one that is new here by its key.
export function categoryName(key) {
  const spaced = key.replaceAll("_", " ");
  return categories[key] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const categories = {
  produce_fruit: "Fruit", produce_veg: "Vegetables", dairy: "Dairy and eggs", meat: "Meat, fish, tofu", bakery: "Bakery",
  pantry: "Pantry", frozen: "Frozen", beverages: "Drinks", household: "Household",
};

// seenWords says when a price was seen.
export function seenWords(line) {
  return `seen ${day(line.observedAt, true)}`;
}

// missingWords says why a chain has no price of an item.
export function missingWords(line) {
  switch (line.reason) {
    case "stale_price": return "price too old";
    case "expired_promotion": return "sale is over, no other price";
    case "ambiguous_checkout": return "sold in another count, can\u2019t be compared";
    case "unsupported_quantity": return "fixed packs that don\u2019t make up this quantity";
    case "conditional_promotion": return "only a member or multi-buy price is known";
    case "quality_gate": return "price in doubt, checks not passed";
    case "no_observation": return "not seen at this chain here";
    default: return `no usable price (${line.reason})`;
  }
}

// sentencesOf turns reasons, "code: words; more words", into {code, text} in
// sentences, and what several of them say alike into notes.
export function sentencesOf(reasons) {
  const split = reasons.map((reason) => {
    const at = reason.indexOf(": ");
    const code = at < 0 ? "" : reason.slice(0, at), text = inDollars(reason.slice(at < 0 ? 0 : at + 2));
    return { code, clauses: code === "quantity_fits" ? [text] : text.split("; ") }; // that one is a list
  });
  const said = split.flatMap((x) => x.clauses);
  const isNote = (clause) => clause.endsWith("is too close to call") || said.filter((c) => c === clause).length > 1;
  return {
    reasons: split.map(({ code, clauses }) => ({ code, text: clauses.filter((c) => !isNote(c)).map(sentence).join(" ") })),
    notes: [...new Set(said.filter(isNote))].map(sentence),
  };
}

// inDollars puts the sign of dollars before amounts; it changes no number.
function inDollars(text) {
  return text.replace(/\b(\d+\.\d+) CAD\b/g, "$$$1");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

// caveatWords says a caveat without the names of the body's members.
export function caveatWords(text) {
  return text
    .replace("items in conditionalPromotionItemIds stand", "items with such a price stand")
    .replace("Items in differentSizeItemIds come in packages of another size than the standard one: totalCad is", "Some items come in packages of another size than the standard one: the total is")
    .replace("sizeAdjustedTotalCad what", "the total at standard sizes what");
}

// listWords joins texts: "a", "a and b", "a, b and c".
export function listWords(texts, last = "and") {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last} ${texts.at(-1)}`;
}

// headline says what came out, in a sentence and another that explains it. A
// chain is named the lowest with the status "lowest" only.
export function headline(body) {
  const { status, storeKeys, closeStoreKeys } = body.recommendation;
  const store = (key) => body.stores.find((s) => s.key === key);
  const asked = plural(body.requestedItemIds.length, "item");
  switch (status) {
    case "lowest": {
      const s = store(storeKeys[0]);
      const complete = body.stores.filter((x) => x.completeRequestedList).length;
      return [`${s.name} is the lowest of the ${complete} chains (of ${body.stores.length}) that have everything: ${dollars(s.totalCad)}`, ""];
    }
    case "too_close_to_call":
      return [`Too close to call: ${listWords(closeStoreKeys.map((k) => store(k).name))} cost about the same`, ""];
    case "size_basis_disagrees":
      return ["It depends on the size of the packages", "The chain with the lowest total at the shelf is not the one with the lowest total at standard sizes, so none is named."];
    case "insufficient_coverage":
      return ["No answer for the whole list", `Fewer than two chains have fresh prices for all of it (${asked}). Totals of a part of the list can\u2019t be set against each other.`];
    default:
      return ["No recommendation", ""];
  }
}
