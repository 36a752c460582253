// The account of whoever is signed in.

import { ask } from "../ask.js";
import { byId, show } from "../dom.js";
import { at, t } from "../lang.js";
import { forget, remember } from "./hint.js";
import { startLink, takeLink } from "./link.js";
import { moment } from "./moment.js";
import { clearError, explain, showError } from "./refusal.js";
import { startRotate } from "./rotate.js";
import { showUsage } from "./usage.js";

takeLink();
for (const time of document.querySelectorAll("dd time")) show(time.parentElement, moment(time.dateTime));
remember();
startLink(async () => ({ name: byId("account-name").textContent, key_id: byId("account-key").textContent }));
startSignOut();
startRotate();
showUsage();

function startSignOut() {
  const button = byId("signout");
  const error = byId("signout-error");
  button.disabled = false;
  button.addEventListener("click", async () => {
    if (button.disabled) return;
    button.disabled = true;
    clearError(error);
    try {
      await ask("/account/session", { method: "DELETE" });
      forget();
      location.replace(at("/"));
    } catch (failure) {
      button.disabled = false;
      showError(error, explain(failure, ""), ` ${t("You may still be signed in.")}`);
    }
  });
}
