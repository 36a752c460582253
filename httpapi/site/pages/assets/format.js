// How numbers and days are written for people. A missing value is a dash, never
// a zero.

import { locale, t } from "./lang.js";

// zone is the time zone of the index. The page names it where it is another one.
const zone = document.documentElement.dataset.zone ?? "America/Toronto";

// currency is that of the prices. The page names it where it is another one.
export const currency = document.documentElement.dataset.currency ?? "CAD";
export const sign = currency === "CAD" ? "$" : currency;

export const none = "\u2013";

const money = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
const dayLong = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
const dayShort = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });

// cents are the decimals of an amount.
export const cents = money.resolvedOptions().maximumFractionDigits;

// dollars writes an amount of the currency.
export const dollars = (amount) => (amount === null || amount === undefined ? none : money.format(amount));

const french = locale.startsWith("fr");

// number writes the digits of a number as they are, with the sign and comma of the
// language.
export function number(text) {
  const signed = String(text).replace("-", "\u2212");
  return french ? signed.replace(".", ",") : signed;
}

// percent writes a change with its sign, to so many decimals.
export function percent(change, decimals = 1) {
  if (change === null || change === undefined) return none;
  const text = Math.abs(change).toFixed(decimals);
  const sign = Number(text) === 0 ? "" : change < 0 ? "\u2212" : "+";
  return `${sign}${number(text)}${french ? "\u00a0" : ""}%`;
}

// day writes a day given as "2026-11-15".
export function day(date, short = false) {
  if (!date) return none;
  return first((short ? dayShort : dayLong).format(new Date(`${date}T00:00:00Z`)));
}

// first writes the first day of a month as French does, 1er, and an hour on one line.
export const first = (text) => (french ? text.replace(/^1 /, "1er ").replace(/ h /, "\u00a0h\u00a0") : text);

// moment writes an instant by the clock of the index.
export const moment = (instant) => t("{moment} {city} time", {
  moment: first(clock.format(new Date(instant))), city: zone.split("/").pop().replaceAll("_", " "),
});

const weekday = { weekday: "long", month: "long", day: "numeric" };
const weekdayThisYear = new Intl.DateTimeFormat(locale, weekday);
const weekdayBefore = new Intl.DateTimeFormat(locale, { ...weekday, year: "numeric" });
const deviceClock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

// answered writes when an answer came, by the device's own clock: "Saturday, November 21,
// 14:05". An earlier year is named.
export function answered(instant) {
  const date = new Date(instant);
  const days = date.getFullYear() === new Date().getFullYear() ? weekdayThisYear : weekdayBefore;
  return `${days.format(date)}, ${deviceClock.format(date)}`;
}

// capital begins a text with a capital letter.
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
