// What 95% intervals let this page say. Their ends come from the interface: the page
// compares them and computes none.

import { level, percent } from "../format.js";

// A kind of figure with an interval: the members of its ends, the value of no change,
// and how people read it.
export const levels = { low: "ci95_low", high: "ci95_high", same: 100, write: level };
export const changes = { low: "wow_ci95_low", high: "wow_ci95_high", same: 0, write: percent };

export const tooFew = "too few products for an interval";
export const noClearChange = "no clear change";

// hasInterval says whether a row has the interval of a kind.
export function hasInterval(row, { low }) {
  return typeof row?.[low] === "number";
}

// isUnclear says whether the interval contains the value of no change.
export function isUnclear(row, kind) {
  return hasInterval(row, kind) && row[kind.low] <= kind.same && kind.same <= row[kind.high];
}

// overlap says whether two rows can't be ranked: their intervals meet, or one has none.
export function overlap(a, b, kind) {
  return !hasInterval(a, kind) || !hasInterval(b, kind) || a[kind.low] <= b[kind.high] && b[kind.low] <= a[kind.high];
}

// range writes the ends.
export function range(row, { low, high, write }) {
  return `${write(row[low])} to ${write(row[high])}`;
}

// interval writes the ends with what they are, or why there are none.
export function interval(row, kind) {
  return hasInterval(row, kind) ? `95% interval ${range(row, kind)}` : tooFew;
}
