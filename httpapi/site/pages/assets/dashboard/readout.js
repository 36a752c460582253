// The legend of the chart, and what it says of the week that is looked at. Levels and
// changes have one decimal; the table has all.

import { h, show } from "../dom.js";
import { day, level, percent } from "../format.js";
import { t } from "../lang.js";
import { since } from "./data.js";
import { sample } from "./drawing.js";
import { changes, interval, isUnclear, levels, eitherWay, short } from "./interval.js";
import { headline, seriesName } from "./names.js";
import { exact, priced } from "./views.js";
import { whyAddress } from "./why.js";

// makeReadout shows entries {series, slot, name} in an element, in the unit of a view. Its elements
// stay while the weeks change, so that a button keeps the focus.
export function makeReadout(element, remove) {
  const week = h("p", { class: "readout-week" });
  const rows = h("ul", { id: "chosen", "aria-label": t("On the chart") });
  const revised = h("p", { class: "readout-revised small" });
  show(element, week, rows, revised);
  let list = [], view = null;

  return {
    set(entries, unit) {
      [list, view] = [[...entries], unit];
      show(rows, list.map(({ series, slot, name }) => h("li", { "data-series": series.key },
        h("span", { class: "readout-name" }, sample(slot), name),
        h("strong", { class: "readout-value num" }),
        h("span", { class: "readout-numbers num small muted" }),
        h("a", { class: "readout-why small no-print" }, t("Why?"), h("span", { class: "sr" }, ` ${seriesName(series)}`)),
        list.length > 1 ? h("button", { type: "button", class: "quiet no-print", "aria-label": t("Take {series} off the chart", { series: seriesName(series) }), onclick: () => remove(series.key) }, "\u00d7") : null)));
    },
    look(date) {
      element.dataset.week = date;
      show(week, t("Week to {week}", { week: day(date) }));
      list.forEach(({ series }, i) => {
        const row = series.rows.get(date), item = rows.children[i];
        item.dataset.value = exact(row, view.member);
        show(item.querySelector(".readout-value"), view.write(row?.[view.member]));
        const link = item.querySelector(".readout-why");
        link.hidden = !row;
        link.href = whyAddress(series, date);
        show(item.querySelector(".readout-numbers"), row ? numbers(row, view, since(series, date)) : h("span", { class: "absent" }, why(series, date)));
      });
      show(revised, list.filter(({ series }) => series.rows.has(date) && series.revised.has(date))
        .map(({ series }) => ` ${t("{series}: {revised}, first published as {level}.", { series: seriesName(series), revised: revisedIn(series, date), level: level(series.revised.get(date).first) })}`));
    },
  };
}

function numbers(row, view, from) {
  return [
    view.member !== "index_value" ? t("level {level}", { level: level(row.index_value) }) : row.category === null ? interval(row, levels, short) : null,
    from === null ? t("1 week {change}", { change: weekChange(row) }) : t("since {week} {change}", { week: day(from, true), change: weekChange(row) }),
    t("4 weeks {change}", { change: percent(row.pct_change_mom) }),
    t("{priced} matched", { priced: priced(row) }),
  ].map((text) => text === null ? null : h("span", {}, text));
}

function weekChange(row) {
  return isUnclear(row, changes) ? eitherWay : percent(row.pct_change_wow);
}

// spoken says the same to those who can't see it.
export function spoken(list, week, view) {
  const each = list.map(({ series }) => {
    const row = series.rows.get(week);
    if (!row) return `${seriesName(series)}, ${why(series, week)}`;
    if (view.member !== "index_value") return `${seriesName(series)} ${view.write(row[view.member])}`;
    const from = since(series, week);
    const change = row.pct_change_wow === null ? t("change in a week not published")
      : from === null ? t("{change} in a week", { change: weekChange(row) }) : t("{change} since {week}", { change: weekChange(row), week: day(from) });
    const revised = series.revised.has(week) ? `, ${revisedIn(series, week)}` : "";
    return `${seriesName(series)} ${level(row.index_value)}, ${row.category === null ? `${interval(row, levels)}, ` : ""}${change}${revised}`;
  });
  return `${t("Week to {week}", { week: day(week) })}. ${each.join(". ")}`;
}

// revisedIn names the releases that revised a week of a series.
export function revisedIn(series, week) {
  return t("revised in {releases}", { releases: series.revised.get(week).releases.join(", ") });
}

// why says why a series has no row of a week.
export function why(series, week) {
  return series.category === headline && week < series.first ? t("before its first week") : t("not published: too few matched products");
}
