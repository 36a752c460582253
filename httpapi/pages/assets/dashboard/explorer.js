// The chart with all that belongs to it: legend, warning, table and file.

import { byId, h, show, svg } from "../dom.js";
import { day, plural } from "../format.js";
import { makeChart } from "./chart.js";
import { csv, fileName, save } from "./csv.js";
import { missing } from "./data.js";
import { headline, seriesName } from "./names.js";
import { makeReadout, revisedIn, spoken } from "./readout.js";
import { showTable } from "./table.js";

// makeExplorer returns what draws chosen entries {series, slot} over the last so
// many of all weeks. remove takes an entry off.
export function makeExplorer(all, { source, release }, remove) {
  let list = [], weeks = all;
  const readout = makeReadout(byId("chart-readout"), remove);
  const details = byId("chart-data"), holder = details.querySelector(".scroll");
  const draw = makeChart(byId("plot"), (place) => {
    readout.look(weeks[place]);
    return spoken(list, weeks[place]);
  });
  // A table of ten years is made for those who want to see it.
  const fill = () => (details.open ? showTable(holder, list, weeks) : show(holder));
  details.addEventListener("toggle", fill);
  byId("download").addEventListener("click", () => {
    save(fileName(list, weeks), csv(list, weeks, `${source}${release ? `, release ${release.id}` : ""}, ${location.origin}`));
  });

  return (chosen, count) => {
    list = chosen;
    weeks = all.slice(-Math.min(count, all.length));
    readout.set(list);
    draw(list, weeks);
    fill();
    byId("axis-warning").hidden = list.length < 2;
    show(byId("axis-warning"), warning(list));
    show(byId("chart-gaps"), list.map(({ series }) => gaps(series, missing(series, weeks))));
    show(byId("chart-revised"), list.map(({ series }) => revisions(series, weeks)));
    show(byId("download-note"), `${plural(list.length, "series", "series")} over ${plural(weeks.length, "week")}, missing weeks marked. Made in your browser.`);
  };
}

// warning says what not to read off several lines. Only categories of one place
// have a base week in common.
function warning(list) {
  const [{ series: first }] = list;
  const siblings = list.every(({ series }) => series.category !== headline && series.city === first.city && series.banner === first.banner);
  return siblings
    ? "These are different series on one axis. Each is matched over products of its own and is 100 in the same base week: read how far each has moved since, not which is dearer."
    : "Levels of different series do not compare with each other. Each is 100 in its own base week, so a higher line is no dearer place: read only how each line moves, and compare places by basket cost.";
}

function gaps(series, absent) {
  if (absent.length === 0) return null;
  const named = absent.length <= 6 ? `${absent.length === 1 ? "week" : "weeks"} to ${absent.map((week) => day(week, true)).join(", ")}` : plural(absent.length, "week");
  return h("span", { class: "gap" }, `\u00d7 ${seriesName(series)}: ${named} not published, too few matched products. `);
}

// revisions lists the weeks that are marked as revised.
function revisions(series, weeks) {
  const revised = weeks.filter((week) => series.rows.has(week) && series.revised.has(week));
  if (revised.length === 0) return null;
  const named = revised.length <= 6 ? revised.map((week) => `week to ${day(week, true)} ${revisedIn(series, week)}`).join(", ") : `${plural(revised.length, "week")} revised`;
  return h("span", { class: "gap" }, `\u25cb ${seriesName(series)}: ${named}. `);
}

// addButton puts a series on the chart.
export function addButton(series, name, add) {
  return h("button", { type: "button", class: "quiet add no-print", "data-add": series.key, "aria-label": `Chart ${name}`, onclick: () => add(series) },
    svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: "M3 3v14h14M6 13l3.5-4 3 2.5L17 6" })),
    h("span", {}, "Chart"));
}
