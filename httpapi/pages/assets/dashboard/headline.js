// The headline: what happened to grocery prices, in words and round numbers.

import { h, show } from "../dom.js";
import { capital, day, daysBetween, dollars, level, percent, plural } from "../format.js";
import { since } from "./data.js";
import { changes, interval, isUnclear, levels, noClearChange } from "./interval.js";
import { arrow, direction, exact, inWords, priced } from "./views.js";
import { addDays } from "./weeks.js";

// showHeadline fills the section. weeks are all weeks so far; today is what the
// interface says.
export function showHeadline(section, body, one, { weeks, base, today }) {
  const newest = weeks.at(-1), row = one.rows.get(one.last);
  for (const [name, value] of Object.entries({
    level: exact(row, "index_value"), week: one.last, wow: exact(row, "pct_change_wow"), mom: exact(row, "pct_change_mom"), base: base ?? "",
  })) section.setAttribute(`data-${name}`, value);

  show(body,
    one.last === newest ? null : h("p", { class: "note warn" }, `No headline is published for the week to ${day(newest)}: too few products are matched. The last one is of the week to ${day(one.last)}.`),
    stale(newest, today),
    h("div", { class: "headline-grid" },
      h("div", {},
        h("p", { class: "big num", title: exact(row, "index_value") }, level(row.index_value)),
        h("p", { class: "big-label" }, `Index level, week to ${day(one.last)}. `, base === one.first ? `The week to ${day(base)} is 100.` : "Its base week is 100."),
        h("p", { id: "headline-interval" }, capital(interval(row, levels)), isUnclear(row, levels) ? h("strong", {}, `: ${noClearChange} since the base week.`) : ".")),
      h("dl", { class: "facts" },
        fact("In a week", isUnclear(row, changes) ? capital(noClearChange) : change(row.pct_change_wow), weekWords(one, row)),
        fact("In four weeks", change(row.pct_change_mom), monthWords(one, row)),
        fact("Products matched", priced(row), row.total_items === null ? null : "priced both in the base week and in this one"),
        fact("Basket", dollars(row.basket_cost_cad), "what it costs; read changes off the index"))),
    h("details", { class: "small muted measure" }, h("summary", {}, "What these numbers say"),
      h("p", {}, "A 95% interval shows sensitivity to the choice of products, not of stores. A change whose interval contains zero is no clear change. The change in four weeks has no interval. ",
        h("a", { href: "/docs/reading" }, "How to read these numbers"), "."),
      h("p", {}, "The change in a week is of the same products at the same stores in both weeks. It is not the ratio of two levels, so dividing levels gives another number, and weekly changes must not be compounded. The change in four weeks is the ratio of the published levels."),
      young(weeks)));
}

function fact(name, value, words) {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "fact num" }, value), words === null ? null : h("dd", { class: "small muted" }, words));
}

function change(value) {
  if (value === null) return "\u2013";
  return [h("span", { class: direction(value), "aria-hidden": "true" }, arrow(value), " "), `${Math.abs(value).toFixed(1)}%`];
}

function weekWords(one, row) {
  if (one.rows.size === 1) return "no change yet: this is the first week";
  if (row.pct_change_wow === null) return "not published: too little is priced in both weeks";
  const from = since(one, one.last);
  const said = isUnclear(row, changes) ? percent(row.pct_change_wow) : inWords(row.pct_change_wow);
  return `${said} ${from === null ? `in the week to ${day(one.last)}` : `since the week to ${day(from)}, the last one published before`}; ${interval(row, changes)}`;
}

function monthWords(one, row) {
  const before = addDays(one.last, -28);
  if (row.pct_change_mom !== null) return `${inWords(row.pct_change_mom)} since the week to ${day(before)}`;
  return before < one.first ? `needs five weeks; so far there ${one.rows.size === 1 ? "is" : "are"} ${one.rows.size}` : `the week to ${day(before)} is not published`;
}

// stale says that weeks are over which the data doesn't reach.
function stale(newest, today) {
  const over = Math.floor((daysBetween(newest, today) - 1) / 7); // a week is published from the Monday after it
  if (over < 1) return null;
  return h("p", { class: "note warn" }, `The newest prices are of the week to ${day(newest)}. ${over === 1 ? "A week has" : `${over} weeks have`} ended since and ${over === 1 ? "is" : "are"} not published yet.`);
}

function young(weeks) {
  if (weeks.length > 52) return null;
  return h("p", {}, `The series is young: ${plural(weeks.length, "week")} so far. There is no year-over-year change before it has a week 52 weeks back.`);
}
