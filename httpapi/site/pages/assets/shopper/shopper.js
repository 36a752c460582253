// The shopper page: one state, which is the fragment of the address too, and what
// follows when it changes.

import { ask } from "../ask.js";
import { byId, h, say as speak, show } from "../dom.js";
import { t } from "../lang.js";
import { asker, clearNotice, showNotice } from "./asker.js";
import { basket, showOthers } from "./basket.js";
import { knownChains } from "./compare.js";
import { edits, noUndo } from "./edits.js";
import { hideLink, keeper, readKept, share, startWorker } from "./kept.js";
import { browser, picker } from "./picker.js";
import { places } from "./places.js";
import { weigh } from "./split.js";
import { asked, format, nothing, restore } from "./state.js";
import { inLanguage } from "./words.js";

const say = (text) => speak(byId("status"), text);

// run returns when the list that the page was opened with is compared.
async function run(raw) {
  const catalog = inLanguage(raw);
  const items = new Map(catalog.items.map((x) => [x.id, x]));
  const chains = knownChains(catalog.items[0]);
  let state = nothing;

  const get = () => state;
  const set = (next) => {
    state = next;
    setAddress(state);
    hideLink();
    render();
    keep.list();
  };
  const render = () => {
    list.render(state);
    showOthers(state.others, { items, onChoose: edit.choose, onRemove: edit.removeOther });
    where.render(state, chains.of(state.city));
    marks();
    compare.render();
  };

  // A change of the list is read out, and shown in the bar: on a phone the list is out of sight.
  const told = (text) => {
    say(text);
    byId("bar-said").textContent = text;
  };
  const edit = edits({ items, most: catalog.rules.maxItems, get, set, list: () => list, say: told });
  const list = basket({ list: byId("list"), items, onQuantity: edit.setQuantity, onRemove: edit.remove });
  byId("clear").addEventListener("click", edit.clear);
  const finding = { items: catalog.items, onPick: edit.add, amountOn: edit.amountOn };
  picker({ ...finding, onPaste: edit.paste, onKeep: edit.keep, field: byId("search"), list: byId("matches"), none: byId("search-none"), say });
  const marks = browser({ ...finding, row: byId("categories"), panel: byId("browse-items") });
  const where = places({ catalog, change: async (make) => {
    set(make(state));
    if (state.stores !== null && await chains.learn(state.city) !== null) render();
  } });
  // Only the answer for the list of the page may be shown.
  const keptAnswer = () => {
    const kept = readKept();
    return kept && asked(kept.list) === asked(format(state)) ? kept.answer : null;
  };
  const compare = asker({ catalog, items, get, set, chains, kept: keptAnswer, onPress: () => keep.list(), onAnswer: (answer) => keep.answer(answer), say });
  const keep = keeper({ catalog: raw, say, current: { list: () => format(state), answer: compare.answer } });
  share({ link: () => location.origin + location.pathname + format(state), say });

  // open takes the list of an address. An address without one has the list that is kept.
  const open = async (fragment) => {
    const { state: read, problems } = restore(fragment, catalog);
    state = read;
    noUndo();
    compare.forget();
    if (problems.length === 0) setAddress(state); // else it stays until the list is changed
    render();
    tell(problems);
    if (problems.length === 0) await compare.opened();
  };
  addEventListener("hashchange", () => {
    // An anchor is no list: the list keeps its address.
    if (location.hash !== "" && !location.hash.includes("=")) setAddress(state);
    else if (location.hash !== format(state)) open(location.hash);
  });
  // A comparison is a step of the history: Back leads from the result to the list.
  addEventListener("popstate", () => {
    if (location.hash !== format(state)) return; // another list: hashchange
    if (history.state?.result) return compare.opened();
    compare.forget();
    byId("search").focus();
  });
  await open(location.hash.includes("=") ? location.hash : readKept()?.list ?? "");
}

// setAddress puts a state into the fragment. A change of the list is no
// step of the history: Back doesn't undo it item by item.
function setAddress(state) {
  try {
    history.replaceState(null, "", format(state) || location.pathname + location.search);
  } catch {
    // Some browsers take only so many changes in half a minute. The next one is taken again.
  }
}

// tell says what of a link was not taken.
function tell(problems) {
  const note = byId("restored");
  note.hidden = problems.length === 0;
  if (problems.length === 0) return;
  const title = t("Not all of this list could be taken over. Check it, then compare.");
  show(note, h("p", {}, h("strong", {}, title)), h("ul", {}, problems.map((p) => h("li", { "data-problem": p.part }, p.text))));
  say(title);
}

async function load() {
  let catalog;
  try {
    catalog = await ask("/api/shopper/catalog", { cache: "no-cache" }); // so that it is known when there is no connection
  } catch (refusal) {
    catalog = readKept()?.catalog;
    if (catalog === undefined) {
      byId("shopper").dataset.state = "failed";
      showNotice(refusal, { retry: () => { clearNotice(); load(); }, say });
      return;
    }
  }
  byId("shopper").dataset.state = "ready";
  await run(catalog);
  startWorker(); // after the answer, which matters more on a slow connection
}

byId("worth").addEventListener("input", weigh);
byId("print").addEventListener("click", () => print());
addEventListener("beforeprint", () => { for (const fold of document.querySelectorAll("#result details")) fold.open = true; });
// The skip link is an address too: followed, it would take the place of the list.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
load();
