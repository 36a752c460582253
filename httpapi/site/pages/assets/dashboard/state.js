// The state of the dashboard. It is in the address and nowhere else, so that a reload,
// Back and another browser show the same.

import { views } from "./views.js";

export const mostSeries = 6; // that one can tell apart
const first = "national.overall";

// The members of a state, with their values by default. Those of the chart have the names
// that /figure has. An empty week or date is the newest, or all there is.
const texts = {
  view: "index", since: "", from: "", to: "", week: "", // the chart
  tab: "categories", of: "city", in: "", against: "", // categories and places
  days: "90", grades: "high,medium", // packs that got smaller
  table: "", // "open"
};
const date = /^\d{4}-\d{2}-\d{2}$/;

function read() {
  const query = new URLSearchParams(location.search);
  const state = { s: [...new Set(query.getAll("s"))].slice(0, mostSeries) };
  if (state.s.length === 0) state.s = [first];
  for (const [name, normal] of Object.entries(texts)) state[name] = query.get(name) ?? normal;
  if (!views.has(state.view)) state.view = texts.view;
  for (const name of ["since", "from", "to", "week"]) if (!date.test(state[name])) state[name] = "";
  return state;
}

// addressOf writes what differs from the state by default.
function addressOf(state) {
  const query = new URLSearchParams();
  if (state.s.length > 1 || state.s[0] !== first) for (const name of state.s) query.append("s", name);
  for (const [name, normal] of Object.entries(texts)) if (state[name] !== normal) query.set(name, state[name]);
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

// figureQuery is the query of the chart's address at /figure, in a language.
export function figureQuery({ s, view, since, from, to }, language) {
  const query = new URLSearchParams(s.map((name) => ["s", name]));
  const others = { view, since: view === "since" ? since : "", from, to, lang: language };
  for (const [name, value] of Object.entries(others)) if (value !== "") query.set(name, value);
  return query;
}

const listeners = [];
export let state = read();

// onState calls a function now, and whenever the state changes, with the state before.
export function onState(listener) {
  listeners.push(listener);
  listener(state, {});
}

// change sets members of the state. Back leads to the state before, except with
// replace: for what changes all the time.
export function change(members, { replace = false } = {}) {
  const before = state;
  state = { ...state, ...members };
  const address = addressOf(state);
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  tell(before);
}

function tell(before) {
  for (const listener of listeners) listener(state, before);
}

addEventListener("popstate", () => {
  const before = state;
  state = read();
  tell(before);
});

// toggle puts a series on the chart or takes it off. It returns false if the chart is full.
export function toggle(key) {
  const { s } = state;
  if (s.includes(key)) {
    if (s.length > 1) change({ s: s.filter((other) => other !== key) });
    return true;
  }
  if (s.length >= mostSeries) return false;
  change({ s: [...s, key] });
  return true;
}
