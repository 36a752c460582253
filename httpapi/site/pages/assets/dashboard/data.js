// Asking for the index, sparingly, and arranging its rows as series.

import { ask } from "../ask.js";
import { headline, seriesKey } from "./names.js";
import { views } from "./views.js";
import { addDays } from "./weeks.js";

const most = 8000; // rows of a page
const nationalWeeks = 780; // ten rows each: one page holds them
const placesWeeks = 52; // a page holds them for 150 places

let include = "quality,wow_interval"; // what rows have besides

// The places in the unit that every answer has.
export const known = { view: "index" };

// A series is {key, level, city, banner, category, rows, first, last, revised}: rows by
// week, its first and last published week, and by week what releases revised.
function series(rows) {
  const all = new Map();
  for (const row of rows) {
    const found = seriesOf(row);
    if (!all.has(found.key)) all.set(found.key, { ...found, rows: new Map(), first: row.date, revised: new Map() });
    const one = all.get(found.key);
    one.rows.set(row.date, row);
    one.last = row.date;
  }
  return all;
}

function seriesOf(row) {
  const level = row.retailer ? "banner" : row.city ? "city" : "national";
  const found = { level, city: row.city, banner: row.retailer, category: row.category ?? headline };
  return { ...found, key: seriesKey(found) };
}

// flat puts the numbers of a row's quality beside its own.
function flat({ quality, against, wow_interval: change, ...row }) {
  return { ...against, ...row, ...quality, ...(change && { wow_ci95_low: change.ci95_low, wow_ci95_high: change.ci95_high }) };
}

// everything asks for all pages of an address: the rows, and meta of the last page.
async function everything(path, query, member) {
  const rows = [];
  for (let offset = 0; ;) {
    const answer = await ask(`${path}?${new URLSearchParams({ ...query, limit: most, offset })}`);
    rows.push(...answer[member]);
    offset = answer.meta.next_offset;
    if (offset === null) return { rows, meta: answer.meta };
  }
}

// index asks for rows of the index with the values of a view. The server refuses a whole
// answer with intervals that a release does not have, and a view in which a series has no
// value. Then the page asks for less; refused is why the view is missing. besides is asked for with intervals; null asks
// for none, and rows are less than half as long.
async function index(query, state, besides = {}) {
  const asked = views.get(state.view).asked ? { view: state.view, ...(state.view === "since" ? { since: state.since } : {}) } : null;
  let refused = null;
  for (const more of besides !== null && include !== "" ? [include, ""] : [""]) {
    for (const view of asked === null ? [{}] : [asked, {}]) {
      try {
        const { meta, rows } = await everything("/api/public/index", { ...query, ...view, ...(more === "" ? {} : { include: more, ...besides }) }, "observations");
        if (besides !== null) include = more;
        return { meta, rows, series: series(rows.map(flat)), refused: view === asked ? null : refused };
      } catch (error) {
        if (error.status !== 400) throw error;
        refused ??= error;
      }
    }
  }
  throw refused;
}

// addRevisions asks what releases revised, and notes it at the series: by week the
// releases, and the level that was published first.
async function addRevisions(query, all) {
  const { rows } = await everything("/account/revisions", query, "revisions");
  for (const { date, release, old, new: now, ...row } of rows) {
    const revised = all.get(seriesOf(row).key)?.revised;
    if (!revised || old === null || now === null) continue;
    if (!revised.has(date)) revised.set(date, { releases: [], first: old.index_value });
    revised.get(date).releases.push(release);
  }
}

// chosen is the part of all places to ask for: all, where no view would be refused.
const chosen = (state, only) => views.get(state.view).asked ? only : {};

// openData returns the questions that this page asks, each once for a view. sessionEnds
// is a day, at most one after today: the only one that is known before the first answer.
// withRevisions says whether to ask what releases revised.
export function openData(sessionEnds, withRevisions) {
  const answers = new Map();

  // once keeps what an asking answers. One that failed is asked again.
  function once(name, state, asking) {
    const key = [name, ...(views.get(state.view).asked ? [state.view, state.since] : [])].join(" ");
    if (!answers.has(key)) {
      answers.set(key, asking());
      answers.get(key).catch(() => answers.delete(key));
    }
    return answers.get(key);
  }

  // national asks for the headline and the categories. base is the first week
  // that is published at all, null if it lies before what was asked for.
  const national = (state) => once("national", state, async () => {
    const from = addDays(sessionEnds, -7 * nationalWeeks);
    const answer = await index({ level: "national", from }, state);
    if (withRevisions) await addRevisions({ level: "national" }, answer.series);
    const whole = answer.meta.filters.from > from; // it was moved up to the base week
    return { ...answer, whole, newest: answer.rows.at(-1)?.date ?? null, base: whole ? answer.meta.filters.from : null };
  });

  // headlines asks for the headlines of all cities and chains, of the weeks up to the newest
  // one: as many as tell since when there is none of a place. They have no intervals. whole
  // says whether there are no weeks before those.
  // only chooses some of them where a view would be refused for others.
  const headlines = (state, newest, only = {}) => once(`headlines ${Object.values(chosen(state, only))}`, state, async () => {
    const from = addDays(newest, -7 * (placesWeeks - 1));
    const answer = await index({ category: headline, from, ...chosen(state, only) }, state, null);
    return { ...answer, whole: answer.meta.filters.from > from };
  });

  // places gives headlines the intervals of the newest week, since no other week shows one, and the differences to a
  // city of those that query names.
  const places = (newest, state, only = {}, besides = {}) => once(`places ${Object.values({ ...chosen(state, only), ...besides })}`, state, async () => {
    const [answer, latest] = await Promise.all([headlines(state, newest, only), index({ category: headline, from: newest, to: newest, ...chosen(state, only) }, known, besides)]);
    for (const [key, { rows }] of latest.series) {
      const row = answer.series.get(key)?.rows.get(newest);
      if (row) answer.series.get(key).rows.set(newest, { ...row, ...rows.get(newest) });
    }
    return answer;
  });

  // grid asks for all categories of all cities in the newest week.
  const grid = (state, newest) => once("grid", state, () => index({ level: "city", from: newest, to: newest }, state));

  // one asks for a whole series: {series, refused}. series is null if there is no row of it.
  async function one(wanted, state) {
    const key = seriesKey(wanted);
    if (wanted.level === "national") {
      const { series, whole, refused } = await national(state);
      if (whole) return { series: series.get(key) ?? null, refused };
    }
    return once(key, state, async () => {
      const query = { level: wanted.level, category: wanted.category };
      if (wanted.city) query.city = wanted.city;
      if (wanted.banner) query.banner = wanted.banner;
      const { series, refused } = await index(query, state);
      if (withRevisions) await addRevisions(query, series);
      return { series: series.get(key) ?? null, refused };
    });
  }

  return { national, headlines, places, grid, one };
}

// since is the week that a row's change in a week is from, where that is not the
// week before: a headline's change is from the last published week. It is null
// where it is the week before, or there is no change, and "" where it lies before
// what is known.
export function since(one, week) {
  const change = one.rows.get(week)?.pct_change_wow ?? null;
  if (change === null || one.rows.has(addDays(week, -7))) return null;
  return [...one.rows.keys()].findLast((earlier) => earlier < week) ?? "";
}

// missing lists those of the weeks that should have a row of a series and have
// none. Categories should from the base week on; a headline from its entry week.
export function missing(one, weeks) {
  return weeks.filter((week) => !one.rows.has(week) && (one.category !== headline || week >= one.first));
}
