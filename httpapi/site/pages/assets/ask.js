// Requests to this server, and what a person is told when one fails.

import { currency } from "./format.js";
import { t } from "./lang.js";

// Refusal is an answer that is no success, or none at all. code is the server's,
// "offline", "unreadable", or "day_used_up" for a limit that is not of a minute; text says it in the page's language;
// wait is in seconds, 0 if unknown. Of a day's limit text says it: what asks for less may be answered before.
export class Refusal extends Error {
  constructor(status, code, wait = 0) {
    super(code);
    const ofDay = code === "rate_limited" && wait > 60;
    this.status = status;
    this.code = ofDay ? "day_used_up" : code;
    this.wait = ofDay ? 0 : wait;
    this.text = ofDay ? t("Many lists were compared from this network today. Shorten the list or choose fewer chains, or try again in {n} minutes.", { n: Math.ceil(wait / 60) })
      : Object.hasOwn(texts, code) ? texts[code]
        : t("The server answered {status} ({code}).", { status: String(status), code });
  }
}

// What a person is told by code. The server's messages are for programs, and in English.
const texts = {
  body_too_large: t("That is too long for the server."),
  cross_site: t("The server took this for a request of another site's page, and refused it. Open this page at its own address, and try there."),
  data_unavailable: t("The server has no prices at the moment."),
  internal_error: t("Something failed on the server."),
  key_disabled: t("This key is disabled. Ask the publisher why."),
  key_expired: t("This key has expired. Ask the publisher to renew the licence."),
  network_refused: t("This key is for networks of its subscriber, and you are in none of them. Sign in from there, or ask the publisher."),
  not_found: t("There is nothing at this address."),
  offline: t("The server can't be reached. Check the connection and try again."),
  overloaded: t("The server is busy. Try again in some seconds."),
  quota_exceeded: t("The key's quota of this month is used up."),
  rate_limited: t("Too many requests in a minute."),
  request_timeout: t("The request took too long to arrive."),
  state_unavailable: t("Something failed on the server."),
  store_unavailable: t("A chain of the list has no store in this city."),
  tier_required: t("This needs a key of a higher tier."),
  too_many_in_flight: t("Too many requests at once."),
  unauthorized: t("The session has ended, or the key is not known."),
  unreadable: t("What answered is not the server: its answer can't be read. A network that asks for a sign-in may be between."),
  unknown_item: t("What can be compared has changed. Load this page again."),
  unknown_store: t("What can be compared has changed. Load this page again."),
  unsupported_city: t("What can be compared has changed. Load this page again."),
};

// Characters that turn the direction of what follows them: a name with one
// could show a price backwards. No name needs them.
export const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// Names of amounts end in the currency. Scripts know them without it.
const amounts = new RegExp(`"(\\w+)(?:Cad|_${currency.toLowerCase()})":`, "g");

// ask returns the body of an answer, decoded; null if there is none (204). cache is as in
// fetch.
export async function ask(path, { method = "GET", body, signal, cache = "default" } = {}) {
  const init = { method, signal, cache, headers: { Accept: "application/json" }, credentials: "same-origin", referrerPolicy: "no-referrer" };
  if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response, text;
  try {
    response = await fetch(path, init);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "offline");
  }
  let value = null;
  try {
    if (text !== "") value = JSON.parse(text.replace(turning, "").replaceAll(amounts, '"$1":'));
  } catch {
    throw new Refusal(response.status, "unreadable");
  }
  if (response.ok) return value;
  throw refusalOf(response.status, value, response.headers.get("Retry-After"));
}

// refusalOf makes a Refusal of an answer. It has two forms: {"error": "sentence", "code": "..."} and {"error": {"code"}}.
function refusalOf(status, value, wait) {
  const said = value !== null && typeof value === "object" ? value : {};
  return new Refusal(status, said.error?.code || said.code || "refused", Number(wait) || 0);
}

// askPage sends a form, and returns the page that answers it. A script may not make markup of a text, but the browser
// does of an answer.
export const askPage = (path, form, signal) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.setRequestHeader("Accept", "application/json"); // of a refusal
  request.onreadystatechange = () => {
    if (request.readyState === request.HEADERS_RECEIVED) request.responseType = request.status === 200 ? "document" : "json";
  };
  request.onload = () => {
    if (request.status !== 200) reject(refusalOf(request.status, request.response, request.getResponseHeader("Retry-After")));
    else if (request.response?.getElementById("result")) resolve(request.response);
    else reject(new Refusal(200, "unreadable"));
  };
  request.onerror = () => reject(new Refusal(0, "offline"));
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort());
  request.send(form);
});
