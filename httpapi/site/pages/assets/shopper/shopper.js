// The shopper page: one state, which is the fragment of the address too, and what follows when it changes.

import { ask } from "../ask.js";
import { byId, h, say as speak } from "../dom.js";
import { t } from "../lang.js";
import { aisle } from "./aisle.js";
import { asker, tell, tellRefusal } from "./asker.js";
import { edits, noUndo } from "./edits.js";
import { forget, keep, readKept, share, startWorker } from "./kept.js";
import { rowsOf, showOthers } from "./list.js";
import { picker } from "./picker.js";
import { lacking, places, showPlaces } from "./places.js";
import { asked, format, nothing, restore } from "./state.js";
import { inLanguage } from "./words.js";

const say = (text) => speak(byId("status"), text);

// run returns when the list that the page was opened with is compared.
async function run(raw) {
  const catalog = inLanguage(raw);
  const items = new Map(catalog.items.map((x) => [x.id, x]));
  let state = { ...nothing, city: byId("city").value }; // which may be chosen before

  const get = () => state;
  const set = (next) => {
    state = next;
    setAddress(state);
    byId("by-hand").hidden = true; // a link that is no longer that of the list
    render();
    if (readKept() !== null) keepList();
  };
  const keepList = () => keep(format(state), compare.answer(), raw);
  const render = () => {
    rows.render(state);
    showOthers(state.others, { items, onChoose: edit.choose, onRemove: edit.removeOther });
    showPlaces(state);
    tick();
    compare.render();
  };

  const edit = edits({ items, most: catalog.rules.maxItems, get, set, list: () => rows, say });
  const rows = rowsOf({ list: byId("list"), items, onQuantity: edit.setQuantity, onRemove: edit.remove });
  const tick = aisle({ get, set, onOpen: keepList });
  const keptAnswer = () => {
    const kept = readKept();
    return kept && asked(kept.list) === asked(format(state)) ? kept.answer : null;
  };
  const compare = asker({
    get, lacks: () => lacking(state, catalog), written: () => written(), kept: keptAnswer, say,
    onShown: () => {
      tick();
      if (readKept() !== null) keepList();
    },
  });
  places((chosen) => set({ ...state, ...chosen }));
  // The result asks of variants whether they are fine.
  byId("result").addEventListener("click", ({ target }) => {
    const { name, value } = target.closest("button[name]") ?? {};
    if (name === undefined) return;
    set({ ...state, [name]: [...state[name], value] });
    compare.compare(true);
  });
  byId("clear").addEventListener("click", () => {
    forget();
    edit.clear();
  });
  share({ link: () => location.origin + location.pathname + format(state), say });

  // open takes the list of an address. An address without one has the list that is kept.
  const open = async (fragment) => {
    const { state: read, problems } = restore(fragment, catalog);
    state = fragment.includes("=") ? read : state;
    noUndo();
    compare.forget();
    if (problems.length === 0) setAddress(state); // else it stays until the list is changed
    render();
    if (problems.length === 0) return compare.opened();
    tell("link", h("p", { class: "notice-title" }, t("Not all of this list could be taken over. Check it, then compare.")), h("ul", {}, problems.map((p) => h("li", { "data-problem": p.part }, p.text))));
  };
  addEventListener("hashchange", () => {
    // An anchor is no list: the list keeps its address.
    if (location.hash !== "" && !location.hash.includes("=")) setAddress(state);
    else if (location.hash !== format(state)) open(location.hash);
  });
  const opened = open(location.hash.includes("=") ? location.hash : readKept()?.list ?? "");
  const written = picker({ items, onLines: edit.add, amountOn: edit.amountOn, say });
  await opened;
}

// setAddress puts a state into the fragment. A change of the list is no step of the history: Back doesn't undo it item
// by item.
function setAddress(state) {
  try {
    history.replaceState(null, "", format(state) || location.pathname + location.search);
  } catch {
    // Some browsers take only so many changes in half a minute. The next one is taken again.
  }
}

async function load() {
  let catalog;
  try {
    catalog = await ask("/api/shopper/catalog", { cache: "no-cache" }); // so that it is known when there is no connection
  } catch (refusal) {
    catalog = readKept()?.catalog;
    if (catalog === undefined) return tellRefusal(refusal);
  }
  byId("shopper").dataset.state = "ready";
  await run(catalog);
  startWorker(); // after the answer, which matters more on a slow connection
}

byId("print").addEventListener("click", () => print());
// The skip link is an address too: followed, it would take the place of the list.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
load();
