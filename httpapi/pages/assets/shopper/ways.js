// Ways out of an answer that helps little: buttons that make another list, and
// compare it. The server's hints say which.

import { h, show } from "../dom.js";
import { plural } from "../format.js";
import { amountWords } from "./quantity.js";
import { listWords } from "./words.js";

// showWays shows the buttons. make gets a function from the items of a list to those
// of the other one.
export function showWays(element, { hints, requestedItemIds }, items, make) {
  const button = (way, change, ...text) => h("button", { type: "button", "data-way": way, onclick: () => make(change) }, text);
  const { withoutItems, quantityFits } = hints;
  const without = withoutItems?.itemIds ?? [];
  const names = listWords(without.map((id) => `\u201c${items.get(id).name}\u201d`));
  const fits = quantityFits.flatMap(({ itemId, fits }) => fits.map(({ quantity }) => {
    const hundredths = Math.round(quantity * 100);
    const change = (list) => list.map((x) => (x.id === itemId ? { id: itemId, quantity: hundredths } : x));
    return button("quantity", change, `Make it ${amountWords(items.get(itemId), hundredths)} of \u201c${items.get(itemId).name}\u201d`);
  }));
  show(element,
    without.length > 0 && button("without", (list) => list.filter((x) => !without.includes(x.id)),
      `Compare the other ${plural(requestedItemIds.length - without.length, "item")}, without ${names}`),
    fits);
  element.hidden = element.childElementCount === 0;
}
