// The search field, a combobox as ARIA 1.2 has it, and the catalog by category for those who would rather look. The
// focus stays in the field; the active option is told by aria-activedescendant.

import { ask, Refusal } from "../ask.js";
import { h, show } from "../dom.js";
import { t } from "../lang.js";
import { noted } from "./basket.js";
import { ruleWords, shownQuantity } from "./quantity.js";
import { categoryName, otherTongue } from "./words.js";

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

const pause = 120; // milliseconds without typing, after which the server is asked

// picker wires the field to a catalog's items, which the server finds. onPick gets
// the item chosen and a quantity in hundredths, undefined if the text has none; onKeep a
// text that is not tracked; onPaste the lines of a pasted list, and returns faults of it;
// amountOn says how much of an item is on the list, "" if it is not.
export function picker({ field, list, none, items, onPick, onKeep, onPaste, amountOn, say }) {
  const known = new Map(items.map((x) => [x.id, x]));
  let hits = [], active = -1;
  let moved = false; // the active option was gone to
  let latest = null; // what is found of the text
  let lacking = ""; // the text that is answered, if it is not tracked
  let timer = 0, asking = null; // the question under way
  let entered = false; // Enter was pressed before its answer

  const close = () => {
    hits = [];
    list.hidden = true;
    deactivate();
    show(list);
    field.setAttribute("aria-expanded", "false");
  };
  const deactivate = () => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = -1;
    moved = false;
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
  const move = (to) => {
    activate(to);
    moved = true;
  };
  const search = (text) => ask("/shopper/search", { method: "POST", body: { text }, signal: asking.signal });
  // taken is whether a text in doubt has one candidate: that one is taken, and said.
  const taken = ({ status, matches }) => status === "choice" && matches.length === 1;
  const single = (found) => found.status === "one" || taken(found);
  const hitsOf = (found) => found.matches.filter((m) => known.has(m.id)).map((m) => {
    const hit = { item: known.get(m.id), alias: m.by === m.name ? null : m.by, fault: m.fault, quantity: m.qty === null ? undefined : Math.round(m.qty * 100) };
    hit.why = [taken(found) && t("taken as {item}", { item: hit.item.name }), hit.fault !== "" && faultWords(hit)].filter(Boolean).join("; ");
    return hit;
  });
  const begin = () => {
    clearTimeout(timer);
    asking?.abort();
    asking = new AbortController();
    entered = false;
    latest = null;
    lacking = "";
  };
  // What is active was found for the text before. Options stay until the answer.
  const open = () => {
    begin();
    deactivate();
    const query = field.value.trim();
    if (query !== "") timer = setTimeout(() => answer(query), pause);
    else {
      asking = null;
      show(none);
      close();
    }
  };
  const answer = async (query) => {
    const mine = asking;
    try {
      const list = await search(query);
      if (mine !== asking) return;
      asking = null;
      latest = list.found.length > 0 ? list : { found: [{ text: query, status: "not_compared", matches: [] }], more: 0 };
      if (document.activeElement !== field) return;
      if (latest.found.length > 1) many(latest);
      else matched(query, latest.found[0]);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      if (mine !== asking) return;
      asking = null;
      close();
      lacking = query;
      if (entered) keep();
      show(none, t("The search can\u2019t be reached now. The categories below have all that can be compared."));
    }
  };
  const matched = (query, found) => {
    const gone = moved ? hits[active].item.id : null; // where the arrows went meanwhile
    lacking = found.status === "not_compared" ? query : "";
    hits = hitsOf(found);
    deactivate();
    if (entered && lacking !== "") return keep();
    show(none, ...(lacking === "" ? [] : untracked(query, hits.length > 0, keep)));
    if (hits.length === 0) return close();
    if (entered && !single(found)) return putAll(latest);
    show(list, hits.map((hit) => option(hit, amountOn(hit.item))));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    const at = hits.findIndex((hit) => hit.item.id === gone);
    if (at >= 0) move(at);
    else if (single(found)) activate(0);
    if (entered && active >= 0) return pick(hits[active]);
    say(lacking === "" ? t("{n} items found.", { n: hits.length }) : t("This is not compared. Related: {n} items.", { n: hits.length }));
  };
  // many offers to put the parts of a text on the list, such as "milk, eggs and bread".
  const many = (list) => {
    close();
    if (entered) return putAll(list);
    const take = h("button", { type: "button", id: "take-all", onmousedown: (event) => event.preventDefault(), onclick: () => putAll(list) }, t("Put {n} lines on the list", { n: list.found.length }));
    show(none, take);
    say(t("Put {n} lines on the list", { n: list.found.length }));
  };
  const putAll = ({ found, more }) => {
    finish();
    const lines = found.map((x) => ({ text: x.text, certain: single(x), choices: x.status === "not_compared" ? [] : hitsOf(x).map((hit) => ({ id: hit.item.id, quantity: hit.quantity })) }));
    const faults = onPaste(lines);
    for (const [x, [hit]] of found.map((x) => [x, hitsOf(x)])) if (single(x) && hit.why !== "") faults.push(noted(hit.item.id, x.text, hit.why));
    if (more > 0) faults.push(t("The list is too long: its last {more} lines were left out.", { more }));
    show(none, faults.length > 0 && [h("strong", {}, t("Please check:")), h("ul", {}, faults.map((fault) => h("li", {}, fault)))]);
  };
  const finish = () => {
    begin();
    asking = null;
    field.value = "";
    show(none);
    close();
  };
  const pick = (hit) => {
    const text = field.value.trim();
    finish();
    onPick(hit.item, hit.quantity);
    if (hit.why !== "") show(none, noted(hit.item.id, text, hit.why));
  };
  const keep = () => {
    const text = lacking;
    finish();
    onKeep(text);
    field.focus();
  };
  // paste takes a list line by line. What is certain goes on the list as items, the rest
  // as lines that are not compared.
  const paste = async (text) => {
    begin();
    const mine = asking;
    try {
      const list = await search(text);
      if (mine === asking) putAll(list);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      asking = null;
      show(none, error.text);
    }
  };

  field.addEventListener("input", open);
  field.addEventListener("focus", () => { if (field.value.trim() !== "" && list.hidden) open(); });
  field.addEventListener("blur", close);
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim().includes("\n")) return;
    event.preventDefault();
    paste(text);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const last = hits.length - 1;
    if (event.key === "Escape" && (hits.length > 0 || field.value !== "")) {
      if (hits.length > 0) close();
      else { field.value = ""; show(none); }
    } else if (event.key === "Enter") {
      if (moved) pick(hits[active]);
      else if (asking !== null) entered = true;
      else if (active >= 0) pick(hits[active]);
      else if (lacking !== "") keep();
      else if (latest !== null) putAll(latest);
    } else if (event.key === "ArrowDown") {
      if (hits.length > 0) move(active === last ? 0 : active + 1);
      else if (asking === null) open();
    } else if (event.key === "ArrowUp" && hits.length > 0) {
      move(active <= 0 ? last : active - 1);
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

// faultWords says what is wrong with an amount that somebody wrote.
function faultWords({ item, fault, quantity }) {
  if (fault === "rounded") return t("taken as {quantity} kg, the nearest quantity", { quantity: shownQuantity(quantity) });
  return t("it is sold {rule}: how many?", { rule: ruleWords(item) });
}

function option({ item, alias }, amount) {
  const french = item.nameFr && item.nameFr !== item.name ? item.nameFr : null;
  const found = alias !== null && alias !== item.nameFr ? alias : null;
  return h("li", { role: "option", id: `match-${item.id}`, "data-item": item.id, "aria-selected": "false" },
    h("span", { class: "match-name" }, item.name, amount !== "" && h("span", { class: "tag" }, t("{amount} on the list", { amount }))),
    h("span", { class: "match-more" }, french && h("span", { lang: otherTongue }, french), french && found && " \u00b7 ", found && t("also \u201c{alias}\u201d", { alias: found })));
}

function untracked(query, related, keep) {
  const text = query.length > 60 ? `${query.slice(0, 60)}\u2026` : query;
  return [h("p", {}, h("strong", {}, t("We don\u2019t track \u201c{text}\u201d.", { text })), " ",
    related ? t("It can\u2019t be compared, and nothing else is taken in its place. What follows is related.")
      : t("It can\u2019t be compared, and nothing else is taken in its place. The categories below have all that can be.")),
  // A press must not take the focus out of the field, or the answer would go.
  h("button", { type: "button", id: "keep-other", onmousedown: (event) => event.preventDefault(), onclick: keep }, t("Put it on the list, not compared"))];
}
