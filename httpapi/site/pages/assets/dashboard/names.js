// What series, places and categories are called, on the page and in addresses.

import { turning } from "../ask.js";
import { own } from "../categories.js";
import { cityName } from "../cities.js";
import { t } from "../lang.js";

// In the order of the interface. The headline has no category there.
export const categories = own ?? new Map([
  ["dairy", t("Dairy")], ["meat", t("Meat")], ["bakery", t("Bakery")],
  ["produce_fruit", t("Fruit")], ["produce_veg", t("Vegetables")], ["pantry", t("Pantry")],
  ["frozen", t("Frozen")], ["beverages", t("Beverages")], ["household", t("Household")],
]);

export const headline = "overall";

// The cities by slug, and the chains by key, each to its display name. The page has them.
const options = (id, key) => new Map([...document.getElementById(id).options].map((option) => [option.dataset[key], option.value.replace(turning, "")]));
export const cities = options("cities-known", "slug");
const chains = options("chains-known", "key");
const products = options("products-known", "name");

// categoryName names a category. One that is newer than this page keeps its key.
export const categoryName = (key) => (key === headline ? t("All groceries") : categories.get(key) ?? key);

// productName names a product, which responses name in English.
export const productName = (name) => products.get(name) ?? name;

// chainName is the display name of a banner.
export const chainName = (key) => chains.get(key) ?? key;

// placeName names the place of a series.
export function placeName({ level, city, banner }) {
  if (level === "national") return document.getElementById("dashboard").dataset.whole || t("All cities");
  return level === "city" ? cityName(city) : t("{chain} in {city}", { chain: chainName(banner), city: cityName(city) });
}

export function seriesName(series) {
  return t("{place}: {category}", { place: placeName(series), category: categoryName(series.category).toLowerCase() });
}

// shortNames names each of several series by what tells it from the others.
export function shortNames(list) {
  const same = (part) => list.every((series) => part(series) === part(list[0]));
  if (same((series) => series.category)) return list.map(placeName);
  if (same(placeName)) return list.map(({ category }) => categoryName(category));
  return list.map(seriesName);
}

// seriesKey is the name of a series in addresses, such as toronto.dairy.
export function seriesKey({ level, city, banner, category }) {
  if (level === "national") return `national.${category}`;
  const slug = [...cities].find(([, name]) => name === city)?.[0] ?? city;
  return [slug, banner, category].filter(Boolean).join(".");
}

// parseSeries reads such a name. It returns null for one that no series has.
export function parseSeries(key) {
  const cut = key.lastIndexOf(".");
  const place = key.slice(0, Math.max(cut, 0)), category = key.slice(cut + 1);
  if (category !== headline && !categories.has(category)) return null;
  if (place === "national") return { level: "national", city: null, banner: null, category };
  for (const [slug, city] of cities) {
    if (place === slug) return { level: "city", city, banner: null, category };
    const banner = place.slice(slug.length + 1);
    if (place.startsWith(`${slug}.`) && chains.has(banner)) return { level: "banner", city, banner, category };
  }
  return null;
}
