// The link that shares a list: the address of the page, with the list in its
// fragment.

import { byId } from "../dom.js";
import { t } from "../lang.js";

// share wires the button; link returns what is copied. Plain http has no clipboard: there the
// link is shown and selected, to be copied by hand.
export function share({ link, say }) {
  const field = byId("link");
  const byHand = () => {
    byId("by-hand").hidden = false;
    field.value = link();
    field.focus();
    field.select();
    say(t("The link is selected. Copy it."));
  };
  byId("copy").addEventListener("click", async () => {
    if (!navigator.clipboard) return byHand();
    try {
      await navigator.clipboard.writeText(link());
      byId("by-hand").hidden = true;
      say(t("Link copied. Whoever has it sees this list."));
    } catch {
      byHand();
    }
  });
}

// hideLink takes away a link that is no longer that of the list.
export function hideLink() {
  byId("by-hand").hidden = true;
}
