// The units in which series are shown. The interface computes every value: a view says
// which member of a row has it, and how people read it.

import { h } from "../dom.js";
import { dollars, level, none, percent } from "../format.js";
import { locale, t } from "../lang.js";
import { changes, hasInterval } from "./interval.js";

// A view has the member of the rows and its decimals, and asked: whether the interface
// sends it only on request. same is the value of no change. shared says that places
// share an axis honestly.
const wholeDollars = new Intl.NumberFormat(locale, { style: "currency", currency: "CAD", currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 });

export const views = new Map(Object.entries({
  index: { name: t("Index"), member: "index_value", decimals: 4, write: level, tick: level, same: 100, shared: false },
  yoy: { name: t("52 weeks"), member: "pct_change_yoy", decimals: 4, write: percent, tick: percent, same: 0, shared: true, asked: true },
  since: { name: t("Since…"), member: "pct_change_since", decimals: 4, write: percent, tick: percent, same: 0, shared: true, asked: true },
  "4w": { name: t("4 weeks"), member: "pct_change_mom", decimals: 4, write: percent, tick: percent, same: 0, shared: true },
  cost: { name: t("Basket"), member: "basket_cost_cad", decimals: 2, write: dollars, tick: (v, n) => (n > 0 ? dollars(v) : wholeDollars.format(v)), same: null, shared: true },
}));

// Decimals of each number in a row of the index.
export const decimals = {
  index_value: 4, ci95_low: 4, ci95_high: 4, basket_cost_cad: 2, pct_change_wow: 4, wow_ci95_low: 4, wow_ci95_high: 4,
  pct_change_mom: 4, pct_change_yoy: 4, pct_change_since: 4, item_count: 0, total_items: 0,
};

// exact writes a number with the digits of the answer. What is missing is the empty text.
export function exact(row, member) {
  const value = row?.[member];
  return value === null || value === undefined ? "" : value.toFixed(decimals[member]);
}

// signed writes an exact change with its sign.
export function signed(row, member) {
  const value = row?.[member];
  return value === null || value === undefined ? none : percent(value, decimals[member]);
}

// direction is "up", "down" or "" of a change as far as it is shown.
export function direction(change, shown = 1) {
  if (change === null || change === undefined || Number(change.toFixed(shown)) === 0) return "";
  return change < 0 ? "down" : "up";
}

const arrows = { up: "\u25b2", down: "\u25bc" };

// moved writes a row's change in a week. It has an arrow if it has an interval.
export function moved(row) {
  const change = row?.pct_change_wow, where = hasInterval(row, changes) ? direction(change) : "";
  return [where === "" ? null : h("span", { class: where, "aria-hidden": "true" }, arrows[where], " "), percent(change)];
}

// inWords says a change, rounded for people.
export function inWords(change) {
  const where = direction(change);
  const share = percent(Math.abs(change)).replace("+", "");
  return where === "" ? t("little changed") : where === "up" ? t("up {share}", { share }) : t("down {share}", { share });
}

// priced says how much of a basket a row rests on.
export function priced(row) {
  if (!row || row.item_count === null) return none;
  return row.total_items === null ? `${row.item_count}` : t("{priced} of {all}", { priced: row.item_count, all: row.total_items });
}
