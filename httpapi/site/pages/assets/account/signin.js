// Signing in with a key.

import { ask } from "../ask.js";
import { byId } from "../dom.js";
import { t } from "../lang.js";
import { loadAgain, remember, returnIfSignedIn, whoIsSignedIn } from "./hint.js";
import { clearError, countDown, explain, showError, startLink, takeLink } from "./link.js";

const unknown = t("This key is not known. Is it whole, without quotes? If it was replaced, sign in with the new one. If it is lost, ask the publisher for a sign-in link.");

// startForm makes the form work.
function startForm() {
  const form = byId("signin-form");
  const input = byId("key");
  const button = byId("signin");
  const error = byId("signin-error");

  byId("key-show").addEventListener("click", () => reveal(input.type === "password"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!button.disabled) submit();
  });
  button.disabled = false;

  function reveal(visible) {
    input.type = visible ? "text" : "password";
    byId("key-show").setAttribute("aria-pressed", String(visible));
  }

  function refuse(text) {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", "signin-error key-hint");
    showError(error, text);
  }

  function busy(on) {
    button.disabled = on;
    button.setAttribute("aria-busy", String(on));
  }

  async function submit() {
    clearError(error);
    input.removeAttribute("aria-invalid");
    input.setAttribute("aria-describedby", "key-hint");
    const key = input.value.trim();
    if (key === "") {
      refuse(t("Enter the licence key."));
      return;
    }
    reveal(false); // a browser may keep what it sees typed as text
    busy(true);
    try {
      await ask("/account/session", { method: "POST", body: { key } });
      input.value = "";
      remember();
      loadAgain();
    } catch (failure) {
      busy(false);
      refuse(explain(failure, unknown));
      if (failure.wait > 0) {
        button.disabled = true;
        countDown(error, failure.wait, () => { button.disabled = false; });
      }
    }
  }
}

const linked = takeLink();
startForm();
startLink(whoIsSignedIn);
if (!linked) returnIfSignedIn();
