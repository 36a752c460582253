// The dashboard: two questions to the interface, and what is shown of them.

import { Refusal } from "../ask.js";
import { byId, show } from "../dom.js";
import { day, moment } from "../format.js";
import { openData } from "./data.js";
import { makeExplorer } from "./explorer.js";
import { makeFeed } from "./feed.js";
import { showHeadline } from "./headline.js";
import { showMultiples } from "./multiples.js";
import { refusal } from "./notes.js";
import { makePicker } from "./picker.js";
import { makePlaces } from "./places.js";
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
    answer = await data.national();
  } catch (error) {
    page.dataset.state = "failed";
    byId("headline").hidden = true;
    return refused(byId("notice"), error, start);
  }
  byId("headline").hidden = false;
  showAbout(answer);
  if (answer.newest === null) {
    page.dataset.state = "empty";
    const first = answer.base === null ? "" : ` The first is the week to ${day(answer.base)}; it is published from the day after, once it is over.`;
    show(byId("headline-body"), `No week is published yet.${first}`);
    return;
  }
  showIndex(answer);
  page.dataset.state = "ready";
}

function showIndex(answer) {
  const weeks = weeksFrom(answer.rows[0].date, answer.newest);
  const today = answer.meta.filters.to;
  const explore = makeExplorer(weeks, answer.meta, (entry) => picker.remove(entry));
  const picker = makePicker({ one: data.one, refused, changed: explore });
  const add = async (series) => {
    await picker.add(series);
    byId("explore").scrollIntoView({ block: "start" });
    byId("explore").focus({ preventScroll: true });
  };
  byId("sections").hidden = false; // before charts measure their room
  const overall = answer.series.get("national:overall");
  if (overall) showHeadline(byId("headline"), byId("headline-body"), overall, { weeks, base: answer.base, today });
  else show(byId("headline-body"), "No national headline is published: too few products are matched.");
  showMultiples(byId("multiples"), byId("multiples-scale"), answer.series, { weeks, base: answer.base, add });
  picker.limit(weeks.length);
  picker.put(overall ?? answer.series.values().next().value);
  showPlaces(answer.newest, picker, add).finally(() => {
    makeFeed(byId("feed"), byId("feed-body"), { tier: page.dataset.tier, today, refused });
  });
}

async function showPlaces(newest, picker, add) {
  let answer;
  try {
    answer = await data.places(newest);
  } catch (error) {
    return refused(byId("places-body"), error, () => showPlaces(newest, picker, add));
  }
  const banners = new Map();
  for (const one of answer.series.values()) {
    if (one.level === "city") banners.set(one.city, banners.get(one.city) ?? []);
    if (one.level === "banner") banners.set(one.city, [...(banners.get(one.city) ?? []), one.banner]);
  }
  picker.offer(banners);
  makePlaces(byId("places-body"), answer.series, {
    week: newest, add, whole: answer.whole, cities: [...byId("places-known").options].map((option) => option.value),
  });
}

function showAbout({ meta, newest }) {
  show(byId("note"), meta.note);
  show(byId("licence"), meta.license);
  show(byId("source"), `${meta.source}${newest === null ? "" : `, week to ${day(newest)}`}, ${location.origin}/`);
  if (withLog && meta.release) show(byId("release-shown"), `This is release ${meta.release.id}, published ${moment(meta.release.released_at)}.${page.dataset.tier === "research" ? " Marks of revised weeks need a key of tier standard or above." : ""} `);
  const next = newest === null || withLog ? null : addDays(newest, 7);
  const coming = next !== null && next >= meta.filters.to ? ` The week to ${day(next)} is published from the day after.` : "";
  show(byId("generated"), `Series ${meta.series}, as of ${meta.generated_at.slice(0, 16).replace("T", " ")} UTC.${coming}`);
}

start();
