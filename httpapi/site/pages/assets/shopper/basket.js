// The list: a row for each item with its quantity, and lines that are not compared.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";
import { allows, amountWords, ruleOf, ruleWords, shownQuantity, stepped, typedQuantity } from "./quantity.js";
import { listWords, otherTongue, quoted } from "./words.js";

const most = 4; // choices that a line offers

// showOthers shows the lines of a list. Each is {text, choices}; a choice is {id,
// quantity}, without a quantity if the text gives none. onChoose gets a line and a choice,
// onRemove a line.
export function showOthers(others, { items, onChoose, onRemove }) {
  const list = byId("others");
  list.hidden = others.length === 0;
  show(list, others.map((line) => {
    const choices = line.choices.filter((c) => items.has(c.id)).slice(0, most);
    return h("li", { "data-other": line.text },
      h("span", { class: "box", "aria-hidden": "true" }),
      h("span", { class: "name" }, line.text),
      h("span", { class: "tag warn" }, tagOf(choices)),
      h("button", { type: "button", "data-remove": "", "aria-label": t("Remove: {item}", { item: line.text }), onclick: () => onRemove(line) }, h("span", { "aria-hidden": "true" }, "\u00d7")),
      choices.length > 0 && h("span", { class: "choices", role: "group", "aria-label": t("Items that \u201c{text}\u201d may mean", { text: line.text }) },
        choices.map((c) => h("button", { type: "button", class: "chip", "data-choice": c.id, onclick: () => onChoose(line, c) }, items.get(c.id).name))));
  }));
}

function tagOf(choices) {
  if (choices.length === 0) return t("not compared");
  return choices.length === 1 ? t("is it this?") : t("choose one");
}

const notes = new Map(); // what is priced otherwise than somebody wrote it, by item

// noted keeps what is said of an item on the list, and returns it with the text that it is about.
export function noted(id, text, why) {
  const note = t("\u201c{text}\u201d: {why}", { text, why });
  notes.set(id, note);
  return note;
}

// tellOthers says which lines a result leaves out, and what of its items was noted.
export function tellOthers(others, items) {
  const named = (lines) => listWords(lines.map((line) => quoted(line.text)));
  const untracked = others.filter((line) => line.choices.length === 0);
  const open = others.filter((line) => line.choices.length > 0);
  const said = items.filter((x) => notes.has(x.id)).map((x) => notes.get(x.id));
  show(byId("uncompared"),
    said.map((note) => h("p", {}, note)),
    untracked.length > 0 && h("p", {}, t("Not compared, as nothing tracked here was found for it: {lines}.", { lines: named(untracked) })),
    open.length > 0 && h("p", {}, t("Not compared, as the item meant is not chosen yet: {lines}.", { lines: named(open) })));
}

// basket shows lists in an <ol>. Rows are kept from one to the next, so the focus
// is; onQuantity and onRemove get the item's id.
export function basket({ list, items, onQuantity, onRemove }) {
  const rows = new Map();

  const render = (state) => {
    for (const [id, r] of rows) {
      if (state.items.some((x) => x.id === id)) continue;
      r.element.remove();
      rows.delete(id);
    }
    for (const [at, x] of state.items.entries()) {
      if (!rows.has(x.id)) rows.set(x.id, row(items.get(x.id), onQuantity, onRemove));
      const r = rows.get(x.id);
      r.update(x.quantity);
      if (list.children[at] !== r.element) list.insertBefore(r.element, list.children[at] ?? null);
    }
    const empty = state.items.length === 0 && state.others.length === 0;
    list.hidden = state.items.length === 0;
    byId("list-empty").hidden = !empty;
    byId("clear").hidden = empty;
    show(byId("list-count"), state.items.length === 0 ? "" : t("{n} items", { n: state.items.length }));
  };
  // focusBeside moves the focus to what is now where a row was taken away.
  const focusBeside = (at) => {
    const near = list.children[Math.min(at, list.children.length - 1)];
    (near?.querySelector("[data-remove]") ?? byId("undo") ?? byId("search")).focus();
  };
  const focusOn = (id) => rows.get(id)?.element.querySelector("[data-qty]").focus();
  return { render, focusBeside, focusOn };
}

function row(item, onQuantity, onRemove) {
  const rule = ruleOf(item);
  const kg = item.quantityUnit === "kg";
  let quantity = 0;
  const refused = h("p", { class: "refused", id: `refused-${item.id}`, role: "alert", hidden: true });
  const field = h("input", {
    type: "text", inputmode: kg ? "decimal" : "numeric", autocomplete: "off", "data-qty": "", id: `quantity-${item.id}`,
    "aria-label": kg ? t("Quantity of {item}, kilograms", { item: item.name }) : t("Quantity of {item}, packages", { item: item.name }), "aria-describedby": refused.id,
  });
  const unit = h("span", { class: "unit" });
  const button = (name, label, sign) => h("button", { type: "button", [name]: "", "aria-label": label }, h("span", { "aria-hidden": "true" }, sign));
  const less = button("data-less", t("Less: {item}", { item: item.name }), "\u2212");
  const more = button("data-more", t("More: {item}", { item: item.name }), "+");
  const remove = button("data-remove", t("Remove: {item}", { item: item.name }), "\u00d7");
  const refuse = (text) => {
    refused.hidden = text === "";
    refused.textContent = text;
  };
  const step = (up) => {
    const next = stepped(rule, quantity, up);
    const bound = { amount: amountWords(item, quantity) };
    if (next !== quantity) refuse("");
    else refuse(up ? t("{amount} is the most that can be asked for.", bound) : t("{amount} is the least that can be asked for.", bound));
    if (next !== quantity) onQuantity(item.id, next);
  };
  // What is refused does not stay in the field, or it would look taken.
  const typed = () => {
    const text = field.value.trim();
    const next = typedQuantity(text);
    if (allows(rule, next)) {
      refuse("");
      field.value = shownQuantity(next);
      if (next !== quantity) onQuantity(item.id, next);
    } else {
      refuse(t("\u201c{text}\u201d was not taken: this is sold {rule}. It is {quantity} as before.", { text: text.slice(0, 20), rule: ruleWords(item), quantity: shownQuantity(quantity) }));
      field.value = shownQuantity(quantity);
    }
  };
  less.addEventListener("click", () => step(false));
  more.addEventListener("click", () => step(true));
  remove.addEventListener("click", () => onRemove(item.id));
  field.addEventListener("change", typed);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      if (field.value !== shownQuantity(quantity)) typed();
      step(event.key === "ArrowUp");
    }
  });
  const element = h("li", { "data-item": item.id },
    h("span", { class: "box", "aria-hidden": "true" }),
    h("span", { class: "name" }, item.name, item.nameFr && item.nameFr !== item.name && h("span", { class: "french", lang: otherTongue }, item.nameFr)),
    h("span", { class: "stepper" }, less, field, more), unit, remove, refused);
  const update = (next) => {
    if (next !== quantity) field.value = shownQuantity(next);
    quantity = next;
    unit.textContent = kg ? "kg" : amountWords(item, next).split(/[ \u00a0]/)[1];
    less.classList.toggle("end", quantity === rule.min);
    more.classList.toggle("end", quantity === rule.max);
  };
  return { element, update };
}
