// Ways out of an answer that helps little: buttons that make another list, and
// compare it. The server's hints say which.

import { h, show } from "../dom.js";
import { t } from "../lang.js";
import { amountWords } from "./quantity.js";
import { listWords, quoted } from "./words.js";

// showWays shows the buttons. make gets a function from the items of a list to those
// of the other one.
export function showWays(element, { hints, requestedItemIds }, items, make) {
  const button = (way, change, ...text) => h("button", { type: "button", "data-way": way, onclick: () => make(change) }, text);
  const { withoutItems, quantityFits } = hints;
  const without = withoutItems?.itemIds ?? [];
  const names = listWords(without.map((id) => quoted(items.get(id).name)));
  const fits = quantityFits.flatMap(({ itemId, fits }) => fits.map(({ quantity }) => {
    const hundredths = Math.round(quantity * 100);
    const change = (list) => list.map((x) => (x.id === itemId ? { id: itemId, quantity: hundredths } : x));
    return button("quantity", change, t("Make it {amount} of {item}", { amount: amountWords(items.get(itemId), hundredths), item: quoted(items.get(itemId).name) }));
  }));
  show(element,
    without.length > 0 && button("without", (list) => list.filter((x) => !without.includes(x.id)),
      t("Compare the other {n} items, without {items}", { n: requestedItemIds.length - without.length, items: names })),
    fits);
  element.hidden = element.childElementCount === 0;
}
