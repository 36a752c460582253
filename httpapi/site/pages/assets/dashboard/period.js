// The period that the chart shows: by its dates, by a brush over all weeks, or one that
// many ask for.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";
import { dateOf, loadPlot } from "./drawing.js";
import { change, state } from "./state.js";
import { addDays, nearest } from "./weeks.js";

const lasting = [13, 52, 260];
const height = 44;

// makePeriod returns what draws the strip of all weeks, with entries {series, slot} in the
// unit of a view, and marks the part of it that is shown.
export function makePeriod() {
  const strip = byId("brush"), [from, to] = [byId("from"), byId("to")];
  let all = [], newest = "";
  // What reaches an end has no date of its own, so that it grows with the weeks.
  const set = (first, last) => change({ from: first <= all[0] ? "" : first, to: last >= newest ? "" : last, week: "" });
  const shown = () => [state.from > all[0] ? state.from : all[0], state.to || newest];
  for (const field of [from, to]) {
    field.addEventListener("change", () => {
      const [first, last] = [from, to].map((input, i) => all[nearest(all, input.value || shown()[i])]);
      set(first < last ? first : last, first < last ? last : first);
    });
  }

  return async (weeks, entries, view) => {
    [all, newest] = [weeks, weeks.at(-1)];
    for (const field of [from, to]) Object.assign(field, { min: all[0], max: newest, step: 7 });
    const presets = [...lasting.filter((n) => n < all.length).map((n) => [addDays(newest, -7 * (n - 1)), t("{n} weeks", { n })]), [all[0], t("All")]];
    const buttons = presets.map(([first, text]) => h("button", { type: "button", value: first, onclick: () => set(first, newest) }, text));
    const focused = [...byId("range").children].findIndex((button) => button === document.activeElement);
    show(byId("range"), buttons);
    buttons[Math.min(focused, buttons.length - 1)]?.focus();
    const Plot = await loadPlot(), width = Math.max(240, strip.clientWidth);
    const drawing = Plot.plot({
      className: "plot", width, height, margin: 4, axis: null, style: { background: "none" },
      x: { type: "utc", domain: [dateOf(all[0]), dateOf(newest)] },
      marks: entries.map(({ series, slot }) => Plot.lineY(all, {
        className: `s${slot}`, x: dateOf, y: (week) => series.rows.get(week)?.[view.member] ?? NaN, stroke: "currentColor", strokeWidth: 1.2,
      })),
    });
    drawing.setAttribute("aria-hidden", "true");
    const x = drawing.scale("x");
    const weekAt = (px) => all[Math.max(0, Math.min(all.length - 1, Math.round((px - x.apply(dateOf(all[0]))) / Math.max(1, x.apply(dateOf(newest)) - x.apply(dateOf(all[0]))) * (all.length - 1))))];
    const brush = Plot.brushX().extent([[4, 2], [width - 4, height - 2]]).handleSize(14).on("end", ({ selection, sourceEvent }) => {
      if (!sourceEvent) return; // this page moved it
      if (selection === null) return set(all[0], newest);
      const [first, last] = selection.map(weekAt);
      if (first < last) set(first, last);
    });
    const group = Plot.select(drawing).append("g").attr("class", "brush").call(brush);
    const [first, last] = shown();
    if (all.length > 1 && (state.from || state.to)) group.call(brush.move, [first, last].map((week) => x.apply(dateOf(week))));
    show(strip, drawing);
    [from.value, to.value] = [first, last];
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === first && last === newest));
  };
}
