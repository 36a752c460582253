// The search field: a combobox as ARIA 1.2 has it. The focus stays in the field;
// the active option is told by aria-activedescendant.

import { h, show } from "../dom.js";
import { find, indexOf } from "./search.js";

// picker wires the field to a catalog's items. onPick gets the item chosen;
// amountOn says how much of an item is on the list, "" if it is not.
export function picker({ field, list, none, items, onPick, amountOn, say }) {
  const index = indexOf(items);
  let hits = [], active = -1;

  const close = () => {
    hits = [];
    active = -1;
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const activate = (at) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = list.children[active];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  };
  const open = () => {
    const query = field.value.trim();
    hits = find(index, query);
    show(none, ...(query !== "" && hits.length === 0 ? untracked(query) : []));
    if (hits.length === 0) return close();
    show(list, hits.map((hit) => option(hit, amountOn(hit.item))));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    active = -1;
    activate(0);
    say(hits.length === 1 ? "1 item matches." : `${hits.length} items match.`);
  };
  const pick = (hit) => {
    field.value = "";
    close();
    onPick(hit.item);
  };

  field.addEventListener("input", open);
  field.addEventListener("focus", () => { if (field.value.trim() !== "" && list.hidden) open(); });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const last = hits.length - 1;
    if (event.key === "Escape" && (hits.length > 0 || field.value !== "")) {
      if (hits.length > 0) close();
      else { field.value = ""; show(none); }
    } else if (event.key === "Enter") {
      if (hits.length > 0) pick(hits[active]);
    } else if (event.key === "ArrowDown") {
      if (hits.length === 0) open();
      else activate(active === last ? 0 : active + 1);
    } else if (event.key === "ArrowUp" && hits.length > 0) {
      activate(active === 0 ? last : active - 1);
    } else {
      return;
    }
    event.preventDefault();
  });
  // A press on an option must not take the focus out of the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const at = Array.prototype.indexOf.call(list.children, event.target.closest("[role=option]"));
    if (at >= 0) pick(hits[at]);
  });
}

function option({ item, alias }, amount) {
  const french = item.nameFr && item.nameFr !== item.name ? item.nameFr : null;
  const found = alias !== null && alias !== item.nameFr ? alias : null;
  return h("li", { role: "option", id: `match-${item.id}`, "data-item": item.id, "aria-selected": "false" },
    h("span", { class: "match-name" }, item.name, amount !== "" && h("span", { class: "tag" }, `${amount} on the list`)),
    h("span", { class: "match-more" }, french && h("span", { lang: "fr" }, french), french && found && " \u00b7 ", found && `also \u201c${found}\u201d`));
}

function untracked(query) {
  return [h("strong", {}, `We don\u2019t track \u201c${query.length > 60 ? `${query.slice(0, 60)}\u2026` : query}\u201d.`),
    " It can\u2019t be compared, and nothing else is taken in its place. The categories below have all that can be."];
}
