// The dashboard: two questions to the interface, what is shown of them, and what a person is told when it refuses.

import { Refusal } from "../ask.js";
import { byId, h, show } from "../dom.js";
import { capital, day, moment } from "../format.js";
import { at, t } from "../lang.js";
import { makeCompared } from "./compared.js";
import { known, openData } from "./data.js";
import { loadPlot } from "./drawing.js";
import { makeExplorer } from "./explorer.js";
import { makeFeed } from "./feed.js";
import { showHeadline } from "./headline.js";
import { makePicker } from "./picker.js";
import { state } from "./state.js";
import { addDays, weeksFrom } from "./weeks.js";

// refusal makes a note. retry asks again; it is offered where that can help.
function refusal(error, retry) {
  const { title, text, link, again } = told(error);
  return h("div", { class: "note bad", "data-code": error.code ?? "fault" },
    h("p", {}, h("strong", {}, title), " ", text),
    link || again ? h("p", { class: "row" },
      link ? h("a", { class: "button", href: link.href }, link.text) : null,
      again ? button(error.wait ?? 0, retry) : null) : null);
}

function told(error) {
  const account = { href: at("/account"), text: t("Open the account page") };
  const message = sentence(error.text);
  if (error.code === "quota_exceeded") return { title: t("This month's requests are used up."), text: message, link: account };
  if (error.code === "rate_limited") return { title: t("Too many requests."), text: t("Wait a moment, then go on."), again: true };
  if (error.code === "offline") return { title: t("No connection."), text: message, again: true };
  switch (error.status) {
    case 401: return { title: t("The session has ended."), text: t("Sign in again to see the index."), link: { href: at("/account"), text: t("Sign in") } };
    case 402: return { title: t("The licence does not include this."), text: message, link: account };
    case 403: return { title: t("The key is not in force."), text: message, link: account };
    case 500: case 503: return { title: t("The index can't be shown now."), text: t("There may be no data yet, or something failed. The server says: {message}", { message }), again: true };
  }
  return { title: t("This did not work."), text: message, again: true };
}

function sentence(message) {
  const text = capital(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

// button waits as long as the server says before it lets anyone ask again.
function button(wait, retry) {
  const element = h("button", { type: "button", disabled: wait > 0, onclick: retry }, wait > 0 ? t("Try again in {n} seconds", { n: wait }) : t("Try again"));
  if (wait > 0) {
    setTimeout(() => {
      element.disabled = false;
      element.textContent = t("Try again");
    }, wait * 1000);
  }
  return element;
}

const page = byId("dashboard");
const withLog = byId("release") !== null;
const data = openData(page.dataset.sessionEnds, withLog && page.dataset.tier !== "research");

// refused shows why an asking failed; a fault of this page is none of those.
function refused(element, error, retry) {
  if (!(error instanceof Refusal)) throw error;
  show(element, refusal(error, retry));
}

async function start() {
  page.dataset.state = "loading";
  show(byId("notice"));
  let answer;
  try {
    [answer] = await Promise.all([data.national(state), loadPlot(page.dataset.plot)]);
  } catch (error) {
    page.dataset.state = "failed";
    byId("explore").hidden = true;
    return refused(byId("notice"), error, start);
  }
  showAbout(answer);
  byId("explore").hidden = answer.newest === null;
  if (answer.newest === null) {
    page.dataset.state = "empty";
    const first = answer.base === null ? "" : ` ${t("The first is the week to {week}; it is published from the day after, once it is over.", { week: day(answer.base) })}`;
    byId("headline").hidden = false;
    show(byId("headline-body"), t("No week is published yet."), first);
    return;
  }
  showIndex(answer);
  page.dataset.state = "ready";
}

function showIndex({ rows, newest, base, meta, series }) {
  const weeks = weeksFrom(rows[0].date, newest);
  const today = meta.filters.to;
  byId("sections").hidden = byId("headline").hidden = false; // before charts measure their room
  makeExplorer(weeks, { one: data.one, base, refused });
  const overall = series.get("national.overall");
  if (overall) showHeadline(byId("headline"), byId("headline-body"), overall, { weeks, base, today });
  else show(byId("headline-body"), t("No national headline is published: too few products are matched."));
  const offer = makePicker();
  const offered = async () => {
    const answer = await data.headlines(known, newest);
    const chains = new Map();
    for (const { level, city, banner } of answer.series.values()) {
      if (level === "city") chains.set(city, chains.get(city) ?? []);
      if (level === "banner") chains.set(city, [...(chains.get(city) ?? []), banner]);
    }
    offer(chains);
  };
  makeCompared({ national: data.national, places: (...asked) => data.places(newest, ...asked), grid: (asked) => data.grid(asked, newest), weeks, refused });
  offered().catch(() => {}).finally(() => { // what needs the places says why they are missing
    makeFeed(byId("feed"), byId("feed-body"), { tier: page.dataset.tier, today, refused });
  });
}

function showAbout({ meta, newest }) {
  const source = meta.source.replace("(invented prices)", t("(invented prices)"));
  for (const [id, text] of [["note", meta.note], ["licence", meta.license]]) {
    if (byId(id).textContent === "") show(byId(id), text); // in French the page has them
  }
  show(byId("source"), newest === null ? `${source}, ${location.origin}/` : t("{source}, week to {week}, {address}", { source, week: day(newest), address: `${location.origin}/` }));
  if (withLog && meta.release) show(byId("release-shown"), t("This is release {release}, published {moment}.", { release: meta.release.id, moment: moment(meta.release.released_at) }), page.dataset.tier === "research" ? ` ${t("Marks of revised weeks need a key of tier standard or above.")} ` : " ");
  const next = newest === null || withLog ? null : addDays(newest, 7);
  const coming = next !== null && next >= meta.filters.to ? ` ${t("The week to {week} is published from the day after.", { week: day(next) })}` : "";
  show(byId("generated"), t("Series {series}, as of {moment} UTC.", { series: meta.series, moment: meta.generated_at.slice(0, 16).replace("T", " ") }), coming);
}

start();
