// Moments, in the reader's own time.

import { h } from "../dom.js";
import { first, none } from "../format.js";
import { locale } from "../lang.js";

const local = new Intl.DateTimeFormat(locale, {
  year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short",
});

// moment writes a moment given as RFC 3339.
export function moment(text) {
  return text ? h("time", { datetime: text }, first(local.format(new Date(text)))) : none;
}
