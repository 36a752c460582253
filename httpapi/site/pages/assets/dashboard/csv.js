// The data of the chart as a CSV file (RFC 4180), made here in the browser.

import { h } from "../dom.js";
import { seriesKey } from "./names.js";
import { decimals, exact, views } from "./views.js";

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
