// What a person is told when the interface refuses, and what can be done.

import { h } from "../dom.js";
import { capital } from "../format.js";
import { at, t } from "../lang.js";

// refusal makes a note. retry asks again; it is offered where that can help.
export function refusal(error, retry) {
  const { title, text, link, again } = told(error);
  return h("div", { class: "note bad", "data-code": error.code ?? "fault" },
    h("p", {}, h("strong", {}, title), " ", text),
    link || again ? h("p", { class: "row" },
      link ? h("a", { class: "button", href: link.href }, link.text) : null,
      again ? button(error.wait ?? 0, retry) : null) : null);
}

function told(error) {
  const account = { href: at("/account"), text: t("Open the account page") };
  const message = sentence(error.text);
  if (error.code === "quota_exceeded") return { title: t("This month's requests are used up."), text: message, link: account };
  if (error.code === "rate_limited") return { title: t("Too many requests."), text: t("Wait a moment, then go on."), again: true };
  if (error.code === "offline") return { title: t("No connection."), text: message, again: true };
  switch (error.status) {
    case 401: return { title: t("The session has ended."), text: t("Sign in again to see the index."), link: { href: at("/account"), text: t("Sign in") } };
    case 402: return { title: t("The licence does not include this."), text: message, link: account };
    case 403: return { title: t("The key is not in force."), text: message, link: account };
    case 500: case 503: return { title: t("The index can't be shown now."), text: t("There may be no data yet, or something failed. The server says: {message}", { message }), again: true };
  }
  return { title: t("This did not work."), text: message, again: true };
}

function sentence(message) {
  const text = capital(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

// button waits as long as the server says before it lets anyone ask again.
function button(wait, retry) {
  const element = h("button", { type: "button", disabled: wait > 0, onclick: retry }, wait > 0 ? t("Try again in {n} seconds", { n: wait }) : t("Try again"));
  if (wait > 0) {
    setTimeout(() => {
      element.disabled = false;
      element.textContent = t("Try again");
    }, wait * 1000);
  }
  return element;
}
