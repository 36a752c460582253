// The legend of the chart, and what it says of the week that is looked at. Levels and
// changes have one decimal; the table has all.

import { h, show } from "../dom.js";
import { day, level, percent } from "../format.js";
import { since } from "./data.js";
import { changes, interval, isUnclear, levels, noClearChange, overlap } from "./interval.js";
import { sample } from "./line.js";
import { headline, seriesName } from "./names.js";
import { exact, priced } from "./numbers.js";

// makeReadout shows entries {series, slot} in an element. Its elements stay while
// the weeks change, so that a button keeps the focus.
export function makeReadout(element, remove) {
  const week = h("p", { class: "readout-week" });
  const rows = h("ul", { id: "chosen", "aria-label": "On the chart" });
  const ranks = h("p", { class: "readout-ranks small" });
  show(element, week, rows, ranks);
  let list = [];

  return {
    set(entries) {
      list = [...entries];
      show(rows, list.map((entry) => h("li", { "data-series": entry.series.key },
        h("span", { class: "readout-name" }, sample(entry.slot), seriesName(entry.series)),
        h("span", { class: "readout-numbers num" }),
        list.length > 1 ? h("button", { type: "button", class: "quiet no-print", "aria-label": `Take ${seriesName(entry.series)} off the chart`, onclick: () => remove(entry) }, "\u00d7") : null)));
    },
    look(date) {
      element.dataset.week = date;
      show(week, `Week to ${day(date)}`);
      list.forEach(({ series }, i) => {
        const row = series.rows.get(date), item = rows.children[i];
        Object.assign(item.dataset, { level: exact(row, "index_value"), wow: exact(row, "pct_change_wow"), mom: exact(row, "pct_change_mom") });
        show(item.querySelector(".readout-numbers"), row ? numbers(row, since(series, date)) : h("span", { class: "muted absent" }, `\u2013 ${why(series, date)}`));
      });
      show(ranks, unranked(list, date), list.filter(({ series }) => series.rows.has(date) && series.revised.has(date))
        .map(({ series }) => ` ${seriesName(series)}: ${revisedIn(series, date)}, first published as ${level(series.revised.get(date).first)}.`));
    },
  };
}

function numbers(row, from) {
  const label = (text) => h("span", { class: "small muted" }, text);
  return [
    h("strong", {}, level(row.index_value)),
    h("span", { class: "interval" }, label(interval(row, levels, "95%: "))),
    h("span", {}, label(from === null ? "1 week " : `since ${day(from, true)} `), weekChange(row)),
    h("span", {}, label("4 weeks "), percent(row.pct_change_mom)),
    h("span", {}, priced(row), label(" matched")),
  ];
}

function weekChange(row) {
  return isUnclear(row, changes) ? noClearChange : percent(row.pct_change_wow);
}

// unranked names the series whose levels of a week can't be ranked.
function unranked(list, week) {
  const there = list.map(({ series }) => ({ name: seriesName(series), row: series.rows.get(week) })).filter(({ row }) => row);
  const pairs = there.flatMap((a, i) => there.slice(i + 1).map((b) => [a, b]));
  const alike = pairs.filter(([a, b]) => overlap(a.row, b.row, levels));
  if (alike.length === 0) return null;
  const which = alike.length === pairs.length ? "any two of these" : alike.map(([a, b]) => `${a.name} and ${b.name}`).join("; ");
  return `Not ranked: the 95% intervals overlap, or one has too few products, of ${which}.`;
}

// spoken says the same to those who can't see it.
export function spoken(list, week) {
  const each = list.map(({ series }) => {
    const row = series.rows.get(week);
    if (!row) return `${seriesName(series)}, ${why(series, week)}`;
    const from = since(series, week);
    const change = row.pct_change_wow === null ? "change in a week not published" : `${weekChange(row)} ${from === null ? "in a week" : `since ${day(from)}`}`;
    const revised = series.revised.has(week) ? `, ${revisedIn(series, week)}` : "";
    return `${seriesName(series)} ${level(row.index_value)}, ${interval(row, levels)}, ${change}${revised}`;
  });
  return `Week to ${day(week)}. ${each.join(". ")}`;
}

// revisedIn names the releases that revised a week of a series.
export function revisedIn(series, week) {
  return `revised in ${series.revised.get(week).releases.join(", ")}`;
}

// why says why a series has no row of a week.
export function why(series, week) {
  return series.category === headline && week < series.first ? "before its first week" : "not published: too few matched products";
}
