// Cities, and banners in them, by what the basket costs there.

import { cityName } from "../cities.js";
import { h, show, svg } from "../dom.js";
import { day, dollars, level, none, number, percent } from "../format.js";
import { locale, t } from "../lang.js";
import { since } from "./data.js";
import { bare, changes, hasInterval, interval, isUnclear, levels, eitherWay, overlap } from "./interval.js";
import { isLately, leftOut } from "./lately.js";
import { placeName, seriesKey } from "./names.js";
import { seriesButton } from "./picker.js";
import { change, state } from "./state.js";
import { exact, moved, priced } from "./views.js";

// A column with a kind has intervals. One without "of" can't be sorted by.
const columns = [
  { id: "place", name: t("Place"), of: (place) => place.name },
  { id: "cost", name: t("Basket cost"), of: ({ row }) => row?.basket_cost_cad },
  { id: "coverage", name: t("Priced"), of: ({ row }) => row?.item_count },
  { id: "level", name: t("Level"), of: ({ row }) => row?.index_value, kind: levels },
  { id: "wow", name: t("1 week"), of: ({ row }) => row?.pct_change_wow, kind: changes },
  { id: "mom", name: t("4 weeks") },
];

// showPlaces shows the headlines of places in a week, of the kind and in the order of the
// state. cities are all that there are; whole says whether the series hold every week;
// overTime charts what the basket costs.
export function showPlaces(body, { series: all, whole }, { week, cities: known, overTime }) {
  const places = [...all.values()].filter((one) => one.level !== "national").map((one) => ({
    one, name: placeName(one), row: one.rows.get(week) ?? null, listed: isLately(one, week),
  }));
  const unseen = known.filter((name) => !places.some(({ one }) => one.level === "city" && one.city === name)).map((name) => ({ one: null, name }));
  const nation = all.get("national.overall")?.rows.get(week) ?? null;
  const withChains = [...new Set(places.filter(({ one, listed }) => one.banner && listed).map(({ one }) => one.city))].sort(byText);
  const holder = h("div", {});
  const radio = (value, text) => h("label", {}, h("input", { type: "radio", name: "places", value, checked: state.of === value, onchange: () => choose({ of: value }) }), text);
  const city = h("select", { id: "places-city", onchange: () => choose({ in: city.value }) },
    h("option", { value: "" }, t("In all cities")), withChains.map((name) => h("option", { value: name, selected: name === state.in }, t("In {city}", { city: cityName(name) }))));
  const cityField = h("p", {}, h("label", { for: "places-city", class: "sr" }, t("City of the chains")), city);
  show(body, h("div", { id: "places" },
    h("div", { class: "row no-print" },
      h("fieldset", { id: "places-kind", class: "segments" }, h("legend", { class: "sr" }, t("Places shown")), radio("city", t("Cities")), radio("banner", t("Chains in a city"))),
      cityField, h("button", { type: "button", id: "over-time", onclick: overTime }, t("Chart what it costs over time"))),
    holder));

  function choose(members) {
    change(members);
    draw();
  }

  function draw() {
    cityField.hidden = state.of !== "banner";
    const chosen = places.filter(({ one }) => one.level === state.of && (state.of === "city" || state.in === "" || one.city === state.in));
    const by = columns.find(({ id }) => id === state.sort.replace("-", "")) ?? columns[1];
    const groups = order(chosen.filter(({ listed }) => listed), by, state.sort.startsWith("-"));
    const scale = costs(groups.flat(), nation);
    show(holder, h("table", { id: "places-table", role: "table" },
      h("caption", {}, caption(week, nation, scale), by.kind ? ` ${t("Places whose intervals meet, or that have too few products for one, go by name, and a line divides the groups. That is no test: the difference of two places has an interval of its own.")}` : null),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map((column) => heading(column, by)), h("th", { scope: "col", role: "columnheader", class: "no-print" }, h("span", { class: "sr" }, t("Chart"))))),
      h("tbody", { role: "rowgroup" }, groups.flatMap((group) => group.map((place, i) => line(place, scale, by.kind !== undefined && group !== groups[0] && i === 0))))),
      leftOut(order([...chosen.filter(({ listed }) => !listed), ...(state.of === "city" ? unseen : [])], columns[0], false).flat(), whole));
  }

  function heading({ id, name, of }, by) {
    if (!of) return h("th", { scope: "col", role: "columnheader", class: "num" }, name);
    const falling = state.sort.startsWith("-"), direction = by.id !== id ? "none" : falling ? "descending" : "ascending";
    return h("th", { scope: "col", role: "columnheader", class: id === "place" ? "" : "num", "aria-sort": direction },
      h("button", { type: "button", class: "sort", "data-sort": id, onclick: () => sort(by.id === id && !falling ? `-${id}` : id) }, name));
  }

  function sort(by) {
    choose({ sort: by });
    holder.querySelector(`[data-sort=${by.replace("-", "")}]`).focus(); // the button that was pressed is gone
  }

  draw();
}

// order sorts places into groups. Places whose value or interval is missing are last,
// whichever way the rest goes. Of a column with intervals only groups are ranked.
function order(list, { of, kind }, falling) {
  const lacks = (place) => of(place) === null || of(place) === undefined || kind !== undefined && !hasInterval(place.row, kind);
  const byName = (a, b) => byText(a.name, b.name);
  const sign = falling ? -1 : 1;
  const there = list.filter((place) => !lacks(place))
    .toSorted((a, b) => sign * (typeof of(a) === "string" ? byText(of(a), of(b)) : of(a) - of(b)) || byName(a, b));
  const groups = kind ? apart(there, kind).map((group) => group.toSorted(byName)) : [there];
  return [...groups, list.filter(lacks).toSorted(byName)];
}

// apart cuts a sorted list where every interval before lies apart from every one after.
function apart(list, kind) {
  const groups = [];
  for (const place of list) {
    const met = groups.findIndex((group) => group.some((other) => overlap(other.row, place.row, kind)));
    groups.push([...(met < 0 ? [] : groups.splice(met).flat()), place]);
  }
  return groups;
}

function byText(a, b) {
  return a.localeCompare(b, locale);
}

// costs is the scale of the dots: from the cheapest to the dearest. It is null where
// all cost the same.
function costs(list, nation) {
  const all = [...list.map(({ row }) => row?.basket_cost_cad), nation?.basket_cost_cad].filter((cost) => typeof cost === "number");
  const low = Math.min(...all), high = Math.max(...all);
  if (!(low < high)) return null;
  return { low, high, nation: nation?.basket_cost_cad ?? null, x: (cost) => 5 + 110 * (cost - low) / (high - low) };
}

function caption(week, nation, scale) {
  return [`${t("Week to {week}", { week: day(week) })}. `, nation === null ? "" : `${t("{place}: {cost}, {priced} products priced.", { place: placeName({ level: "national" }), cost: dollars(nation.basket_cost_cad), priced: priced(nation) })} `,
    scale === null ? null : h("span", { class: "dots-words" }, scale.nation === null ? t("Dots lie between {low} and {high}.", { low: dollars(scale.low), high: dollars(scale.high) })
      : t("Dots lie between {low} and {high}; the line is {place}.", { low: dollars(scale.low), high: dollars(scale.high), place: placeName({ level: "national" }) }))];
}

function line({ one, name, row }, scale, divided) {
  const cell = (...children) => h("td", { role: "cell", class: "num" }, ...children);
  return h("tr", { role: "row", class: divided ? "divided" : null, "data-place": seriesKey(one), "data-cost": exact(row, "basket_cost_cad"), "data-level": exact(row, "index_value") },
    h("th", { scope: "row", role: "rowheader" }, name),
    row === null || row.basket_cost_cad === null
      ? h("td", { role: "cell", class: "num absent" }, `${none} `, h("span", { class: "small muted" }, absent(one, row)))
      : h("td", { role: "cell", class: "num cost" }, scale === null ? null : dot(row.basket_cost_cad, scale), dollars(row.basket_cost_cad)),
    cell(bar(row), priced(row)),
    cell(h("span", { title: number(exact(row, "index_value")) }, level(row?.index_value)), row ? aside(interval(row, levels, bare)) : null),
    cell(isUnclear(row, changes) ? eitherWay : moved(row), row ? earlier(since(one, row.date)) : null),
    cell(percent(row?.pct_change_mom)),
    h("td", { role: "cell", class: "act no-print" }, seriesButton(one, name)));
}

function absent(one, row) {
  if (row !== null) return t("too few items priced");
  return t("not published this week; last {cost}, week to {week}", { cost: dollars(one.rows.get(one.last).basket_cost_cad), week: day(one.last) });
}

// earlier says that a change is over more than a week.
function earlier(from) {
  if (from === null) return null;
  return aside(from === "" ? t("over weeks") : t("since {week}", { week: day(from, true) }));
}

function aside(text) {
  return h("span", { class: "small muted since" }, text);
}

function dot(cost, { x, nation }) {
  return svg("svg", { class: "dots", viewBox: "0 0 120 16", "aria-hidden": "true" },
    svg("path", { class: "rule", d: "M5 8H115" }),
    nation === null ? null : svg("path", { class: "nation", d: `M${x(nation).toFixed(1)} 1V15` }),
    svg("circle", { class: "dot", cx: x(cost).toFixed(1), cy: 8, r: 4.5 }));
}

function bar(row) {
  if (!row?.total_items) return null;
  return svg("svg", { class: "bar", viewBox: "0 0 50 6", "aria-hidden": "true" },
    svg("rect", { class: "whole", width: 50, height: 6, rx: 3 }),
    svg("rect", { class: "part", width: (50 * row.item_count / row.total_items).toFixed(1), height: 6, rx: 3 }));
}
