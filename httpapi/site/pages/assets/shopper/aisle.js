// The lists to tick off, one of them open at a time.

import { byId, show, h } from "../dom.js";
import { dollars } from "../format.js";
import { t } from "../lang.js";

const nameOf = (fold) => fold.closest("[data-store]")?.dataset.store ?? "split";

// aisle wires the lists of a result. get returns the state and set takes another one; onOpen is called when one is opened.
export function aisle({ get, set, onOpen }) {
  const result = byId("result");
  result.addEventListener("change", ({ target }) => {
    const done = get().done.filter((x) => x !== target.value);
    set({ ...get(), done: target.checked ? [...done, target.value] : done });
  });
  result.addEventListener("toggle", ({ target }) => { // which does not bubble
    const name = nameOf(target), { at } = get();
    if (target.name !== "chain" || target.open === (at === name)) return;
    if (target.open) set({ ...get(), at: name });
    else if (at === name) set({ ...get(), at: "" });
    if (target.open) onOpen();
  }, true);

  // render shows what is ticked, and what is left to buy.
  return () => {
    const { at, done } = get();
    for (const fold of result.querySelectorAll("details[name=chain]")) fold.open = nameOf(fold) === at;
    for (const list of result.querySelectorAll(".shelf")) {
      const boxes = [...list.querySelectorAll("input")];
      for (const box of boxes) box.checked = done.includes(box.value);
      const open = boxes.filter((box) => !box.checked), left = list.querySelector(".left");
      const cents = open.reduce((sum, box) => sum + Math.round(100 * (box.dataset.price ?? 0)), 0);
      left.hidden = open.length === boxes.length;
      show(left, h("strong", {}, t("Left: {n} lines", { n: open.length })), h("strong", { class: "num" }, dollars(cents / 100)));
    }
  };
}
