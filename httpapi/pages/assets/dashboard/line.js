// Lines of series. A week that is not published breaks the line: nothing is
// drawn between its neighbours.

import { svg } from "../dom.js";
import { levels } from "./interval.js";

// runs returns the rows that have a member as [place of the week, row], in unbroken runs.
function runs(one, weeks, member) {
  const all = [];
  let run = null;
  weeks.forEach((week, i) => {
    const row = one.rows.get(week);
    if (typeof row?.[member] !== "number") {
      run = null;
      return;
    }
    if (run === null) all.push(run = []);
    run.push([i, row]);
  });
  return all;
}

const number = (n) => n.toFixed(1);

// line draws a series: a path, and a dot for a week that stands alone.
export function line(one, weeks, x, y, attributes = {}) {
  const all = runs(one, weeks, "index_value").map((run) => run.map(([i, row]) => [number(x(i)), number(y(row.index_value))]));
  const path = all.filter((run) => run.length > 1).map((run) => `M${run.map((at) => at.join(" ")).join("L")}`).join("");
  return [
    svg("path", { class: "line", d: path || null, ...attributes }),
    all.filter((run) => run.length === 1).map(([[a, b]]) => svg("circle", { class: "alone", cx: a, cy: b, r: 2.5 })),
  ];
}

// band draws the intervals of a series: there along the upper ends, back along the lower.
export function band(one, weeks, x, y) {
  const path = runs(one, weeks, levels.low).map((run) => {
    const ends = (member) => run.map(([i, row]) => `${number(x(i))} ${number(y(row[member]))}`);
    return `M${[...ends(levels.high), ...ends(levels.low).reverse()].join("L")}Z`;
  }).join("");
  return svg("path", { class: "band", d: path || null, "data-band": one.key });
}

// gapMarks draws a small cross at the foot of each week that is not published.
export function gapMarks(weeks, gaps, x, foot, half = 3) {
  return gaps.map((week) => {
    const at = x(weeks.indexOf(week)), a = at - half, b = at + half;
    return svg("path", { class: "gap-mark", "data-week": week, d: `M${a} ${foot - half}L${b} ${foot + half}M${a} ${foot + half}L${b} ${foot - half}` });
  });
}

// Marks tell series apart without colour, as their dashes do.
const shapes = [
  (s) => `M${-s} 0A${s} ${s} 0 1 1 ${s} 0A${s} ${s} 0 1 1 ${-s} 0Z`,
  (s) => `M${-s} ${-s}H${s}V${s}H${-s}Z`,
  (s) => `M0 ${-s * 1.2}L${s * 1.15} ${s}H${-s * 1.15}Z`,
  (s) => `M0 ${-s * 1.35}L${s * 1.35} 0L0 ${s * 1.35}L${-s * 1.35} 0Z`,
];

// mark draws the mark of a place on the chart.
export function mark(slot, x, y, size = 4) {
  return svg("path", { class: `mark s${slot}`, d: shapes[slot](size), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}

// sample draws a piece of a series' line, for legends.
export function sample(slot) {
  return svg("svg", { class: "sample", viewBox: "0 0 34 14", width: 34, height: 14, "aria-hidden": "true" },
    svg("path", { class: `line s${slot}`, d: "M1 7H33" }), mark(slot, 17, 7));
}
