// The account page of who is signed in: the key, what it may do and has done, and its rotation.

import { ask } from "../ask.js";
import { byId, h, say, show } from "../dom.js";
import { first, none, number } from "../format.js";
import { at, locale, t, tx } from "../lang.js";
import { forget, remember } from "./hint.js";
import { clearError, explain, showError, startLink, takeLink } from "./link.js";

const local = new Intl.DateTimeFormat(locale, {
  year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short",
});

// moment writes a moment given as RFC 3339.
export function moment(text) {
  return text ? h("time", { datetime: text }, first(local.format(new Date(text)))) : none;
}

const count = new Intl.NumberFormat(locale);
const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
const month = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });

// part writes how much of a limit is used: never nothing where there is something.
function part(used, limit) {
  const least = .001;
  return used > 0 && used < limit * least ? t("under {share}", { share: share.format(least) }) : share.format(used / limit);
}

// size writes a number of bytes.
function size(bytes) {
  const step = 1000;
  const units = [t("B"), t("kB"), t("MB"), t("GB"), t("TB")];
  let i = 0;
  for (; bytes >= step && i < units.length - 1; i++) bytes /= step;
  return `${number(i > 0 && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes))}\u00a0${units[i]}`;
}

// showUsage asks and shows. It may be called again.
async function showUsage() {
  const section = byId("usage");
  const body = byId("usage-body");
  section.setAttribute("aria-busy", "true");
  try {
    const usage = await ask("/account/usage");
    show(byId("account-prefix"), `, ${usage.key.prefix}…`);
    show(body, limits(usage), endpoints(usage), again(t("Update")));
  } catch (error) {
    show(body, h("p", { id: "usage-error", class: "note bad", role: "alert" },
      explain(error, `${t("The session has ended: it was signed out, or the secret was replaced elsewhere.")} `),
      error.status === 401 ? h("a", { href: at("/account") }, t("Sign in again.")) : ""),
    error.status === 401 ? null : again(t("Try again")));
  }
  section.setAttribute("aria-busy", "false");
}

// again keeps the focus on the button that it replaces.
function again(text) {
  return h("p", {}, h("button", {
    type: "button", id: "usage-again", onclick: async (event) => {
      event.currentTarget.disabled = true;
      await showUsage();
      byId("usage-again")?.focus();
    },
  }, text));
}

function limits(usage) {
  const { used, remaining, resets_at: resets } = usage.month;
  const limit = usage.limits.per_month;
  const name = month.format(new Date(`${usage.month.month}-01T00:00:00Z`));
  const words = limit === null
    ? t("{used} requests in {month}; there is no monthly limit.", { used: count.format(used), month: name })
    : t("{used} of {limit} requests used in {month} ({share}); {left} left.", {
      used: count.format(used), limit: count.format(limit), month: name, share: part(used, limit), left: count.format(remaining),
    });
  return [
    h("p", { id: "usage-words" }, words),
    limit === null ? null : h("meter", {
      min: 0, max: limit, value: used, low: limit * .75, high: limit * .95, optimum: 0, "aria-labelledby": "usage-words",
    }),
    h("p", { class: "small muted" }, tx("Counted are requests answered with data. The count starts anew on {moment}, with the month in UTC.", { moment: moment(resets) })),
    h("p", {}, t("At most {limit} requests a minute, however they are answered.", { limit: count.format(usage.limits.per_minute) })),
  ];
}

const classes = { 2: t("answered"), 3: t("unchanged (304)"), 4: t("refused"), 5: t("failed here") };

function endpoints(usage) {
  if (usage.endpoints.length === 0) return h("p", { class: "muted" }, t("Nothing was asked for this month."));
  const heads = [t("Address"), t("Outcome"), t("Requests"), t("Counted"), t("Sent")];
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("Requests this month") },
    h("table", { id: "usage-endpoints" },
      h("caption", {}, t("Requests this month, by address")),
      h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : null }, head)))),
      h("tbody", {}, usage.endpoints.map((line) => h("tr", {},
        h("th", { scope: "row" }, h("code", {}, line.endpoint)),
        h("td", {}, classes[line.status_class] || `${line.status_class}xx`),
        h("td", { class: "num" }, count.format(line.requests)),
        h("td", { class: "num" }, count.format(line.counted)),
        h("td", { class: "num" }, size(line.bytes)))))));
}

// showSecret shows it; origin gets the focus afterwards.
function showSecret(rotated, origin) {
  const section = byId("new-key");
  const body = byId("new-key-body");
  const others = [byId("rotate"), byId("signout")];
  const status = h("p", { class: "small", role: "status" });
  const field = h("input", {
    id: "new-key-value", class: "mono", readOnly: true, value: rotated.key, autocomplete: "off", spellcheck: false, "aria-describedby": "new-key-once",
    onfocus: () => field.select(),
  });
  show(body,
    h("p", { id: "new-key-once" }, tx("<strong>It is shown this once.</strong> Store it now, and put it in the place of the old one in your programs and your password manager: the old one is refused already.")),
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

const ended = t("The session has ended, so nothing was changed. Should your key be refused when you sign in, and you did not replace it: ask the publisher for a sign-in link.");

// startRotate makes the button and its dialog work.
function startRotate() {
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
    try {
      const rotated = await ask("/account/key/rotate", { method: "POST", body: {} });
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
  if (failure.status === 403) return [text];
  if (failure.status >= 400 && failure.status < 500) return [`${text} ${t("The old secret still holds.")}`];
  // The request may have arrived, and only the answer been lost.
  return [`${text} ${t("The secret may have been replaced all the same, and then nobody has the new one. Replace it again: you stay signed in for that.")}`];
}

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
