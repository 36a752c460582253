// One pack that got smaller, and how far to trust it.

import { h } from "../dom.js";
import { dollars, none, percent } from "../format.js";
import { locale, t } from "../lang.js";
import { categoryName, chainName, productName } from "./names.js";

export const grades = [
  { grade: "high", name: t("high"), confidence: t("high confidence"), means: t("the unit price rose as much as the pack shrank: a smaller pack at about the old price") },
  { grade: "medium", name: t("medium"), confidence: t("medium confidence"), means: t("smaller, and its price moved as well; or it got cheaper with its size") },
  { grade: "low", name: t("low"), confidence: t("low confidence"), means: t("doubtful, often misread or another pack: check one by one") },
];

const flags = {
  suspect_tiny: t("A change of less than 2%: too little to tell from another way of weighing or rounding."),
  suspect_swap: t("It lost a fifth or more: most often another pack under the same listing, or a misread size."),
  suspect_unit_mismatch: t("The price contradicts the size, or there is no price to compare with."),
};

const recorded = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", day: "numeric", timeZone: "America/Toronto" });

const unitPrice = new Intl.NumberFormat(locale, { style: "currency", currency: "CAD", currencyDisplay: "narrowSymbol", minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

const clamp = -20; // what is recorded of a pack that lost a fifth or more

// article shows an event.
export function article(event) {
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

function fact(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "num" }, value));
}

function size(change) {
  return change === clamp ? t("{share} or more", { share: percent(change, 0) }) : percent(change);
}

function unitPrices({ old_unit_price: before, new_unit_price: after, size_unit: unit }) {
  if (before === null && after === null) return null;
  const text = (price) => price === null ? none : unitPrice.format(price);
  return `${t("From {before} to {after} per {unit}.", { before: text(before), after: text(after), unit: unit ?? t("unit") })} `;
}
