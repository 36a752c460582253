// Figures as they are used: the values of a week by pointer, finger and key, weeks chosen by dragging, and
// another figure in place of this one without another page. Whatever it does, links and forms do without it.

import { byId, h, say, show } from "./dom.js";

const live = h("p", { class: "sr", "aria-live": "polite" });
document.body.append(live);

// Hand looks at the weeks of a picture. The server has drawn it, and says of each of its sizes where the plot
// is; the values and the addresses behind them are those of the table.
class Hand {
  constructor(box, table) {
    this.box = box;
    this.names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
    const { first, last } = box.dataset;
    this.weeks = [...table.tBodies[0].rows].map((row) => {
      const time = row.querySelector("time");
      return { date: time.dateTime, day: time.textContent, points: [...row.cells].slice(1).map(({ dataset, textContent, firstElementChild }, i) => (
        { name: this.names[i], text: textContent, y: dataset.y === undefined ? null : Number(dataset.y), href: firstElementChild?.href })) };
    }).filter(({ date }) => first <= date && date <= last).reverse();
    this.at = this.weeks.length - 1;
    this.hand = byId("hand").content.firstElementChild.cloneNode(true);
    this.mark = h("span", { class: "mark" });
    this.chosen = h("span", { class: "chosen" });
    this.tip = h("span", { class: "tip", hidden: true });
    this.dots = this.names.map(() => h("span", { class: "dot" }));
    this.hand.append(this.chosen, this.mark, ...this.dots, this.tip);
    box.append(this.hand);
    this.listen();
    this.look(this.at, false);
  }

  // frame is where the plot is in the picture that is shown, in pixels of the screen.
  frame() {
    const image = this.box.querySelector("img");
    const shown = [...this.box.querySelectorAll("source")].find(({ media }) => matchMedia(media).matches) ?? image;
    const scale = image.clientWidth / Number(shown.getAttribute("width"));
    const [left, top, right, bottom] = shown.dataset.plot.split(" ").map((edge) => Number(edge) * scale);
    return { left, top, right, bottom };
  }

  x(date, { left, right }) {
    const { first, last } = this.box.dataset, day = (text) => Date.parse(text);
    return first === last ? (left + right) / 2 : left + (right - left) * (day(date) - day(first)) / (day(last) - day(first));
  }

  y(value, { top, bottom }) {
    const low = Number(this.box.dataset.low), high = Number(this.box.dataset.high);
    return bottom - (bottom - top) * (value - low) / (high - low);
  }

  // nearest is the place of the week nearest to a pointer.
  nearest(event) {
    const frame = this.frame(), x = event.clientX - this.hand.getBoundingClientRect().left;
    const away = this.weeks.map(({ date }) => Math.abs(this.x(date, frame) - x));
    return away.indexOf(Math.min(...away));
  }

  // look marks a week and says its values, in a tip too if somebody points at it.
  look(place, pointed = true) {
    this.at = Math.max(0, Math.min(this.weeks.length - 1, place));
    const { date, day, points } = this.weeks[this.at], frame = this.frame(), x = this.x(date, frame);
    for (const [name, value] of Object.entries({ valuemin: 0, valuemax: this.weeks.length - 1, valuenow: this.at, valuetext: `${day}. ${points.map(({ name, text }) => `${name} ${text}`).join(". ")}` })) {
      this.hand.setAttribute(`aria-${name}`, value);
    }
    for (const element of [this.mark, this.tip, ...this.dots]) element.hidden = !pointed;
    if (!pointed) return;
    Object.assign(this.mark.style, { left: `${x}px`, top: `${frame.top}px`, height: `${frame.bottom - frame.top}px` });
    points.forEach(({ y }, i) => {
      this.dots[i].hidden = y === null;
      Object.assign(this.dots[i].style, { left: `${x}px`, top: `${this.y(y, frame)}px` });
    });
    show(this.tip, h("strong", {}, day), points.toSorted((a, b) => (b.y ?? -Infinity) - (a.y ?? -Infinity)).map(({ name, text }) => h("span", {}, h("span", {}, name), h("b", { class: "num" }, text))));
    const room = this.hand.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(room, x > room - 12 ? x - 12 - this.tip.offsetWidth : x + 12))}px`;
    this.tip.style.top = `${frame.top}px`;
  }

  // open leads to the page of the value that is nearest to a height, or of the first one.
  open(height = null) {
    const frame = this.frame(), there = this.weeks[this.at].points.filter(({ y }) => y !== null);
    const away = ({ y }) => (height === null ? 0 : Math.abs(this.y(y, frame) - height));
    const [first] = there.toSorted((a, b) => away(a) - away(b));
    if (first) location.assign(first.href);
  }

  listen() {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4, Home: -Infinity, End: Infinity };
    const slip = 6; // pixels that a click may move
    let down = null, looked = null;
    const drags = (event) => down !== null && event.pointerType !== "touch" && Math.abs(event.clientX - down.clientX) > slip;
    this.hand.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter") this.open();
      if (event.key === "Escape") this.look(this.at, false);
      if (!(event.key in steps)) return;
      event.preventDefault();
      this.look(this.at + steps[event.key]);
    });
    this.hand.addEventListener("focus", () => { if (this.hand.matches(":focus-visible")) this.look(this.at); });
    this.hand.addEventListener("blur", () => this.look(this.at, false));
    this.hand.addEventListener("pointerdown", (event) => {
      down = event;
      looked = this.tip.hidden ? null : this.at;
      if (event.pointerType !== "touch") this.hand.setPointerCapture(event.pointerId);
      this.look(this.nearest(event));
    });
    this.hand.addEventListener("pointermove", (event) => {
      this.look(this.nearest(event));
      if (!drags(event)) return;
      const [from, to] = this.span(down, event), frame = this.frame(), left = this.x(from, frame);
      Object.assign(this.chosen.style, { left: `${left}px`, width: `${this.x(to, frame) - left}px`, top: `${frame.top}px`, height: `${frame.bottom - frame.top}px` });
    });
    this.hand.addEventListener("pointerup", (event) => {
      const [begun, dragged] = [down, drags(event)];
      [down, this.chosen.style.width] = [null, "0"];
      if (dragged) return this.choose(...this.span(begun, event));
      // A finger looks at a week first, and opens it when it is there again.
      if (event.pointerType !== "touch" || looked === this.at) this.open(event.clientY - this.hand.getBoundingClientRect().top);
    });
    for (const kind of ["pointerleave", "pointercancel"]) {
      this.hand.addEventListener(kind, (event) => {
        if (event.pointerType === "touch" && kind === "pointerleave") return;
        [down, this.chosen.style.width] = [null, "0"];
        if (!this.hand.matches(":focus-visible")) this.look(this.at, false);
      });
    }
  }

  // span has the first and the last week between two events.
  span(...events) { return events.map((event) => this.weeks[this.nearest(event)].date).sort(); }

  // choose shows only the weeks from one to another.
  choose(from, to) {
    const form = byId("period");
    if (form === null || from === to) return;
    [form.elements.from.value, form.elements.to.value] = [from, to];
    form.requestSubmit();
  }
}

function enhance() {
  const table = byId("values");
  for (const box of table === null ? [] : document.querySelectorAll(".chart-box")) new Hand(box, table);
  for (const help of document.querySelectorAll("[data-help]")) help.hidden = false;
}

let turn = 0, here = location.pathname + location.search;

// go shows what another address of this page shows. The browser reads that page: no script may make markup.
function go(address, { push = true } = {}) {
  const mine = ++turn, request = new XMLHttpRequest(), main = byId("main");
  const leave = () => { if (mine === turn) location.assign(address); };
  main.setAttribute("aria-busy", "true");
  request.open("GET", address);
  request.responseType = "document";
  request.setRequestHeader("Accept", "text/html");
  request.onerror = leave;
  request.onload = () => {
    const page = request.response, found = page?.getElementById("main");
    if (mine !== turn) return;
    if (request.status !== 200 || !found?.querySelector("#figure")) return leave();
    const focused = document.activeElement?.id, open = [...document.querySelectorAll("details[id][open]")].map(({ id }) => id);
    if (push) history.pushState(null, "", request.responseURL);
    here = location.pathname + location.search;
    document.title = page.title;
    main.replaceChildren(...found.childNodes);
    main.removeAttribute("aria-busy");
    for (const id of open) byId(id)?.setAttribute("open", "");
    if (byId("language")) byId("language").href = page.getElementById("language").href;
    if (focused) (byId(focused) ?? main).focus({ preventScroll: true });
    say(live, main.querySelector("h1").textContent);
    enhance();
  };
  request.send();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#main a[href]");
  if (link === null || link.origin !== location.origin || link.pathname !== location.pathname || link.hash || link.hasAttribute("download") || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  go(`${event.target.getAttribute("action")}?${new URLSearchParams(new FormData(event.target))}`);
});
addEventListener("popstate", () => {
  if (location.pathname + location.search !== here) go(location.href, { push: false }); // not for a place in the page
});
enhance();
