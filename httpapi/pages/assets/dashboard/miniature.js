// Small drawings of one series, without hover: its numbers stand beside it.

import { svg } from "../dom.js";
import { missing } from "./data.js";
import { gapMarks, line, mark } from "./line.js";
import { linear } from "./scale.js";

// miniature draws a series over all weeks, on a scale of levels that the caller
// gives, since neighbours share it.
export function miniature(one, { weeks, low, high, width, height, label }) {
  const edge = 5, foot = 8;
  const x = linear(0, weeks.length - 1, edge, width - edge);
  const y = linear(low, high, height - foot - edge, edge);
  const last = one.rows.get(one.last);
  return svg("svg", { class: "miniature", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    svg("path", { class: "base", d: `M0 ${y(100)}H${width}` }),
    gapMarks(weeks, missing(one, weeks), x, height - 4, 2.5),
    svg("g", { class: "s0" }, line(one, weeks, x, y)),
    mark(0, x(weeks.indexOf(one.last)), y(last.index_value), 3.5));
}
