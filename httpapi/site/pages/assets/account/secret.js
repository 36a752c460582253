// The new secret, which the server tells once. It is on the page until somebody
// says that it is stored, and nowhere else.

import { byId, h, say, show } from "../dom.js";
import { t, tx } from "../lang.js";
import { moment } from "./moment.js";

// showSecret shows it; origin gets the focus afterwards.
export function showSecret(rotated, origin) {
  const section = byId("new-key");
  const body = byId("new-key-body");
  const others = [byId("rotate"), byId("signout")];
  const status = h("p", { class: "small", role: "status" });
  const field = h("input", {
    id: "new-key-value", class: "mono", readOnly: true, value: rotated.key, autocomplete: "off", spellcheck: false, "aria-describedby": "new-key-once",
    onfocus: () => field.select(),
  });
  show(body,
    h("p", { id: "new-key-once" }, rotated.old_until === undefined
      ? tx("<strong>It is shown this once.</strong> Store it now, and put it in the place of the old one in your programs and your password manager: the old one is refused already.")
      : tx("<strong>It is shown this once.</strong> Store it now, and put it in the place of the old one in your programs and your password manager: the old one is good until {moment}.", { moment: moment(rotated.old_until) })),
    h("label", { for: "new-key-value" }, t("Licence key")),
    h("div", { class: "secret" }, field, h("button", { type: "button", onclick: copy }, t("Copy"))),
    status,
    h("p", {}, h("button", { type: "button", id: "new-key-stored", class: "primary", onclick: done }, t("I have stored it"))));
  section.hidden = false;
  for (const other of others) other.disabled = true;
  addEventListener("beforeunload", warn);
  addEventListener("pagehide", wipe);
  byId("new-key-title").focus();

  async function copy() {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      say(status, t("Copied. Anything that reads the clipboard can read it: paste it, then copy something else."));
    } catch {
      // Not allowed, or the page did not come by https: hands can still do it.
      field.focus();
      say(status, t("This browser does not let the page copy. The key is selected: press Ctrl+C, or \u2318C."));
    }
  }

  function wipe() {
    field.value = "";
    show(body);
    section.hidden = true;
  }

  function done() {
    removeEventListener("beforeunload", warn);
    removeEventListener("pagehide", wipe);
    wipe();
    for (const other of others) other.disabled = false;
    origin.focus();
  }
}

function warn(event) {
  event.preventDefault();
}
