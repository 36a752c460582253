// The last list, kept in this browser if the shopper says so: the list, its city,
// chains and conditions, the last answer and when it came, and the catalog with the items' names. No request sends any of it.

import { byId } from "../dom.js";
import { t } from "../lang.js";
import { asked } from "./state.js";

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
