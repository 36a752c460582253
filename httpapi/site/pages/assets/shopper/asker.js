// The button that compares, and what its answers do to the page: results shown,
// marked when the list is another by then, refusals told.

import { Refusal } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { answered, dollars } from "../format.js";
import { t } from "../lang.js";
import { tellOthers } from "./basket.js";
import { chainsIn, compareList, withLines } from "./compare.js";
import { forgetAnswers, showFits, tellAnswers } from "./fits.js";
import { hint, lacking } from "./places.js";
import { showHeadline, showResult } from "./result.js";
import { showLines, showSplit } from "./split.js";
import { asked, format, restore } from "./state.js";

const titles = {
  offline: t("No connection to the server"),
  day_used_up: t("Enough for today"),
  rate_limited: t("Too many comparisons in a minute"),
  data_unavailable: t("No prices at the moment"),
  overloaded: t("The server is busy"),
  store_unavailable: t("A chain has no store in this city"),
  unreadable: t("Not an answer of the server"),
};

let timer = 0;

// clearNotice takes the note away. What was focused in it must not leave the
// focus nowhere.
export function clearNotice() {
  clearInterval(timer);
  const note = byId("notice");
  if (note.contains(document.activeElement)) byId(byId("compare").checkVisibility() ? "compare" : "main").focus();
  note.hidden = true;
  note.removeAttribute("data-code");
  show(note);
}

// showNotice tells of a Refusal. Where the server says how long to wait, the
// seconds are counted down and the button waits; onWait gets what is left, 0 at
// the end. text stands for the server's message, and instead for the button, where
// to try again would be in vain.
export function showNotice(refusal, { retry, onWait = () => {}, say, text = wordsOf(refusal.text), instead = [] }) {
  clearInterval(timer);
  const note = byId("notice");
  const count = h("span", { id: "countdown", class: "num" });
  const button = h("button", { type: "button", id: "retry" }, t("Try again"));
  button.addEventListener("click", () => { if (button.getAttribute("aria-disabled") !== "true") retry(); });
  note.dataset.code = refusal.code;
  note.hidden = false;
  show(note,
    h("p", { class: "notice-title" }, titles[refusal.code] ?? (refusal.status >= 500 ? t("The server failed") : t("This list was not compared"))),
    h("p", {}, text, " ", t("Your list is as it was.")),
    h("div", { class: "row" }, instead.length > 0 ? instead : [button, count]));

  note.scrollIntoView({ block: "nearest" });

  const until = performance.now() + refusal.wait * 1000;
  const tick = () => {
    const left = Math.ceil((until - performance.now()) / 1000);
    onWait(Math.max(left, 0));
    button.setAttribute("aria-disabled", String(left > 0));
    count.textContent = left > 0 ? t("in {n} seconds", { n: left }) : "";
    if (left > 0) return;
    clearInterval(timer);
    if (refusal.wait > 0) say(t("You can try again now."));
  };
  tick();
  if (refusal.wait > 0) timer = setInterval(tick, 1000);
}

// wordsOf makes a sentence of a message, without the place in the body that it
// may begin with.
function wordsOf(message) {
  const text = message.replace(/^[a-z]+(\[\d+\])?(\.[a-z]+)?: /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

// asker wires the button. get returns the state and set takes another one; chains
// are those known of cities; kept returns the answer that this device keeps, null for none.
export function asker({ catalog, items, get, set, chains, kept, onPress, onAnswer, say }) {
  const button = byId("compare"), barButton = byId("bar-compare"), result = byId("result");
  let running = null; // {fragment, controller}
  let shown = null; // {of, body, at}: the answer that is shown, the fragment of its list, when it came
  let head = () => {}; // says the headline of what is shown
  let lowest = null; // of what is shown, the lowest total of the whole list
  let waiting = 0; // seconds

  const lackingNow = () => lacking(get(), catalog, chains.of(get().city));
  const render = () => {
    const now = asked(format(get()));
    const busy = running !== null && running.fragment === now;
    const lack = lackingNow();
    button.textContent = busy ? t("Comparing\u2026") : shown === null ? t("Compare") : t("Compare again");
    button.setAttribute("aria-disabled", String(busy || waiting > 0));
    byId("compare-why").textContent = waiting > 0 ? t("The server asks to wait {n} seconds.", { n: waiting }) : lack || hint(get());
    result.setAttribute("aria-busy", String(running !== null));
    const stale = shown !== null && shown.of !== now;
    const n = get().items.length;
    byId("bar-text").textContent = lowest === null || stale || !byId("old").hidden ? t("{n} items", { n }) : t("{n} items, from {lowest}", { n, lowest: dollars(lowest) });
    tellOthers(get().others, get().items);
    if (shown !== null && !stale) head();
    barButton.textContent = button.textContent;
    barButton.setAttribute("aria-disabled", button.getAttribute("aria-disabled"));
    result.dataset.stale = String(stale);
    byId("stale").hidden = !stale;
    if (stale || shown === null) byId("arrived").hidden = true;
  };

  const clear = () => {
    waiting = 0;
    clearNotice();
  };
  const finish = (mine) => {
    if (running === mine) running = null;
    render();
  };

  const compare = async ({ focus }) => {
    running?.controller.abort();
    const state = get();
    const mine = { fragment: asked(format(state)), controller: new AbortController() };
    running = mine;
    clear();
    byId("restored").hidden = true;
    render();
    // Who went on to something else meanwhile is not called away from it.
    const from = focus ? document.activeElement : null;
    say(t("Comparing {n} items.", { n: state.items.length }));
    try {
      const body = await compareList(state, mine.controller.signal);
      if (state.stores === null) chains.take(state.city, chainsIn(body));
      show({ of: mine.fragment, body, at: Date.now() });
      onAnswer(shown);
      arrived(body, focus, from !== null && [from, document.body].includes(document.activeElement));
    } catch (error) {
      if (error instanceof Refusal) refused(error);
      else if (error.name !== "AbortError") throw error;
    } finally {
      finish(mine);
    }
  };

  const show = (answer) => {
    shown = answer;
    today();
    const of = restore(answer.of, catalog).state, body = withLines(answer.body, of.items);
    head = () => showHeadline(body, get().others.length);
    head();
    lowest = body.stores.find((s) => s.completeRequestedList)?.total ?? null;
    result.hidden = false;
    showResult(body, items);
    showFits(body, items, {
      rejected: of.reject.map((x) => ({ itemId: x.id, storeKey: x.store })), again: press,
      unreject: (line) => {
        set({ ...get(), reject: get().reject.filter((x) => x.id !== line.itemId || x.store !== line.storeKey) });
        press();
      },
    });
    showLines(body, items);
    showSplit(body, items);
    render();
  };
  const today = () => {
    byId("old").hidden = true;
    byId("title").textContent = t("Where is this list cheapest today?");
  };
  // datePast says of an answer that is not from now when it came.
  const datePast = (offline) => {
    const when = answered(shown.at);
    byId("old-text").textContent = offline ? t("No connection. This is the answer of {when}. Prices may have changed since.", { when })
      : t("This is the answer of {when}. Prices may have changed since.", { when });
    byId("old").hidden = false;
    byId("title").textContent = t("Where was this list cheapest?");
    render();
  };
  // A page that was left open shows no answer of yesterday as today's.
  const dated = () => {
    if (shown !== null && byId("old").hidden && new Date(shown.at).toDateString() !== new Date().toDateString()) datePast(false);
  };
  document.addEventListener("visibilitychange", dated);
  setInterval(dated, 60_000);
  // arrived leads to the result: who pressed the button is taken there; who opened
  // a link finds it told on top, where the page begins.
  const arrived = (body, pressed, there) => {
    const headline = byId("headline");
    byId("arrived").hidden = pressed;
    byId("arrived").dataset.status = body.recommendation.status;
    byId("arrived-text").textContent = headline.textContent;
    if (there) headline.focus();
    else say(headline.textContent);
  };
  byId("jump").addEventListener("click", () => byId("headline").focus());
  const refused = (error) => {
    const onWait = (left) => {
      waiting = left;
      render();
    };
    const last = kept();
    const opened = shown === null && last !== null;
    // Without a connection the answer that is kept is what there is to see: it says so itself.
    const stands = last !== null && error.code === "offline";
    if (!stands) showNotice(error, { retry: press, say, onWait, ...(error.code === "store_unavailable" ? leaveOut(error) : {}) });
    if (opened) show(last);
    if (shown !== null && error.status !== 400) datePast(error.code === "offline");
    if (opened) {
      byId("arrived").hidden = false;
      byId("arrived-text").textContent = byId("old-text").textContent;
    }
    if (stands) {
      byId("old").scrollIntoView({ block: "start" });
      say(byId("old-text").textContent);
    }
  };
  // leaveOut offers what the server advises. It names the chain by its key.
  const leaveOut = (error) => {
    const chain = catalog.chains.find((c) => error.message.includes(`"${c.key}"`));
    const city = catalog.cities.find((c) => c.slug === get().city);
    const without = h("button", { type: "button", id: "leave-out" }, t("Leave it out and compare"));
    without.addEventListener("click", async () => {
      const state = get();
      const here = await chains.learn(state.city);
      if (here === null) return say(t("That could not be done. Take the chain off the list by hand."));
      set({ ...state, stores: state.stores?.filter((k) => here.includes(k)) ?? null });
      press();
    });
    return { text: chain && city && t("{chain} has no store in {city}, so nothing was compared.", { chain: chain.name, city: city.name }), instead: [without] };
  };

  // press is what the button does. What is missing gets the focus.
  const press = () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    const state = get();
    const lack = lackingNow();
    if (lack === "") {
      onPress();
      if (!history.state?.result) history.pushState({ result: true }, "");
      return void compare({ focus: true });
    }
    say(lack);
    if (state.city === "") byId("city").focus();
    else if (state.items.length === 0) byId("search").focus();
    else (byId("chains").querySelector("#away input") ?? byId("chains").querySelector("input")).focus();
  };
  button.addEventListener("click", press);
  barButton.addEventListener("click", press);
  byId("again").addEventListener("click", press);
  byId("old-again").addEventListener("click", press);
  byId("forget").addEventListener("click", () => {
    forgetAnswers();
    byId("keep").focus();
    say(t("The answers are forgotten."));
    if (shown !== null) press();
  });
  tellAnswers();

  return {
    render,
    // answer returns what is shown, null without an answer.
    answer: () => shown,
    // opened compares what an address had, if it is complete.
    opened: async () => { if (lackingNow() === "") await compare({ focus: false }); },
    // forget takes a result away: another list came by the address.
    forget: () => {
      running?.controller.abort();
      running = null;
      shown = null;
      lowest = null;
      result.hidden = true;
      today();
      clear();
      render();
    },
  };
}
