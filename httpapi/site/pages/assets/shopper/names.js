// Names of the catalog in the page's language. The snapshot has French names of items; the
// names of categories are the page's.

import { cityName } from "../cities.js";
import { locale, t } from "../lang.js";

const french = locale.startsWith("fr");

// otherTongue is the language of an item's second name, which nameFr holds.
export const otherTongue = french ? "en" : "fr";

// inLanguage returns a catalog with its names in the page's language. In French an item's
// nameFr is its English name.
export function inLanguage(catalog) {
  if (!french) return catalog;
  return {
    ...catalog,
    items: catalog.items.map((x) => (x.nameFr ? { ...x, name: x.nameFr, nameFr: x.name } : x)),
    cities: catalog.cities.map((c) => ({ ...c, name: cityName(c.name) })),
  };
}

// categoryName names a category of the catalog; one that is new here by its key.
export function categoryName(key) {
  const spaced = key.replaceAll("_", " ");
  return categories[key] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const categories = {
  produce_fruit: t("Fruit"), produce_veg: t("Vegetables"), dairy: t("Dairy and eggs"), meat: t("Meat, fish, tofu"), bakery: t("Bakery"),
  pantry: t("Pantry"), frozen: t("Frozen"), beverages: t("Drinks"), household: t("Household"),
};
