// Choosing the unit of the chart, and the series on it.

import { cityName } from "../cities.js";
import { byId, h, say, show, svg } from "../dom.js";
import { locale, t } from "../lang.js";
import { categories, categoryName, chainName, headline, seriesKey, seriesName } from "./names.js";
import { change, mostSeries, onState, state, toggle } from "./state.js";
import { views } from "./views.js";
import { nearest } from "./weeks.js";

// add puts a series on the chart and says so.
function add(series) {
  const name = seriesName(series), key = seriesKey(series);
  const there = state.s.includes(key) || toggle(key);
  say(byId("picker-note"), there ? t("{series} is on the chart.", { series: name }) : t("The chart has {n} series, which is as many as one can tell apart. Take one off first.", { n: mostSeries }));
}

// remove takes a series off the chart.
export function remove(key) {
  toggle(key);
  byId("picker-add").focus();
}

// makeUnits wires the units. all are the weeks there are; sinceByDefault returns the first
// week in which all series on the chart have a level.
export function makeUnits(all, sinceByDefault) {
  const field = byId("since");
  Object.assign(field, { min: all[0], max: all.at(-1), step: 7 });
  show(byId("views"), h("legend", { class: "sr" }, t("Unit")), [...views].map(([id, { name }]) => h("label", {},
    h("input", { type: "radio", name: "view", value: id, onchange: () => change({ view: id, since: id === "since" ? state.since || sinceByDefault() : state.since }) }), name)));
  field.addEventListener("change", () => change({ since: all[nearest(all, field.value || all[0])] }));
  onState(({ view, since }) => {
    for (const radio of byId("views").querySelectorAll("input")) radio.checked = radio.value === view;
    byId("since-field").hidden = view !== "since";
    field.value = since;
  });
}

// makePicker wires the choice of a series. places maps cities to the keys of their chains.
export function makePicker() {
  const [level, city, banner, category] = ["level", "city", "banner", "category"].map((name) => byId(`picker-${name}`));
  show(category, [headline, ...categories.keys()].map((key) => h("option", { value: key }, categoryName(key))));

  byId("picker").addEventListener("submit", (event) => {
    event.preventDefault();
    add({
      level: level.value, category: category.value,
      city: level.value === "national" ? null : city.value, banner: level.value === "banner" ? banner.value : null,
    });
  });

  let places = new Map();
  function fields() {
    show(banner, (places.get(city.value) ?? []).map((key) => [chainName(key), key]).toSorted().map(([name, key]) => h("option", { value: key }, name)));
    city.parentElement.hidden = level.value === "national";
    banner.parentElement.hidden = level.value !== "banner";
    for (const option of level.options) option.disabled = option.value !== "national" && places.size === 0;
  }
  level.addEventListener("change", fields);
  city.addEventListener("change", fields);
  fields();

  return (found) => {
    places = found;
    show(city, [...places.keys()].toSorted((a, b) => a.localeCompare(b, locale)).map((name) => h("option", { value: name }, cityName(name))));
    fields();
  };
}

// seriesButton puts a series on the chart or takes it off, wherever the page shows it. It has
// the colour of the series' line.
export function seriesButton(series, name, ...children) {
  const key = seriesKey(series);
  const button = h("button", { type: "button", class: "quiet series", "data-add": key, "aria-label": children.length > 0 ? null : t("Chart {name}", { name }), onclick: () => (state.s.includes(key) ? toggle(key) : add(series)) },
    children.length > 0 ? [children, h("span", { class: "sr" }, ` ${children[0] === name ? t("on the chart") : t("{name} on the chart", { name })}`)] : [svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: "M3 3v14h14M6 13l3.5-4 3 2.5L17 6" }))]);
  mark(button);
  return button;
}

function mark(button) {
  const slot = state.s.indexOf(button.dataset.add);
  button.setAttribute("aria-pressed", String(slot >= 0));
  for (let other = 0; other < mostSeries; other++) button.classList.toggle(`s${other}`, other === slot);
}

onState(() => {
  for (const button of document.querySelectorAll("[data-add]")) mark(button);
});
