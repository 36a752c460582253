// How numbers and days are written for people. A missing value is a dash, never
// a zero.

import { locale } from "./lang.js";

// currency is that of the prices. The page names it where it is another one.
export const currency = document.documentElement.dataset.currency ?? "CAD";

export const none = "\u2013";

const money = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" });

// dollars writes an amount of the currency.
export const dollars = (amount) => money.format(amount);

const french = locale.startsWith("fr");

// number writes the digits of a number as they are, with the sign and comma of the
// language.
export function number(text) {
  const signed = String(text).replace("-", "\u2212");
  return french ? signed.replace(".", ",") : signed;
}

// first writes the first day of a month as French does, 1er, and an hour on one line.
export const first = (text) => (french ? text.replace(/(?<!\d)1 (?=\p{L}{3})/u, "1er ").replace(/ h /, "\u00a0h\u00a0") : text);

const weekday = { weekday: "long", month: "long", day: "numeric" };
const weekdayThisYear = new Intl.DateTimeFormat(locale, weekday);
const weekdayBefore = new Intl.DateTimeFormat(locale, { ...weekday, year: "numeric" });
const deviceClock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

// answered writes when an answer came, by the device's own clock: "Saturday, November 21,
// 14:05". An earlier year is named.
export function answered(instant) {
  const date = new Date(instant);
  const days = date.getFullYear() === new Date().getFullYear() ? weekdayThisYear : weekdayBefore;
  return first(`${days.format(date)}${french ? " à" : ","} ${deviceClock.format(date)}`);
}
