// Changes of the list that are made by hand: each is said, and what takes
// something away can be undone.

import { byId, h, show } from "../dom.js";
import { plural } from "../format.js";
import { amountWords, firstQuantity, ruleOf, stepped } from "./quantity.js";

// edits returns the changes. get returns the state and set takes another one;
// list is the basket, which the focus is moved in.
export function edits({ items, most, get, set, list, say }) {
  const find = (id) => get().items.find((x) => x.id === id);
  const amountOn = (item) => {
    const x = find(item.id);
    return x === undefined ? "" : amountWords(item, x.quantity);
  };
  const setItems = (next) => {
    set({ ...get(), items: next });
    noUndo();
  };
  const setQuantity = (id, quantity) => {
    setItems(get().items.map((x) => (x.id === id ? { id, quantity } : x)));
    say(amountWords(items.get(id), quantity));
  };
  // add puts an item on the list; one that is there gets a step more. A quantity, in
  // hundredths, is set as it is.
  const add = (item, asked) => {
    const rule = ruleOf(item);
    const x = find(item.id);
    if (x === undefined) {
      if (get().items.length === most) return say(`A list has at most ${most} items.`);
      setItems([...get().items, { id: item.id, quantity: asked ?? firstQuantity(rule) }]);
    } else if (asked !== undefined) {
      setQuantity(item.id, asked);
    } else {
      const quantity = stepped(rule, x.quantity, true);
      if (quantity === x.quantity) return say(`${item.name}: ${amountWords(item, quantity)} is the most that can be asked for.`);
      setQuantity(item.id, quantity);
    }
    say(`${item.name}: ${amountOn(item)}. ${plural(get().items.length, "item")} on the list.`);
  };
  const takeOff = (left, text) => {
    const before = get().items;
    setItems(left);
    const undo = h("button", { type: "button", id: "undo" }, "Undo");
    undo.addEventListener("click", () => {
      const back = before.find((x) => find(x.id) === undefined);
      setItems(before);
      list().focusOn(back.id);
      say("It is on the list again.");
    });
    show(byId("undone"), h("span", {}, text), undo);
    byId("undone").hidden = false;
    say(text);
  };
  const remove = (id) => {
    const at = get().items.findIndex((x) => x.id === id);
    takeOff(get().items.filter((x) => x.id !== id), `${items.get(id).name} is off the list.`);
    list().focusBeside(at);
  };
  const clear = () => {
    takeOff([], "The list is cleared.");
    byId("undo").focus();
  };
  return { amountOn, setQuantity, add, remove, clear };
}

// noUndo takes the way back away. It is for the last change only.
export function noUndo() {
  show(byId("undone"));
  byId("undone").hidden = true;
}
