// Names and last values at the ends of lines. They never overlap.

import { svg } from "../dom.js";

const lineHeight = 15, gap = 4, mostLines = 3, indent = 16;
const canvas = document.createElement("canvas").getContext("2d");

// endLabels breaks the labels of lines into rows that a margin has room for. It returns the
// margin's width, the height that all labels need, and what draws them where a chart has
// its lines.
export function endLabels(lines, view, width, font) {
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
export function spread(labels, top, foot) {
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
