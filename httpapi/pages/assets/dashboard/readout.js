// The legend of the chart, and what it says of the week that is looked at: the
// numbers of the answer, digit for digit.

import { h, show } from "../dom.js";
import { day } from "../format.js";
import { since } from "./data.js";
import { sample } from "./line.js";
import { headline, seriesName } from "./names.js";
import { exact, priced, signed } from "./numbers.js";

// makeReadout shows entries {series, slot} in an element. Its elements stay while
// the weeks change, so that a button keeps the focus.
export function makeReadout(element, remove) {
  const week = h("p", { class: "readout-week" });
  const rows = h("ul", { id: "chosen", "aria-label": "On the chart" });
  show(element, week, rows);
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
    },
  };
}

function numbers(row, from) {
  const label = (text) => h("span", { class: "small muted" }, text);
  return [
    h("strong", {}, exact(row, "index_value")),
    h("span", {}, label(from === null ? "1 week " : `since ${day(from, true)} `), signed(row, "pct_change_wow")),
    h("span", {}, label("4 weeks "), signed(row, "pct_change_mom")),
    h("span", {}, priced(row), label(" matched")),
  ];
}

// spoken says the same to those who can't see it.
export function spoken(list, week) {
  const each = list.map(({ series }) => {
    const row = series.rows.get(week);
    if (!row) return `${seriesName(series)}, ${why(series, week)}`;
    const from = since(series, week);
    const change = row.pct_change_wow === null ? "no change in a week" : `${signed(row, "pct_change_wow")} ${from === null ? "in a week" : `since ${day(from)}`}`;
    return `${seriesName(series)} ${exact(row, "index_value")}, ${change}`;
  });
  return `Week to ${day(week)}. ${each.join(". ")}`;
}

// why says why a series has no row of a week.
export function why(series, week) {
  return series.category === headline && week < series.first ? "before its first week" : "not published: too few matched products";
}
