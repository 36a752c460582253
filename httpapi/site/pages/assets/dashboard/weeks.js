// Weeks, each named by the date of its Sunday. Nothing here reads a clock: what
// day it is, the interface says.

import { daysBetween } from "../format.js";
import { locale } from "../lang.js";

export function addDays(date, days) {
  const d = new Date(`${date}T00:00:00Z`);
  d.setUTCDate(d.getUTCDate() + days);
  return d.toISOString().slice(0, 10);
}

// weeksFrom lists all weeks from one to another, both included.
export function weeksFrom(first, last) {
  return Array.from({ length: Math.round(daysBetween(first, last) / 7) + 1 }, (_, i) => addDays(first, 7 * i));
}

// nearest is the place of the last of the weeks that does not come after a date, or 0.
export const nearest = (weeks, date) => Math.max(0, weeks.findLastIndex((week) => week <= date));

const formats = {
  day: new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" }),
  year: new Intl.DateTimeFormat(locale, { year: "numeric", timeZone: "UTC" }),
};

// weekTicks chooses what an axis that is so many pixels wide names: weeks, or beginnings of
// months or years where there are more weeks than a year has.
export function weekTicks(weeks, width, dateOf) {
  const room = (wide) => Math.max(2, Math.floor(width / wide));
  if (weeks.length > mostMonths) return room(66);
  if (weeks.length > mostDays) {
    const months = weeks.filter((week, i) => i > 0 && week.slice(0, 7) > weeks[i - 1].slice(0, 7)).map((week) => `${week.slice(0, 7)}-01`);
    const step = [1, 3, 6].find((n) => months.length / n <= room(48)) ?? 12;
    return months.filter((first) => (Number(first.slice(5, 7)) - 1) % step === 0).map(dateOf);
  }
  const step = Math.ceil(weeks.length / room(66));
  return weeks.filter((_, i) => (weeks.length - 1 - i) % step === 0).map(dateOf);
}

const mostDays = 60, mostMonths = 170;

// tickText returns what names the ticks of an axis over so many weeks: days, months or
// years, and the year below the first tick and where a year begins.
export function tickText(weeks) {
  const kind = weeks <= mostDays ? "day" : weeks <= mostMonths ? "month" : "year";
  let year = 0;
  return (day, i) => {
    const begins = i === 0 || day.getUTCFullYear() !== year;
    year = day.getUTCFullYear();
    return formats[kind].format(day) + (begins && kind !== "year" ? `\n${formats.year.format(day)}` : "");
  };
}
