// The chart with what chooses its series, unit and weeks.

import { byId, h, show, svg } from "../dom.js";
import { currency, day } from "../format.js";
import { locale, t } from "../lang.js";
import { makeChart } from "./chart.js";
import { missing } from "./data.js";
import { dateOf, loadPlot } from "./drawing.js";
import { categoryName, headline, parseSeries, placeName, seriesName, shortNames } from "./names.js";
import { makeUnits, remove } from "./picker.js";
import { makeReadout, openWhy, revisedIn, spoken, whyAddress } from "./readout.js";
import { change, figureQuery, onState, state } from "./state.js";
import { showTable } from "./table.js";
import { views } from "./views.js";
import { addDays, nearest } from "./weeks.js";

const lasting = [13, 52, 260];
const height = 44;

// makePeriod returns what draws the strip of all weeks, with entries {series, slot} in the
// unit of a view, and marks the part of it that is shown.
function makePeriod() {
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

// makeExplorer shows what the state says of all weeks. one asks for a series; base is the
// base week of the index, null if it is not known; refused shows why an asking failed.
export function makeExplorer(all, { one, base, refused }) {
  let list = [], weeks = all, turn = 0;
  const readout = makeReadout(byId("chart-readout"), remove);
  const details = byId("chart-data"), holder = details.querySelector(".scroll");
  const chart = makeChart(byId("plot"), {
    look(place) {
      readout.look(weeks[place]);
      return spoken(list, weeks[place], views.get(state.view));
    },
    settled: (week) => change({ week }, { replace: true }),
    opened: ({ series }, place) => openWhy(whyAddress(series, weeks[place])),
  });
  const drawPeriod = makePeriod();
  makeUnits(all, () => list.reduce((latest, { series }) => (series.first > latest ? series.first : latest), all[0]));
  // A table of ten years is made for those who want to see it.
  const fill = () => (details.open ? showTable(holder, list, weeks, state.view) : show(holder));
  details.addEventListener("toggle", () => {
    change({ table: details.open ? "open" : "" });
    fill();
  });

  // load asks for the series of the state. What can't be shown is said.
  async function load() {
    const said = [];
    const found = await Promise.all(state.s.map(async (key) => {
      const wanted = parseSeries(key);
      if (wanted === null) {
        said.push(h("p", {}, t("There is no series {name}.", { name: key })));
        return null;
      }
      try {
        const { series, refused: why } = await one(wanted, state);
        if (series === null) said.push(h("p", {}, t("{series}: nothing is published. Too few of its products are matched.", { series: seriesName(wanted) })));
        if (why) said.push(h("p", {}, why.text));
        return series;
      } catch (error) {
        if (error.status === 400) {
          said.push(h("p", {}, t("There is no series {name}.", { name: key })));
          return null;
        }
        const note = h("div", {});
        refused(note, error, render);
        said.push(note);
        return null;
      }
    }));
    return { said, series: found.map((series, slot) => ({ series, slot })).filter(({ series }) => series !== null) };
  }

  async function render() {
    const mine = ++turn, view = views.get(state.view);
    byId("explore").setAttribute("aria-busy", "true");
    const { said, series } = await load();
    if (mine !== turn) return; // the state has changed while this waited
    const names = series.length > 0 ? shortNames(series.map((entry) => entry.series)) : [];
    list = series.map((entry, i) => ({ ...entry, name: names[i], panel: panelOf(entry.series, view, base) }));
    const span = valued(all, list, view);
    const first = nearest(span, state.from || span[0]), last = nearest(span, state.to || span.at(-1));
    weeks = span.slice(first, Math.max(first, last) + 1);
    readout.set(list, view);
    show(byId("picker-note"), said);
    byId("explore").dataset.shown = `${state.view} ${list.map((entry) => entry.series.key).join(" ")} ${weeks[0]} ${weeks.at(-1)}`;
    if (list.length > 0) {
      chart.draw({ entries: list, weeks, view, events: events(list, weeks, base) }, placeOf(state.week));
      drawPeriod(span, list, view);
    }
    byId("explore").removeAttribute("aria-busy");
    details.open = state.table === "open";
    fill();
    title();
    show(byId("chart-notes"), annotations(list, weeks).map(({ date, text }) => h("li", {}, t("{day}: {text}", { day: day(date), text }))));
    show(byId("chart-gaps"), list.map((entry) => gaps(entry.series, missing(entry.series, weeks))));
    show(byId("chart-revised"), list.map((entry) => revisions(entry.series, weeks)));
    const query = figureQuery(state, locale.slice(0, 2));
    byId("figure-link").href = `/figure?${query}`;
    byId("download").href = `/figure.csv?${query}`;
  }

  const placeOf = (week) => (week === "" ? weeks.length - 1 : nearest(weeks, week));

  function title() {
    const [only] = list, same = (part) => list.length > 0 && list.every(({ series }) => part(series) === part(only.series));
    show(byId("explore-title"), list.length === 1 ? t("{category}, {place}", { category: categoryName(only.series.category), place: placeName(only.series) })
      : same((series) => series.category) ? t("{category}, by place", { category: categoryName(only.series.category) }) : same(placeName) ? t("{place}, by category", { place: placeName(only.series) }) : t("Several series"));
    show(byId("chart-unit"), unitText(list, base));
    byId("panels-note").hidden = new Set(list.map(({ panel }) => panel)).size < 2;
  }

  onState(({ week }, before) => {
    const only = Object.keys(state).every((name) => name === "week" || String(state[name]) === String(before[name]));
    if (only && week !== before.week && list.length > 0) return chart.look(placeOf(week));
    if (["s", "view", "since", "from", "to", "table"].some((name) => String(state[name]) !== String(before[name]))) return render();
  });
}

// valued leaves out the weeks before any series has a change: there is none from
// 52 weeks ago in the first 52. Of a level, a week without it is a gap.
function valued(all, list, view) {
  const first = view.same === 0 ? all.findIndex((week) => list.some(({ series }) => typeof series.rows.get(week)?.[view.member] === "number")) : 0;
  return all.slice(Math.max(0, first));
}

// panelOf says which panel of the chart has a series. In the index view a panel has the
// levels of one place and base week: others would not compare.
function panelOf(series, view, base) {
  if (view.shared) return "";
  const start = series.category === headline ? series.first : base;
  return `${placeName(series)} ${start}`;
}

function unitText(list, base) {
  switch (state.view) {
    case "yoy": return t("Percent change in 52 weeks");
    case "since": return t("Percent since the week to {week}", { week: day(state.since) });
    case "4w": return t("Percent change in four weeks");
    case "cost": return currency === "CAD" ? t("Cost of the basket, dollars") : t("Cost of the basket, {currency}", { currency });
  }
  const bases = new Set(list.map(({ series }) => (series.category === headline ? series.first : base)));
  return bases.size === 1 && ![...bases][0] ? t("Index") : bases.size === 1 ? t("Index, week to {week} = 100", { week: day([...bases][0]) }) : t("Index, 100 in the base week of each series");
}

// events are what the chart marks beside the lines: the week that levels or changes are
// compared with, and the annotations of the snapshot, by their numbers.
function events(list, weeks, base) {
  const marked = new Map();
  for (const { series, panel } of list) {
    const week = state.view === "index" ? (series.category === headline ? series.first : base) : state.view === "since" ? state.since : null;
    if (week && weeks.includes(week)) marked.set(`${panel} ${week}`, { panel, week, date: week, mark: state.view === "index" ? t("base week") : t("compared with"), foot: true });
  }
  return [...marked.values(), ...annotations(list, weeks).map(({ date, text }, i) => ({ panel: "", week: weeks.find((week) => week >= date), date, mark: String(i + 1), text }))];
}

// annotations are those of all series and of the list's.
function annotations(list, weeks) {
  return [...byId("annotations").children].map((item) => ({ ...item.dataset, text: item.textContent }))
    .filter(({ date, series }) => date >= weeks[0] && date <= weeks.at(-1) && (series === "" || list.some((entry) => entry.series.key === series)));
}

function gaps(series, absent) {
  if (absent.length === 0) return null;
  const parts = { series: seriesName(series), n: absent.length, weeks: absent.map((week) => day(week, true)).join(", ") };
  return h("span", { class: "gap" }, "\u00d7 ", absent.length <= 6 ? t("{series}: not published, too few matched products: weeks to {weeks}.", parts) : t("{series}: {n} weeks not published, too few matched products.", parts));
}

// revisions lists the weeks that are marked as revised.
function revisions(series, weeks) {
  const revised = weeks.filter((week) => series.rows.has(week) && series.revised.has(week));
  if (revised.length === 0) return null;
  const named = revised.length <= 6 ? revised.map((week) => t("week to {week} {revised}", { week: day(week, true), revised: revisedIn(series, week) })).join(", ") : t("{n} weeks revised", { n: revised.length });
  return h("span", { class: "gap" }, "\u25cb ", t("{series}: {revised}.", { series: seriesName(series), revised: named }));
}
