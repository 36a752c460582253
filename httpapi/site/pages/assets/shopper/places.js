// Where to compare: the city, which of its chains, and which sales and variants count there.

import { byId } from "../dom.js";
import { t } from "../lang.js";

const city = byId("city");
const boxes = (name) => [...byId("options").querySelectorAll(`input[name=${name}]`)];

// chainsHere lists the keys of the city's chains.
const chainsHere = () => (city.selectedOptions[0].dataset.chains ?? "").split(" ");

// places wires the choices. change gets what is chosen.
export function places(change) {
  city.addEventListener("change", () => change({ city: city.value, accept: [], reject: [] }));
  const checked = (name) => boxes(name).filter((box) => box.checked).map((box) => box.value);
  byId("options").addEventListener("change", () => change({ stores: checked("stores"), conditions: checked("conditions"), variants: byId("variants").checked }));
}

// showPlaces shows a state. Chains without a store in the city can be taken off only.
export function showPlaces(state) {
  city.value = state.city;
  for (const name of ["stores", "conditions"]) for (const box of boxes(name)) box.checked = state[name].includes(box.value);
  byId("variants").checked = state.variants;
  for (const box of boxes("stores")) box.closest("label").hidden = city.value !== "" && !chainsHere().includes(box.value) && !box.checked;
}

// lacking says what is to be chosen before a list can be compared, and what should be known: [text, whether it can't be].
export function lacking(state, { chains, rules }) {
  const away = state.city === "" ? [] : state.stores.filter((key) => !chainsHere().includes(key));
  if (state.city === "" && state.items.length === 0) return [t("Choose a city and add what you need."), true];
  if (state.city === "") return [t("Choose a city: prices are compared within one."), true];
  if (state.items.length === 0) return [t("Add at least one item."), true];
  if (state.stores.length > rules.maxStores) return [t("Choose at most {most} chains.", { most: rules.maxStores }), true];
  if (away.length > 0) {
    const names = away.map((key) => chains.find((c) => c.key === key).name).join(", ");
    return [t("{n} chosen chains have no store in {city}: {chains}.", { n: away.length, city: city.selectedOptions[0].text, chains: names }), true];
  }
  return [state.stores.length === 1 ? t("With one chain there is nothing to compare: its prices are shown, without a recommendation.") : "", false];
}
