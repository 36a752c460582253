// The search of the documentation: a combobox as ARIA 1.2 has it. The focus stays in
// the field, and aria-activedescendant tells the active option. The server finds.

import { Refusal, ask } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { at, t } from "../lang.js";

export function search() {
  const field = byId("query"), list = byId("found"), words = byId("found-words");
  let hits = [], active = -1;
  let asking = null; // the question under way
  let entered = false; // Enter was pressed before its answer

  const close = () => {
    hits = [];
    active = -1;
    list.hidden = true;
    show(list);
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const activate = (place) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = place;
    list.children[place].setAttribute("aria-selected", "true");
    list.children[place].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", list.children[place].id);
  };
  const go = (hit) => {
    close();
    location.assign(hit.path);
  };
  const open = async () => {
    asking?.abort();
    asking = null;
    entered = false;
    const query = field.value.trim();
    if (query === "") {
      words.textContent = "";
      return close();
    }
    const mine = asking = new AbortController();
    try {
      const { found } = await ask(`${at("/docs/search")}?q=${encodeURIComponent(query)}`, { signal: mine.signal });
      if (mine === asking) answer(query, found);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      if (mine === asking) answer(query, [], error.message);
    }
  };
  const answer = (query, found, trouble = t("No section has these words.")) => {
    asking = null;
    close();
    if (document.activeElement !== field) return;
    hits = found;
    if (entered && hits.length > 0) return go(hits[0]);
    show(list, hits.length > 0 ? hits.map(option) : h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, trouble));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    words.textContent = hits.length > 0 ? t("{n} sections found.", { n: hits.length }) : trouble;
  };

  field.addEventListener("input", open);
  field.addEventListener("focus", () => { if (list.hidden) open(); });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const last = hits.length - 1;
    if (event.key === "Escape" && !list.hidden) close();
    else if (event.key === "Enter" && asking !== null) entered = true;
    else if (event.key === "Enter" && last >= 0) go(hits[Math.max(active, 0)]);
    else if (event.key === "ArrowDown" && last >= 0) activate(active === last ? 0 : active + 1);
    else if (event.key === "ArrowUp" && last >= 0) activate(active <= 0 ? last : active - 1);
    else return;
    event.preventDefault();
  });
  // A press on an option must not take the focus out of the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const hit = hits[[...list.children].indexOf(event.target.closest("[role=option]"))];
    if (hit) go(hit);
  });
}

function option(hit, place) {
  return h("li", { role: "option", id: `found-${place}`, "aria-selected": "false" },
    h("strong", {}, hit.heading), hit.heading !== hit.document && h("span", { class: "from" }, hit.document), h("span", { class: "text" }, hit.text));
}
