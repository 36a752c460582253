// What the chart shows, as a table and as a CSV file.

import { h, show } from "../dom.js";
import { day, level, none } from "../format.js";
import { t } from "../lang.js";
import { since } from "./data.js";
import { seriesKey, seriesName } from "./names.js";
import { revisedIn, why } from "./readout.js";
import { bare, decimals, exact, interval, levels, priced, signed, views } from "./views.js";

// csv writes entries {series} over weeks, one line for each series and week, the
// numbers with the digits of the answer. A week that is not published has a line
// without numbers. Every line names the source, so that a line that is copied
// keeps its attribution.
export function csv(list, weeks, source, view) {
  const others = [...views.values()].filter((one) => one.asked && one !== view).map(({ member }) => member);
  const numbers = Object.keys(decimals).filter((member) => !others.includes(member));
  const lines = [["date", "level", "city", "banner", "category", "published", ...numbers, "source"]];
  for (const { series } of list) {
    for (const week of weeks) {
      const row = series.rows.get(week);
      lines.push([week, series.level, cell(series.city), cell(series.banner), series.category, row ? "yes" : "no",
        ...numbers.map((member) => exact(row, member)), cell(source)]);
    }
  }
  return lines.map((fields) => `${fields.join(",")}\r\n`).join("");
}

// cell quotes a text. One that a spreadsheet would take for a formula gets an
// apostrophe, since a snapshot's names are not this page's.
function cell(text) {
  if (text === null || text === "") return "";
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// fileName says which series and weeks a file has.
export function fileName(list, weeks) {
  const names = list.map(({ series }) => seriesKey(series).toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, ""));
  return `larder-index_${names.join("_").slice(0, 160)}_${weeks[0]}_${weeks.at(-1)}.csv`;
}

// save has the browser save a text as a file.
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = h("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000); // by then the browser has it
}

const columns = [
  { member: "index_value", name: t("Level"), text: (row, from, series) => [level(row.index_value, decimals.index_value), revision(series, row.date)] },
  { member: "ci95_low", name: t("95% interval"), text: (row) => row.category !== null ? none : interval(row, levels, bare, (end) => level(end, decimals[levels.low])) },
  { member: "pct_change_wow", name: t("In a week"), text: (row, from) => [from === null ? null : h("span", { class: "small muted" }, `${t("since {week}:", { week: day(from, true) })} `), signed(row, "pct_change_wow")] },
  { member: "pct_change_mom", name: t("In four weeks"), text: (row) => signed(row, "pct_change_mom") },
  { member: "basket_cost_cad", name: t("Basket cost, $"), text: (row) => level(row.basket_cost_cad, decimals.basket_cost_cad) },
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
