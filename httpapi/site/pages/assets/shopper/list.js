// The list: a row for each item with its quantity, and lines that are not compared.

import { byId, h, show } from "../dom.js";
import { number } from "../format.js";
import { t } from "../lang.js";
import { allows, amountWords, ruleWords, typedQuantity } from "./quantity.js";
import { otherTongue } from "./words.js";

const most = 4; // choices that a line offers

const button = (name, label, sign, onclick) => h("button", { type: "button", [name]: "", "aria-label": label, onclick }, h("span", { "aria-hidden": "true" }, sign));

// showOthers shows the lines of a list. Each is {text, choices}; a choice is {id, quantity}, without a quantity if the
// text gives none.
export function showOthers(others, { items, onChoose, onRemove }) {
  const list = byId("others");
  list.hidden = others.length === 0;
  show(list, others.map((line) => {
    const choices = line.choices.filter((c) => items.has(c.id)).slice(0, most);
    return h("li", { "data-other": line.text },
      h("span", { class: "name" }, line.text),
      h("span", { class: "tag warn" }, choices.length > 0 ? t("choose one") : t("not compared")),
      button("data-remove", t("Remove: {item}", { item: line.text }), "×", () => onRemove(line)),
      choices.length > 0 && h("span", { class: "choices", role: "group", "aria-label": t("Items that “{text}” may mean", { text: line.text }) },
        choices.map((c) => h("button", { type: "button", class: "chip", "data-choice": c.id, onclick: () => onChoose(line, c) }, items.get(c.id).name))));
  }));
}

// rowsOf shows lists in an <ol>. Rows are kept from one to the next, so the focus is; onQuantity and onRemove get the
// item's id.
export function rowsOf({ list, items, onQuantity, onRemove }) {
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
    list.hidden = state.items.length === 0;
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
  const kg = item.quantityUnit === "kg";
  let quantity = 0;
  const refused = h("p", { class: "refused", id: `refused-${item.id}`, role: "alert", hidden: true });
  const field = h("input", {
    type: "text", inputmode: kg ? "decimal" : "numeric", autocomplete: "off", "data-qty": "", id: `quantity-${item.id}`,
    "aria-label": kg ? t("Quantity of {item}, kilograms", { item: item.name }) : t("Quantity of {item}, packages", { item: item.name }), "aria-describedby": refused.id,
  });
  const unit = h("span", { class: "unit" });
  const refuse = (text) => {
    refused.hidden = text === "";
    refused.textContent = text;
  };
  const step = (up) => {
    const next = Math.min(Math.max(quantity + (up ? 1 : -1) * item.quantityStep, item.minQuantity), item.maxQuantity);
    const bound = { amount: amountWords(item, quantity) };
    if (next !== quantity) refuse("");
    else refuse(up ? t("{amount} is the most that can be asked for.", bound) : t("{amount} is the least that can be asked for.", bound));
    if (next !== quantity) onQuantity(item.id, next);
  };
  // What is refused does not stay in the field, or it would look taken.
  const typed = () => {
    const text = field.value.trim();
    const next = typedQuantity(text);
    if (allows(item, next)) {
      refuse("");
      field.value = number(next);
      if (next !== quantity) onQuantity(item.id, next);
    } else {
      refuse(t("“{text}” was not taken: this is sold {rule}. It is {quantity} as before.", { text: text.slice(0, 20), rule: ruleWords(item), quantity: number(quantity) }));
      field.value = number(quantity);
    }
  };
  field.addEventListener("change", typed);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      if (field.value !== number(quantity)) typed();
      step(event.key === "ArrowUp");
    }
  });
  const element = h("li", { "data-item": item.id },
    h("span", { class: "name" }, item.name, item.nameFr && item.nameFr !== item.name && h("span", { class: "french", lang: otherTongue }, item.nameFr)),
    h("span", { class: "stepper" }, button("data-less", t("Less: {item}", { item: item.name }), "−", () => step(false)), field,
      button("data-more", t("More: {item}", { item: item.name }), "+", () => step(true))),
    unit, button("data-remove", t("Remove: {item}", { item: item.name }), "×", () => onRemove(item.id)), refused);
  const update = (next) => {
    if (next !== quantity) field.value = number(next);
    quantity = next;
    unit.textContent = kg ? "kg" : amountWords(item, next).split(/[ \u00a0]/)[1];
  };
  return { element, update };
}
