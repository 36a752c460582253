// The button that compares, and what its answers do to the page: results shown, marked when the list is another by
// then, refusals told.

import { askPage, Refusal } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { answered } from "../format.js";
import { t } from "../lang.js";
import { packed, unpacked } from "./kept.js";
import { asked, format, requestOf } from "./state.js";

const titles = {
  offline: t("No connection to the server"),
  day_used_up: t("Enough for today"),
  rate_limited: t("Too many comparisons in a minute"),
  data_unavailable: t("No prices at the moment"),
  overloaded: t("The server is busy"),
  unreadable: t("Not an answer of the server"),
};

// tell shows a note, with a code that says of what; without children it takes the note away.
export function tell(code, ...children) {
  const note = byId("notice");
  note.dataset.code = code;
  note.hidden = children.length === 0;
  show(note, children);
}

// tellRefusal shows why a list was not compared.
export function tellRefusal({ code, status, text }) {
  tell(code, h("p", { class: "notice-title" }, titles[code] ?? (status >= 500 ? t("The server failed") : t("This list was not compared"))),
    h("p", {}, text, " ", t("Your list is as it was.")));
  byId("notice").scrollIntoView({ block: "nearest" });
}

// asker wires the button. get returns the state, lacks what is to be chosen; written puts what is in the field on the
// list; kept returns the answer that this device keeps, null for none; onShown is called when one is shown.
export function asker({ get, lacks, written, kept, onShown, say }) {
  const form = byId("ask"), button = byId("compare"), result = byId("result");
  let running = null; // {of, controller}
  let shown = null; // {of, parts, at}: the answer that is shown, the fragment of its list, when it came
  let past = ""; // says that it is not from now
  let until = 0; // when the server may be asked again

  const wait = () => Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const render = () => {
    const now = asked(format(get())), busy = running?.of === now, seconds = wait();
    button.textContent = busy ? t("Comparing…") : shown === null ? t("Compare") : t("Compare again");
    button.setAttribute("aria-disabled", String(busy || seconds > 0));
    byId("lacks").textContent = seconds > 0 ? t("The server asks to wait {n} seconds.", { n: seconds }) : lacks()[0];
    result.setAttribute("aria-busy", String(running !== null));
    const note = shown !== null && shown.of !== now ? t("The list has changed since. What follows is for the list as it was.") : past;
    result.dataset.stale = byId("stale").dataset.stale = String(note !== "");
    byId("stale").hidden = note === "";
    byId("stale").firstElementChild.textContent = note;
  };
  const countdown = () => {
    render();
    if (wait() > 0) setTimeout(countdown, 1000);
    else say(t("You can try again now."));
  };
  const showAnswer = (answer) => {
    shown = answer;
    past = "";
    show(result, answer.parts.map(unpacked));
    result.hidden = false;
    onShown(answer);
    render();
  };
  // datePast says of an answer that is not from now when it came.
  const datePast = (offline) => {
    const when = answered(shown.at);
    past = offline ? t("No connection. This is the answer of {when}. Prices may have changed since.", { when }) : t("This is the answer of {when}. Prices may have changed since.", { when });
    render();
  };
  // A page that was left open shows no answer of yesterday as today's.
  const dated = () => {
    if (shown !== null && past === "" && new Date(shown.at).toDateString() !== new Date().toDateString()) datePast(false);
  };
  document.addEventListener("visibilitychange", dated);
  setInterval(dated, 60_000);

  const compare = async (focus) => {
    running?.controller.abort();
    const mine = running = { of: asked(format(get())), controller: new AbortController() };
    tell("");
    render();
    const from = document.activeElement;
    say(t("Comparing {n} items.", { n: get().items.length }));
    try {
      const page = await askPage(form.getAttribute("action"), requestOf(get()), mine.controller.signal);
      showAnswer({ of: mine.of, parts: [...page.getElementById("result").children].map(packed), at: Date.now() });
      const headline = byId("headline");
      // Who went on to something else meanwhile is not called away from it.
      if (focus && [from, document.body].includes(document.activeElement)) headline.focus();
      else say(headline.textContent);
    } catch (error) {
      if (error instanceof Refusal) refused(error);
      else if (error.name !== "AbortError") throw error;
    } finally {
      if (running === mine) running = null;
      render();
    }
  };
  const refused = (error) => {
    if (shown === null && kept() !== null) showAnswer(kept());
    // Without a connection the answer that is kept is what there is to see: it says so itself.
    const stands = error.code === "offline" && shown !== null && shown.of === asked(format(get()));
    if (!stands) tellRefusal(error);
    if (shown !== null && error.status !== 400) datePast(error.code === "offline");
    if (stands) say(past);
    until = performance.now() + 1000 * error.wait;
    if (error.wait > 0) countdown();
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (event.submitter?.name) return; // a choice that the result offers
    if (button.getAttribute("aria-disabled") === "true" || !await written()) return;
    const [lack, vain] = lacks();
    if (!vain) return compare(true);
    say(lack);
    if (get().city === "") byId("city").focus();
    else if (get().items.length === 0) byId("search").focus();
    else byId("options").open = true;
  });

  return {
    render,
    compare,
    answer: () => shown,
    // opened compares what an address had, if it is complete.
    opened: async () => { if (!lacks()[1]) await compare(false); },
    // forget takes a result away: another list came by the address.
    forget: () => {
      running?.controller.abort();
      shown = null;
      past = "";
      until = 0;
      result.hidden = true;
      tell("");
    },
  };
}
