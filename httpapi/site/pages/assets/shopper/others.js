// Lines of the list that are not compared: what is not tracked here, and what may mean
// several items until one is chosen. They are in no request.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";
import { listWords, quoted } from "./words.js";

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
