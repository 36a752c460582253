// Words for 95% intervals. The page compares the ends that the interface sends, and computes
// no interval itself.

import { level, percent } from "../format.js";
import { t } from "../lang.js";

// A kind of figure with an interval: the members of its ends and of its standard error, the value
// of no change, and how people read it.
export const levels = { low: "ci95_low", high: "ci95_high", error: "se", same: 100, write: level };
export const differences = { low: "pct_difference_low", high: "pct_difference_high", same: 0, write: percent };
export const changes = { low: "wow_ci95_low", high: "wow_ci95_high", error: "se_wow", same: 0, write: percent };

// eitherWay stands for a change whose interval contains none.
export const eitherWay = t("a rise or a fall");

// hasInterval says whether a row has the interval of a kind.
export function hasInterval(row, { low }) {
  return typeof row?.[low] === "number";
}

// isUnclear says whether the interval contains the value of no change.
export function isUnclear(row, kind) {
  return hasInterval(row, kind) && row[kind.low] <= kind.same && kind.same <= row[kind.high];
}

// Texts for the ends of an interval: whole, short and bare.
export const whole = (ends) => t("95% interval {low} to {high}", ends);
export const short = (ends) => t("95%: {low} to {high}", ends);
export const bare = (ends) => t("{low} to {high}", ends);

// interval writes the ends of a headline's interval in a text, or the reason why it is missing.
// Rows of a release by another revision of the method have no interval.
export function interval(row, kind, text = whole, write = kind.write) {
  if (hasInterval(row, kind)) return text({ low: write(row[kind.low]), high: write(row[kind.high]) });
  if (row[kind.low] === undefined) return t("no interval for this release");
  return row[kind.error] === 0 ? t("no interval: all products moved alike") : t("too few products for an interval");
}
