// The axes of the chart: round levels, and weeks as far as there is room.

import { svg } from "../dom.js";
import { levels } from "./interval.js";
import { extent, linear, nice } from "./scale.js";
import { weekTicks } from "./weeks.js";

const edge = { top: 12, right: 16, bottom: 42, left: 48 };
const labelRoom = 64; // of a week
const strip = 12; // under the lines, where weeks that are not published are marked

// layout decides where everything stands in so many pixels.
export function layout(width, list, weeks) {
  const height = width < 560 ? 280 : 360;
  const [low, high] = extent(list.map((entry) => entry.series), weeks, ["index_value", levels.low, levels.high]);
  const rules = nice(low, high, 6);
  const foot = height - edge.bottom;
  return {
    width, height, rules, foot, strip, top: edge.top,
    x: linear(0, weeks.length - 1, edge.left + 6, width - edge.right),
    y: linear(rules[0].value, rules.at(-1).value, foot, edge.top),
    ticks: weekTicks(weeks, Math.max(2, Math.floor((width - edge.left) / labelRoom))),
  };
}

// axes draws what layout decided.
export function axes({ width, height, rules, foot, x, y, ticks }) {
  return [
    rules.map(({ value, text }) => [
      svg("path", { class: Math.abs(value - 100) < 1e-9 ? "base" : "rule", d: `M${edge.left} ${y(value)}H${width - edge.right}` }),
      svg("text", { class: "axis", x: edge.left - 8, y: y(value) + 4, "text-anchor": "end" }, text),
    ]),
    ticks.map(({ place, text }) => [
      svg("path", { class: "tick", d: `M${x(place)} ${foot + strip}v5` }),
      tickText(x(place), text, width, height),
    ]),
  ];
}

// tickText keeps the name of a week within the drawing.
function tickText(x, text, width, height) {
  const half = text.length * 3.6;
  const anchor = x + half > width ? "end" : x - half < 0 ? "start" : "middle";
  return svg("text", { class: "axis", x: anchor === "end" ? width : x, y: height - 9, "text-anchor": anchor }, text);
}
