// Why a week moved, in a dialog. It shows the server's own page of the week, which a browser
// reads as a page: no script makes markup of it. Without this script the links lead there.

import { byId, h, show } from "../dom.js";
import { day, level, percent } from "../format.js";
import { parameter, t } from "../lang.js";
import { since } from "./data.js";
import { sample } from "./drawing.js";
import { headline, seriesName } from "./names.js";
import { changes, eitherWay, exact, interval, isUnclear, levels, priced, short } from "./views.js";

const dialog = byId("why-dialog"), body = byId("why-body");
const path = "/why";

// whyAddress is the address of the page of a week of a series.
export function whyAddress(series, week) {
  const query = new URLSearchParams({ s: series.key, week });
  if (parameter) query.set("lang", parameter);
  return `${path}?${query}`;
}

let turn = 0;

// openWhy shows the page of an address.
export async function openWhy(address) {
  const mine = ++turn;
  byId("why-alone").href = address;
  show(body, h("p", { class: "muted" }, t("Loading…")));
  if (!dialog.open) dialog.showModal();
  const found = await load(address).catch(() => null);
  if (mine !== turn) return;
  show(body, found ?? h("p", { role: "alert" }, t("The server can't be reached. Check the connection and try again.")));
  dialog.scrollTop = 0;
}

// load returns the main part of a page, or null if what answered is none.
function load(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => resolve(request.response?.querySelector("#why, #trouble") ?? null);
    request.onerror = reject;
    request.send();
  });
}

// Links to weeks open in place, unless they are to open elsewhere.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link === null || link.pathname !== path || link.id === "why-alone" || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openWhy(link.href);
});
byId("why-close").addEventListener("click", () => dialog.close());

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

const weekChange = (row) => (isUnclear(row, changes) ? eitherWay : percent(row.pct_change_wow));

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
