// Where to compare: the city, which of its chains, and which sales count there.

import { byId, h, show } from "../dom.js";
import { t } from "../lang.js";

// places wires the choice of a city and of chains. change gets a function of the
// state before.
export function places({ catalog, change }) {
  const city = byId("city"), fieldset = byId("scope"), chains = byId("chains");
  const radios = fieldset.querySelectorAll("input[name=scope]");
  const boxes = new Map(); // by key
  const conditions = byId("conditions").querySelectorAll("input");
  let shown = "";

  city.append(...catalog.cities.map((c) => h("option", { value: c.slug }, [c.name, c.province].filter((part) => part !== "").join(", "))));
  city.addEventListener("change", () => change((state) => ({ ...state, city: city.value, accept: [], reject: [] })));
  byId("variants").addEventListener("change", (event) => change((state) => ({ ...state, variants: event.target.checked })));
  for (const radio of radios) {
    radio.addEventListener("change", () => change((state) => ({ ...state, stores: radio.value === "all" ? null : [] })));
  }
  for (const box of conditions) {
    box.addEventListener("change", () => change((state) => ({ ...state, conditions: [...conditions].filter((c) => c.checked).map((c) => c.value) })));
  }
  for (const chain of catalog.chains) {
    const box = h("input", { type: "checkbox", value: chain.key });
    box.addEventListener("change", () => change((state) => {
      const others = (state.stores ?? []).filter((k) => k !== chain.key);
      return { ...state, stores: box.checked ? [...others, chain.key] : others };
    }));
    boxes.set(chain.key, { box, label: h("label", { class: "check" }, box, h("span", {}, chain.name)) });
  }

  // render shows a state. of: the keys of the chains that the city has, null if
  // that is not known (yet).
  const render = (state, of) => {
    city.value = state.city;
    const name = cityName(catalog, state.city);
    byId("scope-all").textContent = name === "" ? t("All chains of the city") : t("All chains of {city}", { city: name });
    for (const radio of radios) radio.checked = (radio.value === "some") === (state.stores !== null);
    for (const box of conditions) box.checked = state.conditions.includes(box.value);
    byId("variants").checked = state.variants;
    chains.hidden = state.stores === null;
    if (state.stores === null) return;
    for (const [key, { box }] of boxes) box.checked = state.stores.includes(key);
    const here = catalog.chains.filter((c) => of === null || of.includes(c.key));
    const away = of === null ? [] : catalog.chains.filter((c) => !of.includes(c.key) && state.stores.includes(c.key));
    // Boxes are put in anew only when others are to be shown. One may have the focus.
    const now = JSON.stringify([here, away, name]);
    if (now !== shown) {
      shown = now;
      const focused = chains.contains(document.activeElement) ? document.activeElement : null;
      const group = (list) => h("div", { class: "checks" }, list.map((c) => boxes.get(c.key).label));
      show(chains,
        of === null && h("p", { class: "small muted" }, name === "" ? t("These are chains of all cities; choose a city to see those it has.") : t("Some of these may have no store in {city}.", { city: name })),
        group(here),
        away.length > 0 && h("div", { id: "away" }, h("p", { class: "small warn-text" }, away.length === 1 ? t("No store in {city}; take it off the list:", { city: name }) : t("No store in {city}; take them off the list:", { city: name })), group(away)));
      if (focused !== null) (chains.contains(focused) ? focused : chains.querySelector("input")).focus();
    }
  };
  return { render };
}

// cityName names the city of a slug, "" if it is none.
const cityName = (catalog, slug) => catalog.cities.find((c) => c.slug === slug)?.name ?? "";

// hint says what should be known before a list is compared, "" if nothing.
export function hint(state) {
  return state.stores?.length === 1 ? t("With one chain there is nothing to compare: its prices are shown, without a recommendation.") : "";
}

// lacking says what is to be chosen before a list can be compared, "" if nothing.
export function lacking(state, catalog, of) {
  const away = of === null ? [] : (state.stores ?? []).filter((k) => !of.includes(k));
  if (state.city === "" && state.items.length === 0) return t("Choose a city and add what you need.");
  if (state.city === "") return t("Choose a city: prices are compared within one.");
  if (state.items.length === 0) return t("Add at least one item.");
  if (state.stores !== null && state.stores.length === 0) return t("Choose at least one chain, or all of them.");
  if (state.stores !== null && state.stores.length > catalog.rules.maxStores) return t("Choose at most {most} chains.", { most: catalog.rules.maxStores });
  if (away.length > 0) {
    const names = away.map((k) => catalog.chains.find((c) => c.key === k).name).join(", ");
    return t("{n} chosen chains have no store in {city}: {chains}.", { n: away.length, city: cityName(catalog, state.city), chains: names });
  }
  return "";
}
