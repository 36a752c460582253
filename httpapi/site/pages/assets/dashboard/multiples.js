// Small multiples: categories, cities or chains, all in the unit of the chart and on one scale.

import { h, show } from "../dom.js";
import { capital, day, level, number } from "../format.js";
import { t } from "../lang.js";
import { missing } from "./data.js";
import { commonExtent, drawSmall } from "./drawing.js";
import { changes, interval, isUnclear, levels, eitherWay, short } from "./interval.js";
import { seriesButton } from "./picker.js";
import { exact, moved, priced } from "./views.js";

// showMultiples draws items {name, series}; series is null where nothing is published. words
// say what they are.
export function showMultiples(list, scale, items, { weeks, view, words }) {
  const known = items.map(({ series }) => series).filter(Boolean);
  const domain = commonExtent(known, weeks, view);
  show(scale, words, known.length === 0 ? "" : ` ${t("All are drawn on the same scale, from {low} to {high}.", { low: view.write(domain[0]), high: view.write(domain[1]) })}`);
  show(list, items.map(({ name, series }) => multiple(name, series, { weeks, view, domain })));
}

function multiple(name, series, { weeks, view, domain }) {
  if (series === null) {
    return h("li", { class: "multiple card", "data-series": "" },
      h("h3", {}, name), h("p", { class: "muted multiple-foot" }, `\u2013 ${t("Not published: too few products are matched.")}`));
  }
  const newest = weeks.at(-1), row = series.rows.get(newest), last = series.rows.get(series.last);
  const gaps = missing(series, weeks), value = row?.[view.member];
  const label = `${t("{name}: line of {n} weeks, now {value}.", { name, n: series.rows.size, value: view.write(value) })}${gaps.length === 0 ? "" : ` ${t("{n} weeks not published.", { n: gaps.length })}`}`;
  return h("li", { class: "multiple card", "data-series": series.key, "data-value": exact(row, view.member), "data-missing": gaps.length },
    h("h3", {}, seriesButton(series, name, name)),
    h("p", { class: "multiple-numbers num" },
      h("span", { class: "multiple-level", title: number(exact(row, view.member)) }, view.write(value)), " ",
      row ? view.member === "index_value" ? weekChange(series, row) : null : h("span", { class: "small" }, t("not published"))),
    drawSmall(series, { weeks, view, domain, width: 300, height: 84, label }),
    h("p", { class: "small muted multiple-foot" }, foot(series, row, last, gaps, view)));
}

function weekChange(series, row) {
  const change = row.pct_change_wow;
  if (change === null) return h("span", { class: "small muted" }, series.rows.size === 1 ? t("first week: no change yet") : t("no change: the week before is not published"));
  if (isUnclear(row, changes)) return h("span", { class: "small" }, eitherWay, h("span", { class: "muted" }, ` ${t("in a week")}`));
  return h("span", { class: "small" }, moved(row), h("span", { class: "muted" }, ` ${t("in a week")}`));
}

function foot(series, row, last, gaps, view) {
  if (!row) return t("Too few products are matched. Last: {value}, week to {week}.", { value: view.write(last[view.member]), week: day(series.last) });
  const words = gaps.length === 0 ? h("span", { class: "wide-only" }, t("{priced} products matched", { priced: priced(row) })) : `\u00d7 ${t("{n} weeks not published: too few products matched", { n: gaps.length })}`;
  if (view.member !== "index_value") return [`${t("Level {level}.", { level: level(row.index_value) })} `, words];
  if (row.category !== null) return words;
  return [capital(interval(row, levels, short)), isUnclear(row, levels) ? h("span", { class: "wide-only" }, t(": other goods could have shown a rise or a fall since the base week")) : null, ". ", words];
}
