// The list kept in this browser if the shopper says so, shared by a link, and shown without a connection.

import { byId } from "../dom.js";
import { at, t } from "../lang.js";
import { asked } from "./state.js";

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

const script = at("/shopper/worker.js");

// startWorker has the browser install the worker. A browser that can't goes on without.
export async function startWorker() {
  if (!navigator.serviceWorker) return; // plain http, or a private window
  // The page's policy lets scripts be named by this one policy, which names this script.
  const policy = window.trustedTypes?.createPolicy("shopper-worker", { createScriptURL: () => script });
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL("") : script, { scope: at("/shopper"), updateViaCache: "none" });
  } catch {
    // It is for the time without a connection only.
  }
}

const place = "larder.list.3"; // another number when the form of what is kept changes

// readKept returns what is kept, null for nothing.
export function readKept() {
  try {
    const record = JSON.parse(localStorage.getItem(place));
    return typeof record?.list === "string" && record.catalog ? record : null;
  } catch {
    return null;
  }
}

// keeper wires the choice. current returns the list of the page, as a fragment, and
// its answer as {of, body, at}; null without one.
export function keeper({ catalog, current, say }) {
  const box = byId("keep");
  box.checked = readKept() !== null;
  const write = (record) => {
    try {
      localStorage.setItem(place, JSON.stringify({ ...record, catalog }));
      return true;
    } catch {
      box.checked = false;
      say(t("This browser keeps nothing for this page."));
      return false;
    }
  };
  box.addEventListener("change", () => {
    if (!box.checked) {
      localStorage.removeItem(place);
      say(t("The list is no longer kept on this device."));
    } else if (write({ list: current.list(), answer: current.answer() })) {
      say(t("The list is kept on this device."));
    }
  });
  return {
    // list keeps the shopper's list in place of the one before. The last answer stays.
    list: () => { if (box.checked) write({ list: current.list(), answer: readKept()?.answer ?? null }); },
    // answer keeps an answer for the list that is kept, and no other.
    answer: (answer) => {
      const kept = readKept();
      if (box.checked && kept && asked(kept.list) === answer.of) write({ ...kept, answer });
    },
  };
}
