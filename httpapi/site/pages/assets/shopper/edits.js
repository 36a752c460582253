// Changes of the list: each is said, and what takes something away can be undone.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";
import { amountWords } from "./quantity.js";
import { mostLines } from "./state.js";
import { saying } from "./words.js";

// edits returns the changes. get returns the state and set takes another one; list is the rows, which the focus is
// moved in.
export function edits({ items, most, get, set, list, say }) {
  const find = (id) => get().items.find((x) => x.id === id);
  const amountOn = (item) => (find(item.id) === undefined ? "" : amountWords(item, find(item.id).quantity));
  const told = (item) => t("{item}: {amount}. {n} items on the list.", { item: item.name, amount: amountOn(item), n: get().items.length });
  const change = (part) => {
    set({ ...get(), ...part });
    noUndo();
  };
  const setQuantity = (id, quantity) => {
    change({ items: get().items.map((x) => (x.id === id ? { id, quantity } : x)) });
    say(t("{item}: {amount}.", { item: items.get(id).name, amount: amountOn(items.get(id)) }));
  };
  // put returns a list with an item on it, or with more of it, up to the most; and what is to be said of that.
  const put = (list, item, asked = 1) => {
    const { id, name, maxQuantity } = item, x = list.find((y) => y.id === id), wanted = asked + (x?.quantity ?? 0);
    if (!x && list.length === most) return { fault: t("A list has at most {most} items.", { most }) };
    const quantity = Math.min(wanted, maxQuantity);
    const fault = wanted > quantity && t("{item}: {amount} is the most that can be asked for.", { item: name, amount: amountWords(item, quantity) });
    return { list: x ? list.map((y) => (y === x ? { id, quantity } : y)) : [...list, { id, quantity }], fault };
  };
  // add puts lines on the list: what is certain as items, the rest as lines that are not compared. Each is {text,
  // certain, choices}. It returns what is to be said of items.
  const add = (lines) => {
    let { items: next, others } = get();
    const faults = [];
    let left = 0;
    for (const { text, certain, choices } of lines) {
      const { list: more, fault } = certain ? put(next, items.get(choices[0].id), choices[0].quantity) : {};
      if (fault) faults.push(saying(text, fault));
      if (more) next = more;
      else if (others.some((x) => x.text === text)) continue;
      else if (others.length < mostLines) others = [...others, { text, choices }];
      else left += 1;
    }
    if (left > 0) faults.push(t("The list is too long: its last {more} lines were left out.", { more: left }));
    change({ items: next, others });
    const [{ text, certain, choices }] = lines;
    if (lines.length > 1) say(t("{certain} of {n} lines can be compared.", { certain: lines.filter((line) => line.certain).length, n: lines.length }));
    else if (certain) say(told(items.get(choices[0].id)));
    else say(t("“{text}” is on the list. It is not compared.", { text }));
    return faults;
  };
  const takeOff = (left, text) => {
    const before = get();
    change(left);
    const undo = h("button", { type: "button", id: "undo" }, t("Undo"));
    undo.addEventListener("click", () => {
      const back = before.items.find((x) => find(x.id) === undefined);
      change({ items: before.items, others: before.others, done: before.done });
      if (back) list().focusOn(back.id);
      else byId("others").querySelector("button")?.focus();
      say(t("It is on the list again."));
    });
    show(byId("undone"), h("span", {}, text), undo);
    byId("undone").hidden = false;
    say(text);
  };
  const remove = (id) => {
    const at = get().items.findIndex((x) => x.id === id);
    takeOff({ items: get().items.filter((x) => x.id !== id) }, t("{item} is off the list.", { item: items.get(id).name }));
    list().focusBeside(at);
  };
  const removeOther = (line) => {
    takeOff({ others: get().others.filter((x) => x !== line) }, t("“{text}” is off the list.", { text: line.text }));
    byId("undo").focus();
  };
  // choose puts the item that a line means on the list in its place.
  const choose = (line, { id, quantity }) => {
    const { list: next, fault } = put(get().items, items.get(id), quantity);
    if (next === undefined) return say(fault);
    change({ items: next, others: get().others.filter((x) => x !== line) });
    say(fault || told(items.get(id)));
    list().focusOn(id);
  };
  const clear = () => {
    takeOff({ items: [], others: [], done: [] }, t("The list is cleared."));
    byId("undo").focus();
  };
  return { amountOn, setQuantity, add, remove, removeOther, choose, clear };
}

// noUndo takes the way back away. It is for the last change only.
export function noUndo() {
  show(byId("undone"));
  byId("undone").hidden = true;
}
