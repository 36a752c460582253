// Which chains a city has. The catalog doesn't say; comparisons of all chains do.

import { Refusal } from "../ask.js";
import { chainsOf } from "./compare.js";
import { firstQuantity, ruleOf } from "./quantity.js";

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
