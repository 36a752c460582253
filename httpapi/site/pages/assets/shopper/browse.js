// The whole catalog by category, for those who would rather look than search.

import { h, show } from "../dom.js";
import { t } from "../lang.js";
import { categoryName } from "./names.js";

// browser fills the row of categories and shows the items of the one pressed.
// It returns what to call when the list has changed.
export function browser({ row, panel, items, onPick, amountOn }) {
  const categories = [...new Set(items.map((x) => x.category))];
  let open = null;

  const render = () => {
    for (const button of row.children) button.setAttribute("aria-pressed", String(button.dataset.category === open));
    panel.hidden = open === null;
    panel.setAttribute("aria-label", open === null ? t("Items") : categoryName(open));
    show(panel, items.filter((x) => x.category === open).map((x) => h("li", {},
      h("button", { type: "button", class: "add", "data-add": x.id, onclick: () => onPick(x) }))));
    update();
  };
  // Labels change in place, so that the focus stays on the button pressed.
  const update = () => {
    for (const button of panel.querySelectorAll("[data-add]")) {
      const item = items.find((x) => x.id === Number(button.dataset.add));
      const amount = amountOn(item);
      button.classList.toggle("on", amount !== "");
      show(button, h("span", { class: "plus", "aria-hidden": "true" }, amount === "" ? "+" : "\u2713"),
        h("span", {}, h("span", { class: "sr" }, t("Add"), " "), item.name), " ",
        amount !== "" && h("span", { class: "tag" }, amount, h("span", { class: "sr" }, "\u00a0", t("on the list"))));
    }
  };
  show(row, categories.map((key) => h("button", {
    type: "button", class: "chip", "data-category": key, "aria-pressed": "false",
    onclick: () => { open = open === key ? null : key; render(); },
  }, categoryName(key))));
  render();
  return update;
}
