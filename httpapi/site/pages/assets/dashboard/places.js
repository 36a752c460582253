// Cities, and banners in them, by what the basket costs there.

import { cityName } from "../cities.js";
import { h, show, svg } from "../dom.js";
import { day, dollars, level, none, number, percent } from "../format.js";
import { locale, t } from "../lang.js";
import { since } from "./data.js";
import { placeName, seriesKey } from "./names.js";
import { seriesButton } from "./picker.js";
import { change, state } from "./state.js";
import { changes, differences, eitherWay, exact, hasInterval, interval, isUnclear, moved, priced, short } from "./views.js";
import { addDays } from "./weeks.js";

const weeks = 5;

// isLately says whether a series has a row of the weeks up to this one.
const isLately = (one, week) => one.last >= addDays(week, -7 * (weeks - 1));

// leftOut says which places {one, name} a table lacks, and since when; null if none.
// one is null where there is no row; whole says that there never was.
function leftOut(places, whole) {
  if (places.length === 0) return null;
  const absent = whole ? t("never published") : t("not in the last 52 weeks");
  const named = places.map(({ one, name }) => `${name} (${one === null ? absent : t("last in the week to {week}", { week: day(one.last) })})`).join("; ");
  return h("p", { id: "places-left-out", class: "small measure" },
    t("Not in this table, as nothing was published in the last five weeks: {places}.", { places: named }), places.some(({ one }) => one !== null) ? ` ${t("Earlier weeks can be put on the chart above.")}` : "");
}

// showPlaces shows the headlines of places in a week, of the kind of the state: by name, grouped by the difference to the
// city `against`, one of `rivals`. cities are all that there are; whole says whether the series hold every week;
// overTime charts what the basket costs.
export function showPlaces(body, { series: all, whole, against, rivals }, { week, cities: known, overTime }) {
  const places = [...all.values()].filter((one) => one.level !== "national").map((one) => ({
    one, name: placeName(one), row: one.rows.get(week) ?? null, listed: isLately(one, week),
  }));
  const unseen = known.filter((name) => !places.some(({ one }) => one.level === "city" && one.city === name)).map((name) => ({ one: null, name }));
  const nation = all.get("national.overall")?.rows.get(week) ?? null;
  const withChains = [...new Set(places.filter(({ one, listed }) => one.banner && listed).map(({ one }) => one.city))].sort(byText);
  const radio = (value, text) => h("label", {}, h("input", { type: "radio", name: "places", id: `places-of-${value}`, value, checked: state.of === value, onchange: () => change({ of: value }) }), text);
  const choice = (id, label, options, member) => h("p", {}, h("label", { for: id }, label, " "),
    h("select", { id, onchange: (event) => change({ [member]: event.target.value }) }, options));
  const option = (value, text, selected) => h("option", { value, selected }, text);
  const chosen = places.filter(({ one }) => one.level === state.of && (state.of === "city" || state.in === "" || one.city === state.in)).sort(byName);
  const listed = chosen.filter((place) => place.listed), scale = costs(listed, nation);
  const columns = [t("Basket cost"), t("Priced"), against ? t("Level, difference to {city}", { city: cityName(against) }) : t("Level"), t("1 week"), t("4 weeks")];
  show(body, h("div", { id: "places" },
    h("div", { class: "row no-print" },
      h("fieldset", { id: "places-kind", class: "segments" }, h("legend", { class: "sr" }, t("Places shown")), radio("city", t("Cities")), radio("banner", t("Chains in a city"))),
      state.of === "banner" ? choice("places-city", h("span", { class: "sr" }, t("City of the chains")),
        [option("", t("In all cities"), false), ...withChains.map((name) => option(name, t("In {city}", { city: cityName(name) }), name === state.in))], "in") : null,
      against ? choice("places-against", t("Compare levels with"), rivals.map((name) => option(name, cityName(name), name === against)), "against") : null,
      h("button", { type: "button", id: "over-time", onclick: overTime }, t("Chart what it costs over time"))),
    h("table", { id: "places-table", role: "table" },
      h("caption", {}, caption(week, nation, scale), against ? ` ${t("Places go by name. A place stands above or below {city} where the 95% interval of the difference of their levels leaves out zero.", { city: cityName(against) })}` : null),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, t("Place")), columns.map((name) => h("th", { scope: "col", role: "columnheader", class: "num" }, name)),
        h("th", { scope: "col", role: "columnheader", class: "no-print" }, h("span", { class: "sr" }, t("Chart"))))),
      grouped(listed, against).map(({ id, name, places: group }) => h("tbody", { role: "rowgroup", "data-group": id },
        name ? h("tr", { role: "row" }, h("th", { scope: "rowgroup", role: "rowheader", class: "group", colSpan: 7 }, name)) : null,
        group.map((place) => line(place, scale, against))))),
    leftOut([...chosen.filter((place) => !place.listed), ...(state.of === "city" ? unseen : [])].sort(byName), whole)));
}

// grouped puts places above, beside and below a city, by the interval of each one's difference to it.
function grouped(places, against) {
  if (!against) return [{ places }];
  const city = cityName(against);
  const groups = [
    { id: "above", name: t("Level above {city}", { city }), has: ({ row }) => row?.pct_difference_low > 0 },
    { id: "even", name: t("No clear difference to {city}", { city }), has: ({ one, row }) => isSelf(one, against) || isUnclear(row, differences) },
    { id: "below", name: t("Level below {city}", { city }), has: ({ row }) => hasInterval(row, differences) && row.pct_difference_high < 0 },
    { id: "unknown", name: t("No interval of the difference to {city}", { city }), has: ({ one, row }) => !isSelf(one, against) && !hasInterval(row, differences) },
  ];
  return groups.map((group) => ({ ...group, places: places.filter(group.has) })).filter(({ places: some }) => some.length > 0);
}

const isSelf = (one, against) => one.level === "city" && one.city === against;
const byName = (a, b) => byText(a.name, b.name);

function byText(a, b) {
  return a.localeCompare(b, locale);
}

// costs is the scale of the dots: from the cheapest to the dearest. It is null where
// all cost the same.
function costs(list, nation) {
  const all = [...list.map(({ row }) => row?.basket_cost), nation?.basket_cost].filter((cost) => typeof cost === "number");
  const low = Math.min(...all), high = Math.max(...all);
  if (!(low < high)) return null;
  return { low, high, nation: nation?.basket_cost ?? null, x: (cost) => 5 + 110 * (cost - low) / (high - low) };
}

function caption(week, nation, scale) {
  return [`${t("Week to {week}", { week: day(week) })}. `, nation === null ? "" : `${t("{place}: {cost}, {priced} products priced.", { place: placeName({ level: "national" }), cost: dollars(nation.basket_cost), priced: priced(nation) })} `,
    scale === null ? null : h("span", { class: "dots-words" }, scale.nation === null ? t("Dots lie between {low} and {high}.", { low: dollars(scale.low), high: dollars(scale.high) })
      : t("Dots lie between {low} and {high}; the line is {place}.", { low: dollars(scale.low), high: dollars(scale.high), place: placeName({ level: "national" }) }))];
}

function line({ one, name, row }, scale, against) {
  const cell = (...children) => h("td", { role: "cell", class: "num" }, ...children);
  return h("tr", { role: "row", "data-place": seriesKey(one), "data-cost": exact(row, "basket_cost"), "data-level": exact(row, "index_value") },
    h("th", { scope: "row", role: "rowheader" }, name),
    row === null || row.basket_cost === null
      ? h("td", { role: "cell", class: "num absent" }, `${none} `, h("span", { class: "small muted" }, absent(one, row)))
      : h("td", { role: "cell", class: "num cost" }, scale === null ? null : dot(row.basket_cost, scale), dollars(row.basket_cost)),
    cell(bar(row), priced(row)),
    cell(h("span", { title: number(exact(row, "index_value")) }, level(row?.index_value)), row && against && !isSelf(one, against) ? aside(difference(row)) : null),
    cell(isUnclear(row, changes) ? eitherWay : moved(row), row ? earlier(since(one, row.date)) : null),
    cell(percent(row?.pct_change_mom)),
    h("td", { role: "cell", class: "act no-print" }, seriesButton(one, name)));
}

function absent(one, row) {
  if (row !== null) return t("too few items priced");
  return t("not published this week; last {cost}, week to {week}", { cost: dollars(one.rows.get(one.last).basket_cost), week: day(one.last) });
}

function difference(row) {
  if (typeof row.pct_difference !== "number") return t("not compared");
  return `${percent(row.pct_difference)}, ${interval(row, differences, short)}`;
}

// earlier says that a change is over more than a week.
function earlier(from) {
  if (from === null) return null;
  return aside(from === "" ? t("over weeks") : t("since {week}", { week: day(from, true) }));
}

const aside = (text) => h("span", { class: "small muted since" }, text);

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
