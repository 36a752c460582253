// What the chart shows, as a table.

import { h, show } from "../dom.js";
import { day, level } from "../format.js";
import { since } from "./data.js";
import { seriesName } from "./names.js";
import { interval, levels } from "./interval.js";
import { decimals, exact, priced, signed, views } from "./views.js";
import { revisedIn, why } from "./readout.js";

const columns = [
  { member: "index_value", name: "Level", text: (row, from, series) => [exact(row, "index_value"), revision(series, row.date)] },
  { member: "ci95_low", name: "95% interval", text: (row) => interval(row, levels, "", (end) => level(end, decimals[levels.low])) },
  { member: "pct_change_wow", name: "In a week", text: (row, from) => [from === null ? null : h("span", { class: "small muted" }, `since ${day(from, true)}: `), signed(row, "pct_change_wow")] },
  { member: "pct_change_mom", name: "In four weeks", text: (row) => signed(row, "pct_change_mom") },
  { member: "basket_cost_cad", name: "Basket cost, $", text: (row) => exact(row, "basket_cost_cad") || "\u2013" },
  { member: "item_count", name: "Matched", text: priced },
];

// Views whose values have a column only in that view.
const asked = {
  yoy: { member: "pct_change_yoy", name: "In a year", text: (row) => signed(row, "pct_change_yoy") },
  since: { member: "pct_change_since", name: "Since the chosen week", text: (row) => signed(row, "pct_change_since") },
};

// showTable shows entries {series} over weeks, the newest first, with the values of a view.
export function showTable(holder, list, weeks, view) {
  const shown = views.get(view).asked ? [asked[view], ...columns] : columns;
  show(holder, h("table", { id: "chart-table" },
    h("caption", {}, h("span", {}, "Index levels (each series is 100 in its base week), 95% intervals (sensitivity to the choice of products, not of stores), changes, basket cost and products matched. A dash is a value that is not published.")),
    h("thead", {},
      h("tr", {}, h("th", { scope: "col", rowSpan: 2 }, "Week to"),
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
  return h("span", { class: "small muted since" }, `${revisedIn(series, week)}, first ${series.revised.get(week).first.toFixed(decimals.index_value)}`);
}
