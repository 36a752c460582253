// Asking the server for comparisons. Lists go in the body, never in an address.

import { ask, Refusal } from "../ask.js";
import { answerOf, askedOf, variantsOf } from "./fits.js";
import { firstQuantity, ruleOf } from "./quantity.js";
import { requestOf } from "./state.js";

const mostChoices = 200; // of accept, and of reject

// compareList asks for a comparison with its lines, hints and split. What the shopper's answers
// accept or leave out is sent with the next one, until no answer is left to send: those left out are
// the left of what is returned. It throws a Refusal.
export async function compareList(state, signal) {
  const request = { accept: [], reject: [], ...requestOf(state) }, left = [];
  for (;;) {
    const body = await ask("/shopper/lines", { method: "POST", body: request, signal });
    const room = (list, lines) => lines.slice(0, mostChoices - list.length);
    const refused = room(request.reject, variantsOf(body).filter((line) => answerOf(line) === false));
    const accepted = room(request.accept, askedOf(body).filter(answerOf));
    if (refused.length + accepted.length === 0) return { ...body, left };
    left.push(...refused);
    request.reject = [...request.reject, ...refused.map((line) => `${line.itemId}@${line.storeKey}`)];
    request.accept = [...request.accept, ...accepted.map((line) => `${line.itemId}@${line.storeKey}`)];
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
async function chainsOf(city, item, quantity) {
  return chainsIn(await ask("/api/shopper/compare", { method: "POST", body: requestOf({ city, items: [{ id: item.id, quantity }], stores: null }) }));
}

// chainsIn returns the keys of the chains that a comparison of all chains had.
export const chainsIn = (body) => [...body.stores, ...body.excludedStores].map((s) => s.key);

// knownChains remembers them for as long as the page is open. item is any of the
// catalog, to ask with.
export function knownChains(item) {
  const known = new Map(), asking = new Map();
  const take = (city, keys) => {
    known.set(city, keys);
    return keys;
  };
  const of = (city) => known.get(city) ?? null;
  // learn returns them when they are known, and asks for them if need be; null:
  // they can't be had now. Then all chains stay on offer, and a comparison says
  // which has no store.
  const learn = async (city) => {
    if (city === "" || known.has(city)) return of(city);
    if (!asking.has(city)) asking.set(city, chainsOf(city, item, firstQuantity(ruleOf(item))));
    try {
      return take(city, await asking.get(city));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    } finally {
      asking.delete(city);
    }
  };
  return { of, take, learn };
}
