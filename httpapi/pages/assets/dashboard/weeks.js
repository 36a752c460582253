// Weeks, each named by the date of its Sunday. Nothing here reads a clock: what
// day it is, the interface says.

import { daysBetween } from "../format.js";

export function addDays(date, days) {
  const d = new Date(`${date}T00:00:00Z`);
  d.setUTCDate(d.getUTCDate() + days);
  return d.toISOString().slice(0, 10);
}

// weeksFrom lists all weeks from one to another, both included.
export function weeksFrom(first, last) {
  return Array.from({ length: Math.round(daysBetween(first, last) / 7) + 1 }, (_, i) => addDays(first, 7 * i));
}

const formats = {
  day: new Intl.DateTimeFormat("en-CA", { month: "short", day: "numeric", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat("en-CA", { month: "short", timeZone: "UTC" }),
  year: new Intl.DateTimeFormat("en-CA", { year: "numeric", timeZone: "UTC" }),
};

// weekTicks chooses the weeks that an axis names: every one or every second one
// where there is room for as many, else those in which months or years begin.
export function weekTicks(weeks, most) {
  const days = weeks.map((week) => new Date(`${week}T00:00:00Z`));
  const every = (n) => days.map((_, i) => i).filter((i) => (days.length - 1 - i) % n === 0);
  // What the first week begins is not known: the week before it isn't there.
  const beginning = (unit) => days.map((_, i) => i).filter((i) => i > 0 && unit(days[i]) !== unit(days[i - 1]));
  const months = (n) => beginning((d) => Math.floor((d.getUTCFullYear() * 12 + d.getUTCMonth()) / n));
  const choices = [[every(1), "day"], [every(2), "day"],
    ...[1, 3, 6].map((n) => [months(n), "month"]), ...[12, 24, 60, 120].map((n) => [months(n), "year"])];
  const [places, kind] = choices.find(([list]) => list.length > 0 && list.length <= most) ?? [[0], "day"];
  return places.map((place, n) => ({ place, text: text(days[place], kind, n === 0) }));
}

function text(day, kind, first) {
  const year = kind === "month" && (first || day.getUTCMonth() === 0) ? ` ${formats.year.format(day)}` : "";
  return formats[kind].format(day) + year;
}
