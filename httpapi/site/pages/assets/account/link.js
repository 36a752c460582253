// Signing in with a link that works once, and what a person is told when it is refused.

import { ask } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { t, tx } from "../lang.js";
import { loadAgain, remember } from "./hint.js";

// explain says in words why something was refused; unknown is what 401 means here.
export const explain = (error, unknown) => (error.status === 401 ? unknown : error.text);

// showError fills an element with what went wrong and takes people there.
export function showError(element, ...text) {
  show(element, ...text);
  element.hidden = false;
  element.focus();
}

// clearError empties it.
export function clearError(element) {
  element.hidden = true;
  show(element);
}

// countDown says below an error how many seconds are left, then calls done.
// Screen readers hear the number once.
export function countDown(element, seconds, done) {
  const left = h("span", { class: "countdown", "aria-hidden": "true" }, seconds);
  const line = h("p", {}, tx("Try again in {left} seconds.", { left: h("span", {}, left, h("span", { class: "sr" }, t("about {n}", { n: seconds }))) }));
  element.append(line);
  const end = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const rest = Math.ceil((end - Date.now()) / 1000);
    if (rest > 0 && line.isConnected) {
      left.textContent = rest;
      return;
    }
    clearInterval(timer);
    if (line.isConnected) show(line, t("You can try again now."));
    done();
  }, 250);
}

const unknown = t("This link is unknown, was used already, or is older than 15 minutes. Ask the publisher for another one.");

let token = "";

// takeLink takes the token out of the address, so that it stays neither there
// nor in the history. It returns whether there was one.
export function takeLink() {
  const found = /^#signin=(.+)$/.exec(location.hash);
  if (!found) return false;
  token = found[1];
  history.replaceState(null, "", location.pathname);
  return true;
}

// startLink offers to sign in with a link, whether the page was opened by it or
// gets it later. who returns whose session it would replace, null for nobody's.
export function startLink(who) {
  const use = byId("signin-link-use");
  use.addEventListener("click", redeem);
  byId("signin-link-ignore").addEventListener("click", () => {
    token = "";
    byId("signin-link").hidden = true;
    byId("main").focus();
  });
  addEventListener("hashchange", () => {
    if (takeLink()) offer(who);
  });
  if (token !== "") offer(who);
}

async function offer(who) {
  const replaced = byId("signin-link-who");
  clearError(byId("signin-link-error"));
  replaced.hidden = true;
  byId("signin-link-use").hidden = false;
  byId("signin-link").hidden = false;
  byId("signin-link-title").focus();
  const session = await who();
  if (session === null || token === "") return;
  show(replaced, t("You are signed in as {name} (key {key}). Signing in with the link ends that session in this browser.", { name: session.name, key: String(session.key_id) }));
  replaced.hidden = false;
}

async function redeem() {
  const use = byId("signin-link-use");
  const error = byId("signin-link-error");
  if (use.disabled || token === "") return;
  clearError(error);
  use.disabled = true;
  try {
    await ask("/account/session", { method: "POST", body: { signin: token } });
    token = "";
    remember();
    loadAgain();
  } catch (failure) {
    showError(error, explain(failure, unknown));
    if (failure.status === 401) {
      token = "";
      use.hidden = true;
      byId("signin-link-who").hidden = true; // nobody's session ends by it now
    }
    if (failure.wait > 0) countDown(error, failure.wait, () => { use.disabled = false; });
    else use.disabled = false;
  }
}
