// The chart as it is used: the week that is looked at, by pointer, finger or key, and a tip
// with the values of all series.

import { byId, h, show, svg } from "../dom.js";
import { day } from "../format.js";
import { drawChart, sample } from "./drawing.js";

// makeChart draws into an element that takes the focus as a slider over weeks. look is
// called with the place of the week that is looked at, and returns the week in words.
// settled is called with a week that somebody chose, "" for the newest. opened is called with
// an entry and the place of a week that somebody wants to know more of. The returned
// functions draw what drawChart takes, and look at a place.
export function makeChart(plot, { look, settled, opened }) {
  let given = null, drawn = null, at = 0, values = [];
  const looked = svg("g", {}), tip = byId("tip");

  function draw() {
    const start = performance.now();
    byId("first")?.remove(); // the server's picture
    plot.hidden = false;
    const width = Math.max(240, plot.clientWidth);
    const panels = new Set(given.entries.map(({ panel }) => panel)).size;
    const height = Math.max(width < 560 ? 264 : 400, panels > 1 ? panels * 88 + 56 : 0);
    drawn = drawChart({ ...given, width, height, font: getComputedStyle(plot).fontFamily });
    show(plot, drawn.drawing, tip);
    drawn.drawing.append(looked);
    lookAt(at);
    performance.measure("chart drawn", { start });
  }

  // lookAt marks a week. With a tip, its values are beside the pointer.
  function lookAt(place, tipped = false) {
    const { weeks, view, entries } = given;
    at = Math.max(0, Math.min(weeks.length - 1, place));
    const x = drawn.x(weeks[at]);
    values = entries.map((entry) => ({ ...entry, value: entry.series.rows.get(weeks[at])?.[view.member] ?? null }));
    show(looked, svg("path", { class: "crosshair", d: `M${x} ${drawn.top}V${drawn.foot}` }),
      values.map((one) => (one.value === null ? null : svg("circle", { class: `s${one.slot} end`, cx: x, cy: drawn.y(one, one.value), r: 4.5 }))));
    for (const [name, value] of Object.entries({ valuemin: 0, valuemax: weeks.length - 1, valuenow: at, valuetext: look(at) })) {
      plot.setAttribute(`aria-${name}`, value);
    }
    tip.hidden = !tipped;
    if (!tipped) return;
    const sorted = values.toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
    show(tip, h("strong", {}, day(weeks[at])), sorted.map(({ slot, name, value }) => h("span", {}, sample(slot), h("span", {}, name), h("b", { class: "num" }, view.write(value)))),
      given.events.filter(({ week, text }) => text && week === weeks[at]).map(({ text }) => h("em", {}, text)));
    const room = plot.clientWidth - tip.offsetWidth;
    const left = x + 14 + tip.offsetWidth > plot.clientWidth ? x - 14 - tip.offsetWidth : x + 14;
    tip.style.transform = `translate(${Math.max(0, Math.min(room, left))}px, ${drawn.top}px)`;
  }

  // nearest is the place of the week nearest to a pointer.
  function nearest(event) {
    const { weeks } = given;
    const x = event.clientX - plot.getBoundingClientRect().left;
    const start = drawn.x(weeks[0]), end = drawn.x(weeks.at(-1));
    return end === start ? 0 : Math.round((x - start) / (end - start) * (weeks.length - 1));
  }

  const choose = () => settled(at === given.weeks.length - 1 ? "" : given.weeks[at]);
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4, Home: -Infinity, End: Infinity };
  // open opens the entry that is nearest to a height, or the first one.
  function open(y = null) {
    const there = values.filter(({ value }) => value !== null);
    const away = (one) => (y === null ? 0 : Math.abs(drawn.y(one, one.value) - y));
    const [first] = there.toSorted((a, b) => away(a) - away(b));
    if (first) opened(first, at);
  }

  plot.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && drawn !== null) return open();
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey || drawn === null) return;
    event.preventDefault();
    lookAt(at + steps[event.key]);
  });
  plot.addEventListener("keyup", (event) => { if (event.key in steps) choose(); });
  // A click opens the week. A finger looks at it first, and opens it when it is there again.
  const slip = 6; // pixels that a click may move
  let down = null, touched = null;
  plot.addEventListener("pointerdown", (event) => { down = event; });
  plot.addEventListener("click", (event) => {
    if (drawn === null || down === null || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > slip) return;
    const again = touched === at;
    touched = at;
    if (event.pointerType !== "touch" || again) open(event.clientY - plot.getBoundingClientRect().top);
  });
  for (const kind of ["pointermove", "pointerdown"]) plot.addEventListener(kind, (event) => drawn && lookAt(nearest(event), true));
  plot.addEventListener("pointerup", choose); // a click or a finger keeps the week
  plot.addEventListener("pointerleave", (event) => {
    if (drawn === null) return;
    if (event.pointerType === "mouse") lookAt(given.place);
    else tip.hidden = true;
  });
  new ResizeObserver(() => {
    if (drawn && Math.abs(plot.clientWidth - drawn.width) > 1) draw();
  }).observe(plot);

  return {
    draw(what, place) {
      given = { ...what, place };
      at = place;
      draw();
    },
    look(place) {
      given.place = place;
      lookAt(place, !tip.hidden);
    },
  };
}
