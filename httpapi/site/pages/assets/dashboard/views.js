// Units and 95% intervals in words. The interface computes every value and every end: a view says which member of a
// row has it, and how people read it.

import { h } from "../dom.js";
import { currency, dollars, level, none, percent } from "../format.js";
import { locale, t } from "../lang.js";

// A kind of figure with an interval: the members of its ends and of its standard error, the value
// of no change, and how people read it.
export const levels = { low: "ci95_low", high: "ci95_high", error: "se", same: 100, write: level };
export const differences = { low: "pct_difference_low", high: "pct_difference_high", same: 0, write: percent };
export const changes = { low: "wow_ci95_low", high: "wow_ci95_high", error: "se_wow", same: 0, write: percent };

// eitherWay stands for a change whose interval contains none.
export const eitherWay = t("a rise or a fall");

// hasInterval says whether a row has the interval of a kind.
export const hasInterval = (row, { low }) => typeof row?.[low] === "number";

// isUnclear says whether the interval contains the value of no change.
export function isUnclear(row, kind) {
  return hasInterval(row, kind) && row[kind.low] <= kind.same && kind.same <= row[kind.high];
}

// Texts for the ends of an interval: whole, short and bare.
const whole = (ends) => t("95% interval {low} to {high}", ends);
export const short = (ends) => t("95%: {low} to {high}", ends);
export const bare = (ends) => t("{low} to {high}", ends);

// interval writes the ends of a headline's interval in a text, or the reason why it is missing.
// Rows of a release by another revision of the method have no interval.
export function interval(row, kind, text = whole, write = kind.write) {
  if (hasInterval(row, kind)) return text({ low: write(row[kind.low]), high: write(row[kind.high]) });
  if (row[kind.low] === undefined) return t("no interval for this release");
  return row[kind.error] === 0 ? t("no interval: all products moved alike") : t("too few products for an interval");
}

// A view has the member of the rows and its decimals, and asked: whether the interface
// sends it only on request. same is the value of no change. shared says that places
// share an axis honestly.
const wholeDollars = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 });

export const views = new Map(Object.entries({
  index: { name: t("Index"), member: "index_value", decimals: 4, write: level, tick: level, same: 100, shared: false },
  yoy: { name: t("52 weeks"), member: "pct_change_yoy", decimals: 4, write: percent, tick: percent, same: 0, shared: true, asked: true },
  since: { name: t("Since…"), member: "pct_change_since", decimals: 4, write: percent, tick: percent, same: 0, shared: true, asked: true },
  "4w": { name: t("4 weeks"), member: "pct_change_mom", decimals: 4, write: percent, tick: percent, same: 0, shared: true },
  cost: { name: t("Basket"), member: "basket_cost", decimals: 2, write: dollars, tick: (v, n) => (n > 0 ? dollars(v) : wholeDollars.format(v)), same: null, shared: true },
}));

// Decimals of each number in a row of the index.
export const decimals = {
  index_value: 4, ci95_low: 4, ci95_high: 4, basket_cost: 2, pct_change_wow: 4, wow_ci95_low: 4, wow_ci95_high: 4,
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
function direction(change, shown = 1) {
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
