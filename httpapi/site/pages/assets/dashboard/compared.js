// Categories and places beside each other: in small multiples, in a grid, and by basket cost.
// They have the unit of the chart, and what is chosen in one is chosen in all.

import { cityName } from "../cities.js";
import { byId, h, show } from "../dom.js";
import { capital, day, level, number } from "../format.js";
import { locale, t } from "../lang.js";
import { known, missing } from "./data.js";
import { commonExtent, drawSmall } from "./drawing.js";
import { categories, categoryName, chainName, cities, headline, placeName, seriesKey } from "./names.js";
import { seriesButton } from "./picker.js";
import { showPlaces } from "./places.js";
import { change, mostSeries, onState, state } from "./state.js";
import { changes, eitherWay, exact, interval, isUnclear, levels, moved, priced, short, views } from "./views.js";

// showMultiples draws items {name, series}; series is null where nothing is published. words
// say what they are.
function showMultiples(list, scale, items, { weeks, view, words }) {
  const known = items.map(({ series }) => series).filter(Boolean);
  const domain = commonExtent(known, weeks, view);
  show(scale, words, known.length === 0 ? "" : ` ${t("All are drawn on the same scale, from {low} to {high}.", { low: view.write(domain[0]), high: view.write(domain[1]) })}`);
  show(list, items.map(({ name, series }) => multiple(name, series, { weeks, view, domain })));
}

function multiple(name, series, { weeks, view, domain }) {
  if (series === null) {
    return h("li", { class: "multiple card", "data-series": "" },
      h("h3", {}, name), h("p", { class: "muted multiple-foot" }, `\u2013 ${t("Not published: too few products are matched.")}`));
  }
  const newest = weeks.at(-1), row = series.rows.get(newest), last = series.rows.get(series.last);
  const gaps = missing(series, weeks), value = row?.[view.member];
  const label = `${t("{name}: line of {n} weeks, now {value}.", { name, n: series.rows.size, value: view.write(value) })}${gaps.length === 0 ? "" : ` ${t("{n} weeks not published.", { n: gaps.length })}`}`;
  return h("li", { class: "multiple card", "data-series": series.key, "data-value": exact(row, view.member), "data-missing": gaps.length },
    h("h3", {}, seriesButton(series, name, name)),
    h("p", { class: "multiple-numbers num" },
      h("span", { class: "multiple-level", title: number(exact(row, view.member)) }, view.write(value)), " ",
      row ? view.member === "index_value" ? weekChange(series, row) : null : h("span", { class: "small" }, t("not published"))),
    drawSmall(series, { weeks, view, domain, width: 300, height: 84, label }),
    h("p", { class: "small muted multiple-foot" }, foot(series, row, last, gaps, view)));
}

function weekChange(series, row) {
  const change = row.pct_change_wow;
  if (change === null) return h("span", { class: "small muted" }, series.rows.size === 1 ? t("first week: no change yet") : t("no change: the week before is not published"));
  if (isUnclear(row, changes)) return h("span", { class: "small" }, eitherWay, h("span", { class: "muted" }, ` ${t("in a week")}`));
  return h("span", { class: "small" }, moved(row), h("span", { class: "muted" }, ` ${t("in a week")}`));
}

function foot(series, row, last, gaps, view) {
  if (!row) return t("Too few products are matched. Last: {value}, week to {week}.", { value: view.write(last[view.member]), week: day(series.last) });
  const words = gaps.length === 0 ? h("span", { class: "wide-only" }, t("{priced} products matched", { priced: priced(row) })) : `\u00d7 ${t("{n} weeks not published: too few products matched", { n: gaps.length })}`;
  if (view.member !== "index_value") return [`${t("Level {level}.", { level: level(row.index_value) })} `, words];
  if (row.category !== null) return words;
  return [capital(interval(row, levels, short)), isUnclear(row, levels) ? h("span", { class: "wide-only" }, t(": other goods could have shown a rise or a fall since the base week")) : null, ". ", words];
}

const byText = (a, b) => a.localeCompare(b, locale);

// makeCompared shows the tab of the state. national, places and grid ask for what it needs;
// refused shows why an asking failed.
export function makeCompared({ national, places, grid, weeks, refused }) {
  const body = byId("compared-body"), words = byId("compared-words"), list = h("ul", { id: "multiples" });
  const newest = weeks.at(-1);
  let turn = 0;

  for (const radio of byId("compared-tabs").querySelectorAll("input")) radio.addEventListener("change", () => change({ tab: radio.value }));
  byId("compared-city").addEventListener("change", (event) => change({ in: event.target.value }));

  const of = (all, level, city = null) => [...all.values()].filter((one) => one.level === level && (city === null || one.city === city));
  // The server refuses a view of many series if one has no level to compare with.
  const refuse = ({ refused: { text }, series }) => {
    const all = [...series.values()].reduce((latest, { first }) => (first > latest ? first : latest), "");
    show(words);
    show(body, h("p", { class: "note" }, text), all === newest ? null : h("button", { type: "button", onclick: () => change({ since: all }) }, t("Since the week to {week} instead", { week: day(all) })));
  };
  const multiples = (answer, items, text, shown) => {
    if (answer.refused) return refuse(answer);
    show(body, list);
    showMultiples(list, words, items, { weeks: shown, view: views.get(state.view), words: text });
  };

  const tabs = {
    async categories() {
      const answer = await national(state), { series } = answer;
      return () => multiples(answer, [...categories].map(([key, name]) => ({ name, series: series.get(`national.${key}`) ?? null })),
        state.view === "index" ? t("Each category is a series of its own, 100 in the base week, the dashed line. The percentage is the change in a week: for a category, the ratio of its two published levels, which has no interval.") : t("The {n} categories of {place}.", { n: categories.size === 9 ? t("nine") : categories.size, place: placeName({ level: "national" }) }), weeks);
    },
    async cities() {
      const answer = await places(state, { level: "city" }), { series } = answer;
      return () => multiples(answer, of(series, "city").map((one) => ({ name: cityName(one.city), series: one })).sort((a, b) => byText(a.name, b.name)),
        state.view === "index" ? t("All groceries in each city. Each level is 100 in the city's own first week, so a higher line is no dearer city.") : t("All groceries in each city."), weeks.slice(-52));
    },
    async chains() {
      const inAll = [...new Set(of((await places(known)).series, "banner").map(({ city }) => city))].sort(byText);
      const city = inAll.includes(state.in) ? state.in : inAll[0];
      const answer = await places(state, { level: "banner", city }), { series } = answer;
      return () => {
        show(byId("compared-city"), inAll.map((name) => h("option", { value: name, selected: name === city }, t("In {city}", { city: cityName(name) }))));
        multiples(answer, of(series, "banner", city).map((one) => ({ name: chainName(one.banner), series: one })).sort((a, b) => byText(a.name, b.name)),
          state.view === "index" ? t("All groceries at the chains in {city}. Each level is 100 in the chain's own first week there.", { city: cityName(city) }) : t("All groceries at the chains in {city}.", { city: cityName(city) }), weeks.slice(-52));
      };
    },
    async grid() {
      const answer = await grid(state);
      return () => (answer.refused ? refuse(answer) : showGrid(body, words, answer.series, newest));
    },
    async costs() {
      const rivals = of((await places(known)).series, "city").filter(({ rows }) => rows.has(newest)).map(({ city }) => city).sort(byText);
      const against = [state.against, state.in, rivals[0]].find((city) => rivals.includes(city));
      const answer = await places(known, {}, against ? { against } : {});
      return () => {
        show(words, h("details", { open: matchMedia("(min-width: 40rem)").matches }, h("summary", {}, t("How places are compared")), t("Places are compared by what the basket costs there. A place that doesn't price every product is grossed up by what the missing ones cost in all cities together, so costs compare whatever the coverage. Levels are compared by the difference to one city: the products that both places have, and its 95% interval, sensitivity to the choice of products, not of stores. Where the interval of a change contains zero, other goods could have shown a rise or a fall.")));
        showPlaces(body, { ...answer, against, rivals }, { week: newest, cities: [...cities.values()], overTime: () => overTime(answer.series) });
      };
    },
  };

  // overTime charts what the basket costs in the cities.
  function overTime(all) {
    const dearest = of(all, "city").filter((one) => typeof one.rows.get(newest)?.basket_cost === "number")
      .sort((a, b) => b.rows.get(newest).basket_cost - a.rows.get(newest).basket_cost);
    const some = dearest.length <= mostSeries ? dearest : [...dearest.slice(0, mostSeries / 2), ...dearest.slice(-mostSeries / 2)];
    change({ view: "cost", s: some.map(seriesKey) });
    byId("explore").scrollIntoView({ block: "start" });
    byId("explore").focus({ preventScroll: true });
  }

  async function render() {
    const mine = ++turn, tab = tabs[state.tab] ? state.tab : "categories";
    for (const radio of byId("compared-tabs").querySelectorAll("input")) radio.checked = radio.value === tab;
    byId("compared-city-field").hidden = tab !== "chains";
    body.setAttribute("aria-busy", "true");
    try {
      const draw = await tabs[tab]();
      const focused = body.contains(document.activeElement) ? document.activeElement.id : "";
      if (mine === turn) draw();
      if (focused) byId(focused)?.focus(); // what was pressed was made anew
    } catch (error) {
      if (mine === turn) refused(body, error, render);
    }
    if (mine !== turn) return;
    body.dataset.shown = `${tab} ${state.view}`;
    body.removeAttribute("aria-busy");
  }

  onState((now, before) => {
    if (["tab", "of", "in", "against", "view", "since"].some((name) => now[name] !== before[name])) render();
  });
}

// showGrid shows a value for each city and category in the newest week.
function showGrid(body, words, all, newest) {
  const view = views.get(state.view), columns = [headline, ...categories.keys()];
  const places = [...new Set([...all.values()].map(({ city }) => city))].sort(byText);
  show(words, t("The week to {week}. A press on a value puts its series on the chart. A dash is not published: too few products are matched.", { week: day(newest) }), state.view === "index" ? ` ${t("Levels of one city's categories compare; those of different cities do not.")}` : "");
  const cell = (city, category) => {
    const one = [...all.values()].find((series) => series.city === city && series.category === category);
    const value = one?.rows.get(newest)?.[view.member] ?? null;
    if (value === null) return h("td", { class: "num muted" }, "\u2013");
    return h("td", { class: "num", "data-series": one.key, "data-value": exact(one.rows.get(newest), view.member) },
      seriesButton(one, `${cityName(city)}, ${categoryName(category).toLowerCase()}`, view.write(value)));
  };
  show(body, h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": t("Cities and categories") }, h("table", { id: "grid" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("City")), columns.map((key) => h("th", { scope: "col", class: "num" }, categoryName(key))))),
    h("tbody", {}, places.map((city) => h("tr", {}, h("th", { scope: "row" }, cityName(city)), columns.map((key) => cell(city, key))))))));
}
