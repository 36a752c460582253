// Names of the catalog in the language of the page.

import { locale, t } from "../lang.js";

const french = locale.startsWith("fr");

// otherTongue is the language of an item's second name, which nameFr holds.
export const otherTongue = french ? "en" : "fr";

// inLanguage returns a catalog with the items' names in the page's language. In French an item's nameFr is its English name.
export const inLanguage = (catalog) => ({ ...catalog, items: catalog.items.map((x) => (french && x.nameFr ? { ...x, name: x.nameFr, nameFr: x.name } : x)) });

// saying says something of a line.
export const saying = (text, why) => t("“{text}”: {why}", { text, why });
