// Asking the server for comparisons. Lists go in the body, never in an address.

import { ask } from "../ask.js";
import { requestOf } from "./state.js";

// compareList asks for a comparison with its lines, hints and split, in one request.
// It throws a Refusal.
export function compareList(state, signal) {
  return ask("/shopper/lines", { method: "POST", body: requestOf(state), signal });
}

// withLines gives an answer for a list a line for every chain and item: what was priced,
// or the reason why there is no price.
export function withLines(answer, list) {
  const quantities = new Map(list.map((x) => [x.id, x.quantity / 100]));
  const reasons = new Map(answer.exclusions.map((x) => [`${x.storeKey} ${x.itemId}`, x.reason]));
  const lines = answer.stores.flatMap((s) => answer.requestedItemIds.map((itemId) => ({
    storeKey: s.key, itemId, quantity: quantities.get(itemId), reason: reasons.get(`${s.key} ${itemId}`) ?? null,
    ...s.lines.find((l) => l.itemId === itemId),
  })));
  return { ...answer, lines };
}

// chainsOf asks which chains a city has. Only a comparison says so; the one asked
// for has one item of the catalog, which says nothing of the shopper's list.
export async function chainsOf(city, item, quantity) {
  return chainsIn(await ask("/api/shopper/compare", { method: "POST", body: requestOf({ city, items: [{ id: item.id, quantity }], stores: null }) }));
}

// chainsIn returns the keys of the chains that a comparison of all chains had.
export function chainsIn(body) {
  return [...body.stores, ...body.excludedStores].map((s) => s.key);
}
