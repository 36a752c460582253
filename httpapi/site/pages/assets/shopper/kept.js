// The list kept in this browser, shared by a link, and shown without a connection.

import { turning } from "../ask.js";
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

// packed returns a part of a page as plain data, and unpacked the part again.
export function packed(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.replace(turning, "");
  return [node.localName, [...node.attributes].map((a) => [a.name, a.value]), [...node.childNodes].map(packed)];
}

export function unpacked(part) {
  if (typeof part === "string") return part;
  const [name, attributes, children] = part, element = document.createElement(name);
  for (const [key, value] of attributes) element.setAttribute(key, value);
  element.append(...children.map(unpacked));
  return element;
}

const place = "larder.list.4"; // another number when the form of what is kept changes

// readKept returns what is kept: {list, answer, catalog}, a fragment and its answer; null for nothing.
export function readKept() {
  try {
    const record = JSON.parse(localStorage.getItem(place));
    return typeof record?.list === "string" && record.catalog ? record : null;
  } catch {
    return null;
  }
}

// keep keeps a list with the answer that is for it, or the one before. forget forgets them.
export function keep(list, answer, catalog) {
  const fits = (x) => (x && x.of === asked(list) ? x : null);
  try {
    localStorage.setItem(place, JSON.stringify({ list, answer: fits(answer) ?? readKept()?.answer ?? null, catalog }));
  } catch {
    // A private window keeps nothing.
  }
}

export const forget = () => localStorage.removeItem(place);
