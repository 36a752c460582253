// Why a week moved, in a dialog. It shows the server's own page of the week, which a browser
// reads as a page: no script makes markup of it. Without this script the links lead there.

import { byId, h, show } from "../dom.js";
import { locale, t } from "../lang.js";

const dialog = byId("why-dialog"), body = byId("why-body");
const path = "/why";

// whyAddress is the address of the page of a week of a series.
export function whyAddress(series, week) {
  const query = new URLSearchParams({ s: series.key, week });
  if (locale.startsWith("fr")) query.set("lang", "fr");
  return `${path}?${query}`;
}

let turn = 0;

// openWhy shows the page of an address.
export async function openWhy(address) {
  const mine = ++turn;
  byId("why-alone").href = address;
  show(body, h("p", { class: "muted" }, t("Loading…")));
  if (!dialog.open) dialog.showModal();
  const found = await load(address).catch(() => null);
  if (mine !== turn) return;
  show(body, found ?? h("p", { role: "alert" }, t("The server can't be reached. Check the connection and try again.")));
  dialog.scrollTop = 0;
}

// load returns the main part of a page, or null if what answered is none.
function load(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => resolve(request.response?.querySelector("#why, #trouble") ?? null);
    request.onerror = reject;
    request.send();
  });
}

// Links to weeks open in place, unless they are to open elsewhere.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link === null || link.pathname !== path || link.id === "why-alone" || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openWhy(link.href);
});
byId("why-close").addEventListener("click", () => dialog.close());
