// The nine categories as small multiples, all on one scale.

import { h, show } from "../dom.js";
import { capital, day, level, percent, plural } from "../format.js";
import { missing } from "./data.js";
import { addButton } from "./explorer.js";
import { interval, isUnclear, levels, noClearChange } from "./interval.js";
import { miniature } from "./miniature.js";
import { categories } from "./names.js";
import { arrow, direction, exact, priced } from "./numbers.js";
import { extent } from "./scale.js";

// showMultiples draws the categories of the nation. add puts one on the chart.
export function showMultiples(list, scale, all, { weeks, base, add }) {
  const found = [...categories.keys()].map((slug) => all.get(`national:${slug}`) ?? null);
  const [low, high] = extent(found.filter(Boolean), weeks);
  const size = list.clientWidth < 640 ? { width: 160, height: 64 } : { width: 300, height: 84 };
  const start = base ? `the base week (to ${day(base)})` : "the base week";
  show(scale, `Each category is a series of its own, 100 in ${start}, the dashed line. All nine are drawn on the same scale, from ${low.toFixed(1)} to ${high.toFixed(1)}. The percentage is the change in a week: for a category, the ratio of its two published levels, which has no interval.`);
  show(list, [...categories].map(([slug, name], i) => multiple(slug, name, found[i], { weeks, low, high, size, add })));
}

function multiple(slug, name, one, { weeks, low, high, size, add }) {
  if (one === null) {
    return h("li", { class: "multiple card", "data-category": slug, "data-level": "", "data-missing": weeks.length },
      h("h3", {}, name), h("p", { class: "muted multiple-foot" }, "\u2013 Not published: too few of its products are matched."));
  }
  const newest = weeks.at(-1), row = one.rows.get(newest), last = one.rows.get(one.last);
  const gaps = missing(one, weeks);
  return h("li", {
    class: "multiple card", "data-category": slug, "data-level": exact(last, "index_value"), "data-week": one.last,
    "data-wow": exact(last, "pct_change_wow"), "data-missing": gaps.length,
  },
    h("h3", {}, name),
    addButton(one, name.toLowerCase(), add),
    h("p", { class: "multiple-numbers num" },
      h("span", { class: "multiple-level", title: exact(row, "index_value") }, row ? level(row.index_value) : "\u2013"), " ",
      row ? weekChange(one, row) : h("span", { class: "small" }, "not published")),
    miniature(one, { weeks, low, high, ...size, label: label(name, one, last, gaps) }),
    h("p", { class: "small muted multiple-foot" }, foot(one, row, last, gaps)));
}

function weekChange(one, row) {
  const change = row.pct_change_wow;
  if (change === null) return h("span", { class: "small muted" }, one.rows.size === 1 ? "first week: no change yet" : "no change: the week before is not published");
  return h("span", { class: "small" },
    h("span", { class: direction(change), "aria-hidden": "true" }, arrow(change), " "), percent(change), h("span", { class: "muted" }, " in a week"));
}

function foot(one, row, last, gaps) {
  if (!row) return `Too few products are matched. Last: ${level(last.index_value)}, week to ${day(one.last)}.`;
  return [`${capital(interval(row, levels))}${isUnclear(row, levels) ? `: ${noClearChange} since the base week` : ""}. `,
    gaps.length === 0 ? `${priced(row)} products matched` : `\u00d7 ${plural(gaps.length, "week")} not published: too few products matched`];
}

function label(name, one, last, gaps) {
  const holes = gaps.length === 0 ? "" : ` ${plural(gaps.length, "week")} not published.`;
  return `${name}: line of ${plural(one.rows.size, "week")}, now ${level(last.index_value)}, week to ${day(one.last)}.${holes}`;
}
