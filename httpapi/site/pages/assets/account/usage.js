// What the key may do and has done this month, as GET /account/usage has it.

import { ask } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { number } from "../format.js";
import { at, locale, t, tx } from "../lang.js";
import { moment } from "./moment.js";
import { explain } from "./refusal.js";

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
export async function showUsage() {
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
