// What somebody is told whom the server refused, and where.

import { h, show } from "../dom.js";
import { t, tx } from "../lang.js";

const words = {
  key_disabled: t("This key is disabled. Ask the publisher why."),
  key_expired: t("This key has expired. Ask the publisher to renew the licence."),
  network_refused: t("This key is for networks of its subscriber, and you are in none of them. Sign in from there, or ask the publisher."),
  overlap_running: t("The key has two good secrets already, and both are in use. Wait until the old one ends, or have both refused at once."),
  cross_site: t("The server took this for a request of another site's page, and refused it. Open this page at its own address, and try there."),
  rate_limited: t("Too many attempts in a short time."),
};

// explain says in words why something was refused; unknown is what 401 means here.
export function explain(error, unknown) {
  if (error.status === 401) return unknown;
  return words[error.code] || error.text.replace(/^./, (first) => first.toUpperCase());
}

// showError fills an element with what went wrong and takes people there.
export function showError(element, ...text) {
  show(element, ...text);
  element.hidden = false;
  element.focus();
}

// clearError empties it.
export function clearError(element) {
  element.hidden = true;
  show(element);
}

// countDown says below an error how many seconds are left, then calls done.
// Screen readers hear the number once.
export function countDown(element, seconds, done) {
  const left = h("span", { class: "countdown", "aria-hidden": "true" }, seconds);
  const line = h("p", {}, tx("Try again in {left} seconds.", { left: h("span", {}, left, h("span", { class: "sr" }, t("about {n}", { n: seconds }))) }));
  element.append(line);
  const end = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const rest = Math.ceil((end - Date.now()) / 1000);
    if (rest > 0 && line.isConnected) {
      left.textContent = rest;
      return;
    }
    clearInterval(timer);
    if (line.isConnected) show(line, t("You can try again now."));
    done();
  }, 250);
}
