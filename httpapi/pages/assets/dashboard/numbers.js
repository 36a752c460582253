// Numbers as the interface has them, and as people read them.

import { none, percent } from "../format.js";

// Decimals of each number in a row of the index.
export const decimals = {
  index_value: 4, ci95_low: 4, ci95_high: 4, basket_cost_cad: 2, pct_change_wow: 4, wow_ci95_low: 4, wow_ci95_high: 4,
  pct_change_mom: 4, item_count: 0, total_items: 0,
};

// exact writes a number digit for digit as it stands in the answer: so many
// decimals, always. What is missing is the empty text.
export function exact(row, member) {
  const value = row?.[member];
  return value === null || value === undefined ? "" : value.toFixed(decimals[member]);
}

// signed writes an exact change with its sign.
export function signed(row, member) {
  const value = row?.[member];
  if (value === null || value === undefined) return none;
  return percent(value, decimals[member]);
}

// direction is "up", "down" or "" of a change as far as it is shown.
export function direction(change, shown = 1) {
  if (change === null || change === undefined || Number(change.toFixed(shown)) === 0) return "";
  return change < 0 ? "down" : "up";
}

const arrows = { up: "\u25b2", down: "\u25bc", "": "\u25a0" };

export function arrow(change) {
  return arrows[direction(change)];
}

// inWords says a change, rounded for people.
export function inWords(change) {
  const where = direction(change);
  return where === "" ? "little changed" : `${where} ${Math.abs(change).toFixed(1)}%`;
}

// priced says how much of a basket a row rests on.
export function priced(row) {
  if (!row || row.item_count === null) return none;
  return row.total_items === null ? `${row.item_count}` : `${row.item_count} of ${row.total_items}`;
}
