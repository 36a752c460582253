// What the chart shows, as a table.

import { h, show } from "../dom.js";
import { cents, day, level, none, sign } from "../format.js";
import { t } from "../lang.js";
import { since } from "./data.js";
import { seriesName } from "./names.js";
import { revisedIn, why } from "./readout.js";
import { bare, decimals, exact, interval, levels, priced, signed, views } from "./views.js";

const columns = [
  { member: "index_value", name: t("Level"), text: (row, from, series) => [level(row.index_value, decimals.index_value), revision(series, row.date)] },
  { member: "ci95_low", name: t("95% interval"), text: (row) => row.category !== null ? none : interval(row, levels, bare, (end) => level(end, decimals[levels.low])) },
  { member: "pct_change_wow", name: t("In a week"), text: (row, from) => [from === null ? null : h("span", { class: "small muted" }, `${t("since {week}:", { week: day(from, true) })} `), signed(row, "pct_change_wow")] },
  { member: "pct_change_mom", name: t("In four weeks"), text: (row) => signed(row, "pct_change_mom") },
  { member: "basket_cost", name: t("Basket cost, {sign}", { sign }), text: (row) => level(row.basket_cost, cents) },
  { member: "item_count", name: t("Matched"), text: priced },
];

// Views whose values have a column only in that view.
const asked = {
  yoy: { member: "pct_change_yoy", name: t("In 52 weeks"), text: (row) => signed(row, "pct_change_yoy") },
  since: { member: "pct_change_since", name: t("Since the chosen week"), text: (row) => signed(row, "pct_change_since") },
};

// showTable shows entries {series} over weeks, the newest first, with the values of a view.
export function showTable(holder, list, weeks, view) {
  const shown = views.get(view).asked ? [asked[view], ...columns] : columns;
  show(holder, h("table", { id: "chart-table" },
    h("caption", {}, h("span", {}, t("Index levels (each series is 100 in its base week), 95% intervals of headlines (sensitivity to the choice of products, not of stores), changes, basket cost and products matched. A dash is a value that is not published."))),
    h("thead", {},
      h("tr", {}, h("th", { scope: "col", rowSpan: 2 }, t("Week to")),
        list.map(({ series }) => h("th", { scope: "colgroup", colSpan: shown.length, class: "group" }, seriesName(series)))),
      h("tr", {}, list.map(() => shown.map(({ name }) => h("th", { scope: "col", class: "num" }, name))))),
    h("tbody", {}, weeks.toReversed().map((week) => h("tr", { "data-week": week },
      h("th", { scope: "row" }, day(week)),
      list.map(({ series }) => cells(series, week, shown)))))));
}

function cells(series, week, shown) {
  const row = series.rows.get(week);
  if (!row) {
    return h("td", { class: "absent muted", colSpan: shown.length, "data-series": series.key, "data-member": "index_value" }, `\u2013 ${why(series, week)}`);
  }
  const from = since(series, week);
  return shown.map(({ member, text }) => h("td", { class: "num", "data-series": series.key, "data-member": member, "data-value": exact(row, member) }, text(row, from, series)));
}

function revision(series, week) {
  if (!series.revised.has(week)) return null;
  return h("span", { class: "small muted since" }, t("{revised}, first {level}", { revised: revisedIn(series, week), level: level(series.revised.get(week).first, decimals.index_value) }));
}
