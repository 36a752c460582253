// Names of cities in the page's language.

import { t } from "./lang.js";

// Cities whose French name is another one.
const cities = {
  Montreal: t("Montreal"), "Quebec City": t("Quebec City"), "Saint John": t("Saint John"), "Trois-Rivieres": t("Trois-Rivieres"), Levis: t("Levis"),
};

// cityName returns the name of a city, which the snapshot gives in English.
export const cityName = (name) => (Object.hasOwn(cities, name) ? cities[name] : name);
