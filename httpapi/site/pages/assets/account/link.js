// A sign-in link, /account#signin=TOKEN. It works once, so that it is redeemed
// when somebody says so, and not by whatever opens the page.

import { ask } from "../ask.js";
import { byId, show } from "../dom.js";
import { t } from "../lang.js";
import { loadAgain, remember } from "./hint.js";
import { clearError, countDown, explain, showError } from "./refusal.js";

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
