// Asking for the index, sparingly, and arranging its rows as series.

import { ask } from "../ask.js";
import { headline, seriesKey } from "./names.js";
import { addDays } from "./weeks.js";

const most = 8000; // rows of a page
const nationalWeeks = 780; // ten rows each: one page holds them
const placesWeeks = 52; // a page holds them for 150 places

let include = "quality,wow_interval"; // what rows have besides

// A series is {key, level, city, banner, category, rows, first, last}: rows by
// week, and its first and last published week.
function series(rows) {
  const all = new Map();
  for (const row of rows) {
    const level = row.retailer ? "banner" : row.city ? "city" : "national";
    const found = { level, city: row.city, banner: row.retailer, category: row.category ?? headline };
    found.key = seriesKey(found);
    if (!all.has(found.key)) all.set(found.key, { ...found, rows: new Map(), first: row.date });
    const one = all.get(found.key);
    one.rows.set(row.date, row);
    one.last = row.date;
  }
  return all;
}

// flat puts the numbers of a row's quality beside its own.
function flat({ quality, wow_interval: change, ...row }) {
  return { ...row, ...quality, wow_ci95_low: change?.ci95_low, wow_ci95_high: change?.ci95_high };
}

// page asks for a page of rows. Rows that another revision of the method released have no
// intervals, and the server refuses to include any.
async function page(query, offset) {
  try {
    return await ask(`/api/public/index?${new URLSearchParams({ ...query, include, limit: most, offset })}`);
  } catch (error) {
    if (error.status !== 400 || include === "") throw error;
    include = "";
    return page(query, offset);
  }
}

async function index(query) {
  const rows = [];
  let offset = 0, meta;
  while (offset !== null) {
    const answer = await page(query, offset);
    rows.push(...answer.observations.map(flat));
    meta = answer.meta;
    offset = meta.next_offset;
  }
  return { meta, rows, series: series(rows) };
}

// openData returns the questions that this page asks. sessionEnds is a day, at
// most one after today: the only one that is known before the first answer.
export function openData(sessionEnds) {
  const kept = new Map(); // whole series

  // national asks for the headline and the categories. base is the first week
  // that is published at all, null if it lies before what was asked for.
  async function national() {
    const from = addDays(sessionEnds, -7 * nationalWeeks);
    const answer = await index({ level: "national", from });
    const whole = answer.meta.filters.from > from; // it was moved up to the base week
    if (whole) for (const [key, one] of answer.series) kept.set(key, one);
    const newest = answer.rows.at(-1)?.date ?? null;
    return { ...answer, newest, base: whole ? answer.meta.filters.from : null };
  }

  // places asks for the headlines of all cities and banners, of the weeks up to
  // the newest one: as many as tell since when there is none of a place.
  // whole says whether there are no weeks before those.
  async function places(newest) {
    const from = addDays(newest, -7 * (placesWeeks - 1));
    const answer = await index({ category: headline, from });
    return { ...answer, whole: answer.meta.filters.from > from };
  }

  // one asks for a whole series; null if there is no row of it.
  async function one(wanted) {
    const key = seriesKey(wanted);
    if (kept.has(key)) return kept.get(key);
    const query = { level: wanted.level, category: wanted.category };
    if (wanted.city) query.city = wanted.city;
    if (wanted.banner) query.banner = wanted.banner;
    const found = (await index(query)).series.get(key) ?? null;
    kept.set(key, found);
    return found;
  }

  return { national, places, one };
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
