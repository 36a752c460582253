// Asking the server for comparisons. Lists go in the body, never in an address.

import { ask } from "../ask.js";
import { answerOf, variantsOf } from "./fits.js";
import { rejectsOf, requestOf } from "./state.js";

const mostRejects = 50;

// compareList asks for a comparison with its lines, hints and split. A listing that the
// shopper's answers leave out is left out of the next one, until none is left to leave out:
// they are the left of what is returned. It throws a Refusal.
export async function compareList(state, signal) {
  const reject = rejectsOf(state), left = [];
  for (;;) {
    const query = new URLSearchParams();
    if (state.accept !== "") query.set("accept", state.accept);
    if (reject.length > 0) query.set("reject", reject.map((x) => `${x.id}@${x.store}`));
    const body = await ask(`/shopper/lines${query.size > 0 ? "?" : ""}${query}`, { method: "POST", body: requestOf(state), signal });
    const refused = variantsOf(body).filter((line) => answerOf(line) === false).slice(0, mostRejects - reject.length);
    if (refused.length === 0) return { ...body, left };
    left.push(...refused);
    reject.push(...refused.map((line) => ({ id: line.itemId, store: line.storeKey })));
  }
}

// withLines gives an answer for a list a line for every chain and item: what was priced, with
// its price by the unit, or the reason why there is no price.
export function withLines(answer, list) {
  const quantities = new Map(list.map((x) => [x.id, x.quantity / 100]));
  const reasons = new Map(answer.exclusions.map((x) => [`${x.storeKey} ${x.itemId}`, x.reason]));
  const units = new Map(answer.unitPrices?.map((x) => [`${x.storeKey} ${x.itemId}`, x]));
  const lines = answer.stores.flatMap((s) => answer.requestedItemIds.map((itemId) => ({
    storeKey: s.key, itemId, quantity: quantities.get(itemId), reason: reasons.get(`${s.key} ${itemId}`) ?? null,
    ...s.lines.find((l) => l.itemId === itemId), ...units.get(`${s.key} ${itemId}`),
  })));
  return { left: [], ...answer, lines };
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
