// The headline: what happened to grocery prices, in words and round numbers.

import { h, show } from "../dom.js";
import { capital, day, daysBetween, dollars, level, number, percent } from "../format.js";
import { at, t, tx } from "../lang.js";
import { since } from "./data.js";
import { changes, eitherWay, exact, hasInterval, interval, inWords, isUnclear, levels, moved, priced } from "./views.js";
import { addDays } from "./weeks.js";

// showHeadline fills the section. weeks are all weeks so far; today is what the
// interface says.
export function showHeadline(section, body, one, { weeks, base, today }) {
  const newest = weeks.at(-1), row = one.rows.get(one.last);
  for (const [name, value] of Object.entries({
    level: exact(row, "index_value"), week: one.last, wow: exact(row, "pct_change_wow"), mom: exact(row, "pct_change_mom"), base: base ?? "",
  })) section.setAttribute(`data-${name}`, value);

  show(body,
    one.last === newest ? null : h("p", { class: "note warn" }, t("No headline is published for the week to {week}: too few products are matched. The last one is of the week to {last}.", { week: day(newest), last: day(one.last) })),
    stale(newest, today),
    h("div", { class: "headline-grid" },
      h("div", {},
        h("p", { class: "big num", title: number(exact(row, "index_value")) }, level(row.index_value)),
        h("p", { class: "big-label" }, t("Index level, week to {week}.", { week: day(one.last) }), " ", base === one.first ? t("The week to {week} is 100.", { week: day(base) }) : t("Its base week is 100.")),
        h("p", { id: "headline-interval" }, isUnclear(row, levels) ? tx("{interval}<strong>: other goods could have shown a rise or a fall since the base week.</strong>", { interval: capital(interval(row, levels)) }) : `${capital(interval(row, levels))}.`)),
      h("dl", { class: "facts" },
        fact(t("In a week"), isUnclear(row, changes) ? capital(eitherWay) : moved(row), weekWords(one, row)),
        fact(t("In four weeks"), percent(row.pct_change_mom), monthWords(one, row)),
        fact(t("Products matched"), priced(row), row.total_items === null ? null : t("priced both in the base week and in this one")),
        fact(t("Basket"), dollars(row.basket_cost), t("what it costs; read changes off the index")))),
    h("details", { class: "small muted measure" }, h("summary", {}, t("What these numbers say")),
      h("p", {}, tx("A 95% interval shows sensitivity to the choice of products, not of stores. Where the interval of a change contains zero, other goods could have shown a rise or a fall. The change in four weeks has no interval. <a>How to read these numbers</a>.",
        { a: (text) => h("a", { href: at("/docs/reading") }, text) })),
      h("p", {}, t("The change in a week is of the same products at the same stores in both weeks. It is not the ratio of two levels, so dividing levels gives another number, and weekly changes must not be compounded. The change in four weeks is the ratio of the published levels.")),
      young(weeks)));
}

function fact(name, value, words) {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "fact num" }, value), words === null ? null : h("dd", { class: "small muted" }, words));
}

function weekWords(one, row) {
  if (one.rows.size === 1) return t("no change yet: this is the first week");
  if (row.pct_change_wow === null) return t("not published: too little is priced in both weeks");
  const from = since(one, one.last);
  const said = isUnclear(row, changes) || !hasInterval(row, changes) ? percent(row.pct_change_wow) : inWords(row.pct_change_wow);
  const parts = { change: said, week: day(from ?? one.last), interval: interval(row, changes) };
  return from === null ? t("{change} in the week to {week}; {interval}", parts) : t("{change} since the week to {week}, the last one published before; {interval}", parts);
}

function monthWords(one, row) {
  const before = addDays(one.last, -28);
  if (row.pct_change_mom !== null) return t("{change} since the week to {week}", { change: percent(row.pct_change_mom), week: day(before) });
  return before < one.first ? t("needs five weeks; so far there are {n}", { n: one.rows.size }) : t("the week to {week} is not published", { week: day(before) });
}

// stale says that weeks are over which the data doesn't reach.
function stale(newest, today) {
  const over = Math.floor((daysBetween(newest, today) - 1) / 7); // a week is published from the Monday after it
  if (over < 1) return null;
  return h("p", { class: "note warn" }, t("The newest prices are of the week to {week}. {n} weeks have ended since and are not published yet.", { week: day(newest), n: over }));
}

function young(weeks) {
  if (weeks.length > 52) return null;
  return h("p", {}, t("The series is young: {n} weeks so far. There is no change in 52 weeks before it has a week 52 weeks back.", { n: weeks.length }));
}
