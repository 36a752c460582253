// Packs that got smaller.

import { ask } from "../ask.js";
import { byId, h, say, show } from "../dom.js";
import { currency, dollars, none, percent, zone } from "../format.js";
import { at, locale, t } from "../lang.js";
import { categoryName, chainName, productName } from "./names.js";
import { change, state } from "./state.js";
import { addDays } from "./weeks.js";

const grades = [
  { grade: "high", name: t("high"), confidence: t("high confidence"), means: t("the unit price rose as much as the pack shrank: a smaller pack at about the old price") },
  { grade: "medium", name: t("medium"), confidence: t("medium confidence"), means: t("smaller, and its price moved as well; or it got cheaper with its size") },
  { grade: "low", name: t("low"), confidence: t("low confidence"), means: t("doubtful, often misread or another pack: check one by one") },
];

const flags = {
  suspect_tiny: t("A change of less than 2%: too little to tell from another way of weighing or rounding."),
  suspect_swap: t("It lost a fifth or more: most often another pack under the same listing, or a misread size."),
  suspect_unit_mismatch: t("The price contradicts the size, or there is no price to compare with."),
};

const recorded = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", day: "numeric", timeZone: zone });

const unitPrice = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol", minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

const clamp = -20; // what is recorded of a pack that lost a fifth or more

// article shows an event.
function article(event) {
  const listing = event.retailer_products;
  return h("article", { class: `card event ${event.confidence}`, "data-event": event.id, "data-grade": event.confidence, "data-flag": event.flag },
    h("div", { class: "event-head" },
      h("h3", {}, productName(listing.products.name)),
      h("span", { class: `tag${event.confidence === "low" ? " warn" : ""}` }, grades.find(({ grade }) => grade === event.confidence)?.confidence ?? event.confidence)),
    h("p", { class: "small muted" }, h("span", { "data-scraped": "" }, listing.retailer_name), ", ", t("at {chain} ({company}). {category}. Recorded {day}.", {
      chain: chainName(listing.banner), company: listing.retailer, category: categoryName(listing.products.category), day: recorded.format(new Date(event.detected_at)),
    })),
    h("p", { class: "sizes num" },
      h("span", { class: "sr" }, `${t("From")} `), h("span", { "data-scraped": "" }, event.old_package_size), h("span", { "aria-hidden": "true" }, " \u2192 "), h("span", { class: "sr" }, ` ${t("to")} `), h("strong", { "data-scraped": "" }, event.new_package_size)),
    h("dl", { class: "facts" },
      fact(t("Size"), size(event.pct_size_change)),
      fact(t("Price per unit"), percent(event.pct_unit_price_change))),
    h("p", { class: "small muted num" }, unitPrices(event), t("On the shelf after it: {price}.", { price: dollars(event.shelf_price_at_change) })),
    flags[event.flag] ? h("p", { class: "small" }, flags[event.flag]) : null);
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", { class: "num" }, value));

const size = (change) => (change === clamp ? t("{share} or more", { share: percent(change, 0) }) : percent(change));

function unitPrices({ old_unit_price: before, new_unit_price: after, size_unit: unit }) {
  if (before === null && after === null) return null;
  const text = (price) => price === null ? none : unitPrice.format(price);
  return `${t("From {before} to {after} per {unit}.", { before: text(before), after: text(after), unit: unit ?? t("unit") })} `;
}

const page = 500;
const periods = [[30, t("In the last 30 days")], [90, t("In the last 90 days")], [365, t("In the last year")]];
const first = 2; // shown before somebody asks for all
const tiers = ["standard", "professional", "enterprise"];

// makeFeed readies the section. today is what the interface says; refused shows
// why an asking failed.
export function makeFeed(section, body, { tier, today, refused }) {
  const stage = (name) => { section.dataset.state = name; };
  if (!tiers.includes(tier)) {
    stage("tier");
    show(body, h("p", { class: "note" }, t("The feed needs a key of tier {needed} or above; yours is {tier}.", { needed: tiers[0], tier }), " ", h("a", { href: at("/account") }, t("Your account"))));
    return;
  }
  const status = h("p", { class: "small muted", role: "status" });
  const list = h("div", { id: "feed-list" });
  const period = h("select", { id: "feed-period", onchange: () => { change({ days: period.value }); load(); } }, periods.map(([days, text]) => h("option", { value: days, selected: String(days) === state.days }, text)));
  const filter = h("fieldset", { id: "feed-filter", onchange: filtered }, h("legend", {}, t("Grade")),
    grades.map(({ grade, name, means }) => h("label", {}, h("input", { type: "checkbox", name: "grade", value: grade, checked: state.grades.split(",").includes(grade) }),
      h("span", {}, h("strong", {}, name), h("span", { class: "count num" }), h("span", { class: "small muted" }, means)))));
  let answer = null, events = [], turn = 0, all = false;

  function filtered() {
    change({ grades: [...filter.querySelectorAll("input:checked")].map((box) => box.value).join(",") });
    draw();
  }

  // Of several askings on their way only the last one counts.
  async function load() {
    const mine = ++turn;
    stage("loading");
    say(status, t("Loading…"));
    const query = new URLSearchParams({ confidence: "low", from: addDays(today, -period.value), limit: page });
    let got;
    try {
      got = await ask(`/account/shrinkflation?${query}`);
      // The oldest come first: of more than a page, the newest are on the last.
      if (got.meta.has_more && mine === turn) got = await ask(`/account/shrinkflation?${query}&offset=${got.meta.total_matched - got.meta.limit}`);
    } catch (error) {
      if (mine !== turn) return;
      stage("failed");
      show(status);
      return refused(list, error, load);
    }
    if (mine !== turn) return;
    answer = got;
    events = answer.events.toReversed();
    stage("ready");
    draw();
  }

  function draw() {
    if (answer === null) return;
    const wanted = [...filter.querySelectorAll("input")].filter((box) => {
      box.parentElement.querySelector(".count").textContent = ` ${events.filter((event) => event.confidence === box.value).length}`;
      return box.checked;
    }).map((box) => box.value);
    const shown = events.filter((event) => wanted.includes(event.confidence));
    const { total_matched: total, scan_truncated: truncated } = answer.meta;
    say(status, total === 0 ? "" : total > events.length ? t("{n} events of {total}, of which the newest {loaded} were loaded, newest first.", { n: shown.length, total, loaded: events.length }) : t("{n} events of {total}, newest first.", { n: shown.length, total }));
    show(list,
      truncated ? h("p", { class: "note warn" }, t("There were more events in this period than the server looks at, so the newest may be missing. Choose a shorter period.")) : null,
      events.length === 0 ? h("p", { class: "note" }, t("No pack is known to have shrunk in this period.")) : null,
      shown.slice(0, all ? shown.length : first).map(article),
      all || shown.length <= first ? null : h("button", { type: "button", id: "feed-all", class: "no-print", onclick: () => { all = true; draw(); list.querySelectorAll("article")[first].scrollIntoView({ block: "nearest" }); } }, t("Show all {n}", { n: String(shown.length) })));
  }

  show(body, h("div", { class: "card feed-controls no-print" }, filter, h("p", {}, h("label", { for: "feed-period" }, t("Recorded")), period)), status, list);
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    load();
  }, { rootMargin: "600px" });
  near.observe(byId("feed"));
}
