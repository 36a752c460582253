// The chart: lines of up to four series over weeks, and the week that is looked
// at, by pointer, finger or key.

import { show, svg } from "../dom.js";
import { axes, layout } from "./axis.js";
import { missing } from "./data.js";
import { band, gapMarks, line, mark } from "./line.js";

// makeChart draws into an element that takes the focus as a slider over weeks.
// onWeek is called with the place of the week that is looked at, and returns the
// week in words. The returned function draws entries {series, slot} over weeks,
// and looks at the newest one.
export function makeChart(plot, onWeek) {
  let list = [], weeks = [], at = 0, drawn = null, looked = null;

  function draw() {
    drawn = layout(Math.max(240, plot.clientWidth), list, weeks);
    looked = svg("g", {});
    show(plot, svg("svg", { id: "chart", viewBox: `0 0 ${drawn.width} ${drawn.height}`, "aria-hidden": "true" },
      axes(drawn), list.map(one), looked));
    look(at);
  }

  function one({ series, slot }, i) {
    const { x, y, foot, strip } = drawn;
    const last = series.rows.get(weeks.findLast((week) => series.rows.has(week)));
    return svg("g", { class: `s${slot}` },
      gapMarks(weeks, missing(series, weeks), x, foot + strip / 2 + (i - (list.length - 1) / 2) * 3),
      band(series, weeks, x, y),
      line(series, weeks, x, y, { "data-series": series.key }),
      weeks.map((week, i) => (series.rows.has(week) && series.revised.has(week)
        ? svg("circle", { class: "revised", "data-week": week, cx: x(i), cy: y(series.rows.get(week).index_value), r: 7 }) : null)),
      last ? mark(slot, x(weeks.indexOf(last.date)), y(last.index_value)) : null);
  }

  function look(place) {
    at = Math.max(0, Math.min(weeks.length - 1, place));
    const { x, y, top, foot, strip } = drawn;
    show(looked, svg("path", { class: "crosshair", d: `M${x(at)} ${top}V${foot + strip}` }),
      list.map(({ series, slot }) => {
        const row = series.rows.get(weeks[at]);
        return row ? mark(slot, x(at), y(row.index_value), 5) : null;
      }));
    for (const [name, value] of Object.entries({ valuemin: 0, valuemax: weeks.length - 1, valuenow: at, valuetext: onWeek(at) })) {
      plot.setAttribute(`aria-${name}`, value);
    }
  }

  // nearest is the place of the week nearest to a pointer.
  function nearest(event) {
    const box = plot.getBoundingClientRect();
    const x = (event.clientX - box.left) * drawn.width / box.width;
    const start = drawn.x(0), end = drawn.x(weeks.length - 1);
    return end === start ? 0 : Math.round((x - start) / (end - start) * (weeks.length - 1));
  }

  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4, Home: -Infinity, End: Infinity };
  plot.addEventListener("keydown", (event) => {
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    look(at + steps[event.key]);
  });
  for (const kind of ["pointermove", "pointerdown"]) plot.addEventListener(kind, (event) => look(nearest(event)));
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") look(weeks.length - 1); // a finger leaves what it chose
  });
  new ResizeObserver(() => {
    if (drawn && Math.abs(plot.clientWidth - drawn.width) > 1) draw();
  }).observe(plot);

  return (entries, shown) => {
    list = entries;
    weeks = shown;
    at = weeks.length - 1;
    draw();
  };
}
