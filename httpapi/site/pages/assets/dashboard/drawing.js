// Names and last values at the ends of lines. They never overlap.

import { svg } from "../dom.js";
import { missing } from "./data.js";
import { levels } from "./views.js";
import { tickText, weekTicks } from "./weeks.js";

const lineHeight = 15, gap = 4, mostLines = 3, indent = 16;
const canvas = document.createElement("canvas").getContext("2d");

// endLabels breaks the labels of lines into rows that a margin has room for. It returns the
// margin's width, the height that all labels need, and what draws them where a chart has
// its lines.
function endLabels(lines, view, width, font) {
  const room = width < 560 ? 84 : Math.min(190, width / 4);
  const measure = (text, bold) => {
    canvas.font = `${bold ? 700 : 400} 12.5px ${font}`;
    return canvas.measureText(text).width;
  };
  const labels = lines.map((line) => {
    const last = line.points.findLast(({ y }) => !Number.isNaN(y));
    return last && { line, last, value: view.write(last.y), rows: wrap(line.name, view.write(last.y), room, measure) };
  }).filter(Boolean);
  const widest = Math.max(0, ...labels.flatMap(({ rows, value }) => rows.map((row, i) => measure(row.slice(i === 0 ? value.length : 0)) + (i === 0 ? measure(value, true) : 0))));
  const high = labels.reduce((sum, { rows }) => sum + rows.length * lineHeight + gap, 0);
  return { width: Math.ceil(widest) + indent + 6, height: high, draw: (place) => draw(labels, place) };
}

// wrap breaks a value and a name into rows. What has no room ends in an ellipsis.
function wrap(name, value, room, measure) {
  const rows = [value];
  for (let word of name.split(" ")) {
    const joined = `${rows.at(-1)} ${word}`;
    if (measure(joined, rows.length === 1) <= room) {
      rows[rows.length - 1] = joined;
      continue;
    }
    if (rows.length === mostLines) {
      rows[mostLines - 1] += "\u2026";
      return rows;
    }
    while (measure(word) > room) word = `${word.slice(0, -2)}\u2026`;
    rows.push(word);
  }
  return rows;
}

function draw(labels, place) {
  const left = Math.max(...labels.map(({ last }) => place.x(last.week)), 0) + indent;
  const placed = labels.map((label) => ({ ...label, at: place.y(label.line, label.last.y), height: label.rows.length * lineHeight }));
  spread(placed, place.top - 4, place.foot + 4);
  return svg("g", { class: "end-labels", "text-anchor": "start" }, placed.map(({ line, last, value, rows, at, middle, height }) => [
    svg("path", { class: `s${line.slot} leader`, d: `M${place.x(last.week) + 4} ${at}L${left - 8} ${middle}H${left - 3}` }),
    svg("circle", { class: `s${line.slot} end`, cx: place.x(last.week), cy: at, r: 3.5 }),
    svg("text", { class: `s${line.slot} end-label`, "data-series": line.series.key, "data-value": value },
      rows.map((row, i) => svg("tspan", { x: left, y: middle - height / 2 + lineHeight * (i + 0.78) },
        i === 0 ? [svg("tspan", { class: "end-value" }, value), row.slice(value.length)] : row))),
  ]));
}

// spread gives labels their middles: as near to the ends of their lines as the others allow.
function spread(labels, top, foot) {
  const order = labels.toSorted((a, b) => a.at - b.at);
  let edge = top;
  for (const label of order) {
    label.middle = Math.max(label.at, edge + label.height / 2);
    edge = label.middle + label.height / 2 + gap;
  }
  edge = foot;
  for (const label of order.toReversed()) { // and back from the foot
    label.middle = Math.min(label.middle, edge - label.height / 2);
    edge = label.middle - label.height / 2 - gap;
  }
}

let Plot = null;

// loadPlot loads the library from its address.
export async function loadPlot(address) {
  Plot ??= await import(address);
  return Plot;
}

export const dateOf = (week) => new Date(`${week}T00:00:00Z`);

// pointsOf has a point for each week. A week without a value breaks the line: nothing is
// drawn between its neighbours.
function pointsOf({ series, panel }, weeks, { member }) {
  return weeks.map((week) => {
    const row = series.rows.get(week), value = (name) => row?.[name] ?? NaN;
    const interval = member === "index_value" ? { low: value(levels.low), high: value(levels.high) } : { low: NaN, high: NaN };
    return { panel, week, x: dateOf(week), y: value(member), ...interval };
  });
}

// extent encloses the points with their intervals. It is a point wide at least, so that a
// change of a hundredth is no cliff.
function extent(points) {
  const all = points.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => !Number.isNaN(value));
  const low = Math.min(...all), high = Math.max(...all);
  const lacking = Math.max(0, 1 - (high - low)) / 2;
  return all.length === 0 ? [0, 1] : [low - lacking, high + lacking];
}

const within = (value, [low, high]) => value !== null && low <= value && value <= high;

// drawChart draws entries {series, slot, name, panel} over weeks in the unit of a view. Entries
// of different panels have axes of their own, on one scale. events are {date, mark, panel, foot}:
// the mark is a short text at the top, or at the foot.
// The drawing is as high as its labels need, at least. It returns the drawing, and where a week and a value of an entry are in it.
export function drawChart({ entries, weeks, view, events, width, height: least, font }) {
  const lines = entries.map((entry) => ({ ...entry, points: pointsOf(entry, weeks, view) }));
  const panels = [...new Set(entries.map(({ panel }) => panel))];
  const domain = extent(lines.flatMap(({ points }) => points));
  const labels = endLabels(lines, view, width, font);
  const margin = { marginTop: 10, marginRight: labels.width, marginBottom: 46, marginLeft: 50 };
  const height = Math.max(least, labels.height + margin.marginTop + margin.marginBottom);
  const facet = panels.length > 1 ? { fy: "panel" } : {};
  const weeksDomain = weeks.length > 1 ? [dateOf(weeks[0]), dateOf(weeks.at(-1))] : [new Date(dateOf(weeks[0]) - 1), dateOf(weeks[0])];
  const ticks = panels.length > 1 ? 3 : 6, step = (domain[1] - domain[0]) / ticks;
  const digits = step < Math.SQRT1_2 / 10 ? 2 : step < Math.SQRT1_2 ? 1 : 0; // D3's steps are 1, 2 and 5, times a power of ten
  const drawing = Plot.plot({
    className: "plot", width, height, ...margin,
    style: { fontSize: "12.5px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { type: "utc", domain: weeksDomain, insetLeft: 6, insetRight: 8 },
    y: { domain, insetTop: 4, insetBottom: 4 },
    ...(panels.length > 1 ? { fy: { axis: null, domain: panels, padding: 0.12 } } : {}),
    marks: [
      Plot.gridY({ ticks, stroke: "var(--line)", strokeOpacity: 1 }),
      within(view.same, domain) ? Plot.ruleY([view.same], { className: "same", stroke: "var(--line-strong)", strokeDasharray: "3 3" }) : null,
      events.map((event) => {
        const common = { ...(event.panel ? facet : {}), x: ({ date }) => dateOf(date) };
        const at = event.foot ? { frameAnchor: "bottom", lineAnchor: "bottom" } : { frameAnchor: "top", lineAnchor: "top", fontWeight: "bold" };
        return [
          Plot.ruleX([event], { ...common, className: "event-rule", stroke: "var(--line-strong)", strokeDasharray: "1 3" }),
          Plot.text([event], { ...common, ...at, className: "event-text", text: "mark", textAnchor: "start", dx: 4, fill: "var(--muted)" }),
        ];
      }),
      lines.map((line) => one(line, weeks, facet, lines)),
      Plot.axisY({ label: null, ticks, tickSize: 0, tickPadding: 6, tickFormat: (v) => view.tick(v, digits), fill: "var(--muted)", stroke: null }),
      Plot.axisX({ label: null, ticks: weekTicks(weeks, width - labels.width - margin.marginLeft, dateOf), tickSize: 5, dy: 10, tickFormat: tickText(weeks.length), fill: "var(--muted)", stroke: "var(--line)" }),
    ],
  });
  drawing.id = "chart";
  for (const { slot, series } of lines) for (const part of drawing.querySelectorAll(`g.s${slot}`)) part.dataset.series = series.key;
  drawing.setAttribute("aria-hidden", "true");
  const [x, y, fy] = ["x", "y", "fy"].map((name) => drawing.scale(name));
  const place = {
    width, height, top: margin.marginTop, foot: height - margin.marginBottom,
    x: (week) => x.apply(dateOf(week)),
    y: ({ panel }, value) => y.apply(value) + (fy ? fy.apply(panel) - margin.marginTop : 0),
  };
  drawing.append(labels.draw(place));
  return { drawing, ...place };
}

// one draws a line with its interval, its weeks that are missing, and those that were revised.
function one({ series, slot, panel, points }, weeks, facet, lines) {
  const common = { ...facet, x: "x", className: `s${slot}` };
  const gaps = missing(series, weeks).map((week) => ({ panel, x: dateOf(week), week }));
  const revised = points.filter(({ week, y }) => !Number.isNaN(y) && series.revised.has(week));
  const has = (point) => point !== undefined && !Number.isNaN(point.low);
  const lone = points.filter((point, i) => has(point) && !has(points[i - 1]) && !has(points[i + 1]));
  const place = lines.findIndex((line) => line.series === series) - (lines.length - 1) / 2;
  return [
    Plot.areaY(points, { ...common, className: `band s${slot}`, y1: "low", y2: "high", fill: "currentColor", fillOpacity: 0.13 }),
    Plot.ruleX(lone, { ...common, className: `band s${slot}`, y1: "low", y2: "high", stroke: "currentColor", strokeOpacity: 0.13, strokeWidth: 8 }),
    Plot.lineY(points, { ...common, className: `line s${slot}`, y: "y", stroke: "currentColor", strokeWidth: 2, strokeLinejoin: "round", strokeLinecap: "round" }),
    Plot.dot(revised, { ...common, className: `revised s${slot}`, y: "y", r: 6, stroke: "currentColor", title: "week" }),
    Plot.dot(gaps, { ...common, className: `gap-mark s${slot}`, frameAnchor: "bottom", dy: 5 + (Object.keys(facet).length > 0 ? 0 : place * 3), symbol: "times", r: 2.6, stroke: "currentColor", title: "week" }),
  ];
}

// drawSmall draws a series on a scale that its neighbours share: {weeks, view, domain,
// width, height, label}.
export function drawSmall(series, { weeks, view, domain, width, height, label }) {
  const points = pointsOf({ series, panel: "" }, weeks, view);
  const last = points.findLast(({ y }) => !Number.isNaN(y));
  const gaps = missing(series, weeks).map((week) => ({ x: dateOf(week) }));
  const drawing = Plot.plot({
    className: "plot", width, height, margin: 5, marginBottom: 8, axis: null, style: { background: "none" },
    x: { type: "utc", domain: [dateOf(weeks[0]), dateOf(weeks.at(-1))] }, y: { domain },
    marks: [
      within(view.same, domain) ? Plot.ruleY([view.same], { stroke: "var(--line-strong)", strokeDasharray: "3 3" }) : null,
      Plot.dot(gaps, { x: "x", frameAnchor: "bottom", dy: 5, symbol: "times", r: 2, stroke: "var(--muted)" }),
      Plot.lineY(points, { x: "x", y: "y", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round" }),
      Plot.dot(last ? [last] : [], { x: "x", y: "y", r: 3.5, fill: "currentColor" }),
    ],
  });
  for (const part of drawing.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // the drawing has the only one
  drawing.classList.add("miniature");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  return drawing;
}

// commonExtent is the scale that neighbours share.
export function commonExtent(all, weeks, view) {
  return extent(all.flatMap((series) => pointsOf({ series }, weeks, view)).map((point) => ({ ...point, low: NaN, high: NaN })));
}

// sample is a piece of a series' line, for legends.
export function sample(slot) {
  return svg("svg", { class: `sample s${slot}`, viewBox: "0 0 20 14", width: 20, height: 14, "aria-hidden": "true" },
    svg("path", { d: "M1 7H19", fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" }));
}
