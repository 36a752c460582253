// The dashboard: two questions to the interface, and what is shown of them.

import { Refusal } from "../ask.js";
import { byId, show } from "../dom.js";
import { day, moment } from "../format.js";
import { t } from "../lang.js";
import { makeCompared } from "./compared.js";
import { known, openData } from "./data.js";
import { loadPlot } from "./drawing.js";
import { makeExplorer } from "./explorer.js";
import { makeFeed } from "./feed.js";
import { showHeadline } from "./headline.js";
import { refusal } from "./notes.js";
import { makePicker } from "./picker.js";
import { state } from "./state.js";
import { addDays, weeksFrom } from "./weeks.js";

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
  makeExplorer(weeks, { one: data.one, base, meta, refused });
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
