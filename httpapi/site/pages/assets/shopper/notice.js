// A note about what went wrong, with a button to try again. Nothing is tried
// again by itself.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";

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
