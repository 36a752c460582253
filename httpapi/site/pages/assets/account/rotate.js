// A new secret for the key: asked for twice, sent once, shown once.

import { ask } from "../ask.js";
import { byId, h } from "../dom.js";
import { at, t } from "../lang.js";
import { showSecret } from "./secret.js";
import { clearError, explain, showError } from "./refusal.js";

const ended = t("The session has ended, so nothing was changed. Should your key be refused when you sign in, and you did not replace it: ask the publisher for a sign-in link.");

// startRotate makes the button and its dialog work.
export function startRotate() {
  const open = byId("rotate");
  const dialog = byId("rotate-dialog");
  const confirm = byId("rotate-confirm");
  const cancel = byId("rotate-cancel");
  const error = byId("rotate-error");
  let sending = false;

  open.disabled = false;
  open.addEventListener("click", () => {
    clearError(error);
    dialog.showModal();
    cancel.focus(); // the harmless one
  });
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("cancel", (event) => {
    if (sending) event.preventDefault();
  });
  confirm.addEventListener("click", send);

  function busy(on) {
    sending = on;
    confirm.disabled = on;
    cancel.disabled = on;
    confirm.setAttribute("aria-busy", String(on));
  }

  async function send() {
    if (sending) return; // a second click of the same hand
    busy(true);
    const overlap = dialog.querySelector("input[name=overlap]:checked").value;
    try {
      const rotated = await ask("/account/key/rotate", { method: "POST", body: overlap === "" ? {} : { overlap } });
      dialog.close();
      showSecret(rotated, open);
    } catch (failure) {
      dialog.close();
      showError(error, ...words(failure));
    }
    busy(false);
  }
}

function words(failure) {
  if (failure.status === 401) return [ended, " ", h("a", { href: at("/account") }, t("Sign in again."))];
  const text = explain(failure, "");
  if (failure.status === 403 || failure.status === 409) return [text];
  if (failure.status >= 400 && failure.status < 500) return [`${text} ${t("The old secret still holds.")}`];
  // The request may have arrived, and only the answer been lost.
  return [`${text} ${t("The secret may have been replaced all the same, and then nobody has the new one. Replace it again: you stay signed in for that.")}`];
}
