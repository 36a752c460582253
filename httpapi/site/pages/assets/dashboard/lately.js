// Places that are not in the table of costs: those of which nothing was published
// lately. Who looks for one is told so.

import { h } from "../dom.js";
import { day } from "../format.js";
import { t } from "../lang.js";
import { addDays } from "./weeks.js";

const weeks = 5;

// isLately says whether a series has a row of the weeks up to this one.
export function isLately(one, week) {
  return one.last >= addDays(week, -7 * (weeks - 1));
}

// leftOut says which places {one, name} a table lacks, and since when; null if none.
// one is null where there is no row; whole says that there never was.
export function leftOut(places, whole) {
  if (places.length === 0) return null;
  const absent = whole ? t("never published") : t("not in the last 52 weeks");
  const named = places.map(({ one, name }) => `${name} (${one === null ? absent : t("last in the week to {week}", { week: day(one.last) })})`).join("; ");
  return h("p", { id: "places-left-out", class: "small measure" },
    t("Not in this table, as nothing was published in the last five weeks: {places}.", { places: named }), places.some(({ one }) => one !== null) ? ` ${t("Earlier weeks can be put on the chart above.")}` : "");
}
