// What the key may do and has done this month, as GET /account/usage has it.

import { ask } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { moment } from "./moment.js";
import { explain } from "./refusal.js";

const count = new Intl.NumberFormat("en-CA");
const share = new Intl.NumberFormat("en-CA", { style: "percent", maximumFractionDigits: 1 });
const month = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "long", timeZone: "UTC" });

// part writes how much of a limit is used: never nothing where there is something.
function part(used, limit) {
  const least = .001;
  return used > 0 && used < limit * least ? `under ${share.format(least)}` : share.format(used / limit);
}

// size writes a number of bytes.
function size(bytes) {
  const step = 1000;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; bytes >= step && i < units.length - 1; i++) bytes /= step;
  return `${i > 0 && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)}\u00a0${units[i]}`;
}

// showUsage asks and shows. It may be called again.
export async function showUsage() {
  const section = byId("usage");
  const body = byId("usage-body");
  section.setAttribute("aria-busy", "true");
  try {
    const usage = await ask("/account/usage");
    show(byId("account-prefix"), `, ${usage.key.prefix}…`);
    show(body, limits(usage), endpoints(usage), again("Update"));
  } catch (error) {
    show(body, h("p", { id: "usage-error", class: "note bad", role: "alert" },
      explain(error, "The session has ended: it was signed out, or the secret was replaced elsewhere. "),
      error.status === 401 ? h("a", { href: "/account" }, "Sign in again.") : ""),
    error.status === 401 ? null : again("Try again"));
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
    ? `${count.format(used)} requests in ${name}; there is no monthly limit.`
    : `${count.format(used)} of ${count.format(limit)} requests used in ${name} (${part(used, limit)}); ${count.format(remaining)} left.`;
  return [
    h("p", { id: "usage-words" }, words),
    limit === null ? null : h("meter", {
      min: 0, max: limit, value: used, low: limit * .75, high: limit * .95, optimum: 0, "aria-labelledby": "usage-words",
    }),
    h("p", { class: "small muted" }, "Counted are requests answered with data. The count starts anew on ", moment(resets), ", with the month in UTC."),
    h("p", {}, `At most ${count.format(usage.limits.per_minute)} requests a minute, however they are answered.`),
  ];
}

const classes = { 2: "answered", 3: "unchanged (304)", 4: "refused", 5: "failed here" };

function endpoints(usage) {
  if (usage.endpoints.length === 0) return h("p", { class: "muted" }, "Nothing was asked for this month.");
  const heads = ["Address", "Outcome", "Requests", "Counted", "Sent"];
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Requests this month" },
    h("table", { id: "usage-endpoints" },
      h("caption", {}, "Requests this month, by address"),
      h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : null }, head)))),
      h("tbody", {}, usage.endpoints.map((line) => h("tr", {},
        h("th", { scope: "row" }, h("code", {}, line.endpoint)),
        h("td", {}, classes[line.status_class] || `${line.status_class}xx`),
        h("td", { class: "num" }, count.format(line.requests)),
        h("td", { class: "num" }, count.format(line.counted)),
        h("td", { class: "num" }, size(line.bytes)))))));
}
