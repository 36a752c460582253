// Asking the server: the documented comparison first, which alone recommends;
// then the lines behind it. Both go in the body, never in an address.

import { Refusal, ask } from "../ask.js";
import { requestOf } from "./state.js";

const pathCompare = "/api/shopper/compare";
const pathLines = "/shopper/lines";

// compareList asks for a comparison and its lines, and shows each as it comes:
// onBody gets the comparison; onLines the lines, or null and why there are none
// ("differs": between the two the prices were replaced, and again the second
// time; or the Refusal). It throws the Refusal of the comparison.
export async function compareList(state, signal, { onBody, onLines }) {
  const request = { method: "POST", body: requestOf(state), signal };
  for (let attempt = 1; ; attempt++) {
    let lines, body = null;
    try {
      body = await ask(pathCompare, request);
      onBody(body);
      lines = withLines(await ask(pathLines, request), state);
    } catch (error) {
      if (!(error instanceof Refusal) || (attempt === 1 && body === null)) throw error;
      return onLines(null, error);
    }
    if (agree(body, lines)) return onLines(lines, null);
    if (attempt === 2) return onLines(null, "differs");
  }
}

// withLines gives an answer a line for every chain and item: what was priced, or the
// reason why there is no price.
function withLines(answer, state) {
  const quantities = new Map(state.items.map((x) => [x.id, x.quantity / 100]));
  const reasons = new Map(answer.exclusions.map((x) => [`${x.storeKey} ${x.itemId}`, x.reason]));
  const lines = answer.stores.flatMap((s) => answer.requestedItemIds.map((itemId) => ({
    storeKey: s.key, itemId, quantity: quantities.get(itemId), reason: reasons.get(`${s.key} ${itemId}`) ?? null,
    ...s.lines.find((l) => l.itemId === itemId),
  })));
  return { ...answer, lines };
}

// agree says whether two answers are of the same prices: a snapshot may have been
// put in place between them.
function agree(body, lines) {
  const of = (x) => JSON.stringify([x.city.slug, x.evaluatedOn,
    x.stores.map((s) => [s.key, s.totalCad, s.sizeAdjustedTotalCad, s.completeRequestedList])]);
  return of(body) === of(lines);
}

// chainsOf asks which chains a city has. Only a comparison says so; the one asked
// for has one item of the catalog, which says nothing of the shopper's list.
export async function chainsOf(city, item, quantity) {
  return chainsIn(await ask(pathCompare, { method: "POST", body: requestOf({ city, items: [{ id: item.id, quantity }], stores: null }) }));
}

// chainsIn returns the keys of the chains that a comparison of all chains had.
export function chainsIn(body) {
  return [...body.stores, ...body.excludedStores].map((s) => s.key);
}
