// The box that takes lines, with a list of what they may mean. The server finds that. The focus stays in the box; the
// active option is told by aria-activedescendant. Enter puts the lines on the list; Shift and Enter begin another line.

import { ask, Refusal } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { number } from "../format.js";
import { t } from "../lang.js";
import { ruleWords } from "./quantity.js";
import { otherTongue, saying } from "./words.js";

const pause = 120; // milliseconds without typing, after which the server is asked

// picker makes the box find what is typed. items are those of the catalog by id. onLines gets lines as
// edits.js has them, and returns faults of them; amountOn says how much of an item is on the list, "" if it is not.
// It returns a function that puts what is written on the list, and reports whether nothing is left in the field.
export function picker({ items, onLines, amountOn, say }) {
  const field = byId("search"), list = byId("matches"), said = byId("said");
  let hits = [], active = -1;
  let moved = false; // the active option was gone to
  let latest = null; // what is found of the text
  let timer = 0, asking = null; // the question under way
  let entered = false; // Enter was pressed before its answer

  const close = () => {
    hits = [];
    list.hidden = true;
    activate(-1);
    show(list);
  };
  const activate = (at) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    moved = false;
    const option = list.children[active];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  };
  const move = (to) => {
    activate(to);
    moved = true;
  };
  const hitsOf = (found) => found.matches.filter((m) => items.has(m.id)).map((m) => {
    const item = items.get(m.id), quantity = m.qty ?? undefined;
    return { item, quantity, why: faultWords(item, m.fault, quantity), alias: [m.name, item.nameFr].includes(m.by) ? null : m.by };
  });
  const begin = () => {
    clearTimeout(timer);
    asking?.abort();
    asking = new AbortController();
    entered = false;
    latest = null;
  };
  // putAll puts what is found on the list, or a hit that is chosen.
  const putAll = ({ found, more }, chosen) => {
    begin();
    asking = null;
    field.value = "";
    close();
    const lines = found.map((x) => ({ text: x.text, certain: chosen !== undefined || x.status === "one", hits: chosen ? [chosen] : hitsOf(x) }));
    const faults = onLines(lines.map((x) => ({ text: x.text, certain: x.certain, choices: x.hits.map((hit) => ({ id: hit.item.id, quantity: hit.quantity })) })));
    for (const x of lines) if (x.certain && x.hits[0].why !== "") faults.push(saying(x.text, x.hits[0].why));
    if (more > 0) faults.push(t("The list is too long: its last {more} lines were left out.", { more }));
    show(said, faults.length > 0 && [h("strong", {}, t("Please check:")), h("ul", {}, [...new Set(faults)].map((fault) => h("li", {}, fault)))]);
  };
  const pick = (hit) => putAll({ found: [{ text: field.value.trim() }], more: 0 }, hit);
  // look asks what a text means. A list that is pasted goes on the list at once.
  const look = async (text, pasted) => {
    const mine = asking;
    try {
      const body = await ask("/shopper/search", { method: "POST", body: { text }, signal: mine.signal });
      if (mine !== asking) return;
      asking = null;
      latest = body.found.length > 0 ? body : { found: [{ text, status: "not_compared", matches: [] }], more: 0 };
      if (pasted || entered) putAll(latest);
      else if (document.activeElement === field) offer();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      if (mine !== asking) return;
      asking = null;
      close();
      show(said, t("The search can’t be reached now."), " ", error.text);
    }
  };
  const offer = () => {
    const [found] = latest.found, gone = moved ? hits[active].item.id : null; // where the arrows went meanwhile
    activate(-1);
    const text = found.text.length > 60 ? `${found.text.slice(0, 60)}…` : found.text;
    hits = latest.found.length > 1 ? [] : hitsOf(found);
    show(said, hits.length === 0 && latest.found.length === 1 && t("We don’t track “{text}”. It can be on the list, but it is not compared, and nothing else is taken in its place.", { text }));
    if (latest.found.length > 1) say(t("{n} lines. Enter puts them on the list.", { n: latest.found.length }));
    if (hits.length === 0) return close();
    show(list, hits.map((hit) => option(hit, amountOn(hit.item))));
    list.hidden = false;
    const at = hits.findIndex((hit) => hit.item.id === gone);
    if (at >= 0) move(at);
    else if (found.status === "one") activate(0);
    say(t("{n} items found.", { n: hits.length }));
  };
  const open = () => {
    begin();
    activate(-1); // it was found for the text before; options stay until the answer
    const text = field.value.trim();
    if (text !== "") timer = setTimeout(() => look(text, false), pause);
    else {
      asking = null;
      show(said);
      close();
    }
  };
  const paste = (text) => {
    begin();
    return look(text, true);
  };
  const enter = () => {
    if (moved) pick(hits[active]);
    else if (asking !== null) entered = true;
    else if (latest !== null) putAll(latest);
    else if (field.value.trim() !== "") paste(field.value);
  };

  field.addEventListener("input", open);
  field.addEventListener("focus", () => { if (field.value.trim() !== "" && list.hidden) open(); });
  field.addEventListener("blur", close);
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim().includes("\n")) return;
    event.preventDefault();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end"); // it stays if the server can't be reached
    paste(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.shiftKey) return;
    const last = hits.length - 1;
    if (event.key === "Escape" && (hits.length > 0 || field.value !== "")) {
      if (hits.length > 0) close();
      else field.value = "";
      show(said);
    } else if (event.key === "Enter") {
      enter();
    } else if (event.key === "ArrowDown" && !field.value.includes("\n")) {
      if (hits.length > 0) move(active === last ? 0 : active + 1);
      else if (asking === null) open();
    } else if (event.key === "ArrowUp" && hits.length > 0) {
      move(active <= 0 ? last : active - 1);
    } else {
      return;
    }
    event.preventDefault();
  });
  // A press on an option or the button must not take the focus out of the field.
  byId("add").addEventListener("click", enter);
  for (const element of [list, byId("add")]) element.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const at = [...list.children].indexOf(event.target.closest("[role=option]"));
    if (at >= 0) pick(hits[at]);
  });

  const attributes = { "aria-controls": list.id, "aria-autocomplete": "list", "aria-haspopup": "listbox", enterkeyhint: "done" };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  if (field.value.trim() !== "") paste(field.value); // before the script was there
  return async () => {
    if (field.value.trim() !== "") await paste(field.value);
    return field.value.trim() === "";
  };
}

// faultWords says what is wrong with an amount that somebody wrote.
function faultWords(item, fault, quantity) {
  if (fault === "") return "";
  if (fault === "rounded") return t("taken as {quantity} kg, the nearest quantity", { quantity: number(quantity) });
  return t("it is sold {rule}: how many?", { rule: ruleWords(item) });
}

function option({ item, alias }, amount) {
  const other = item.nameFr && item.nameFr !== item.name ? item.nameFr : null;
  return h("li", { role: "option", id: `match-${item.id}`, "data-item": item.id, "aria-selected": "false" },
    h("span", { class: "match-name" }, item.name, amount !== "" && h("span", { class: "tag" }, t("{amount} on the list", { amount }))),
    h("span", { class: "match-more" }, other && h("span", { lang: otherTongue }, other), other && alias && " · ", alias && t("also “{alias}”", { alias })));
}
