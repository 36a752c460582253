// Quantities are numbers of packages or kilograms. All are multiples of a quarter, which binary fractions hold exactly.

import { number } from "../format.js";
import { t } from "../lang.js";

// parseQuantity reads a plain decimal number, such as "2", "2.0" or "0.25"; NaN if it is none.
export const parseQuantity = (text) => (/^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) ? Number(text) : NaN);

// typedQuantity reads what a person writes: a comma is a point, and ".5" is 0.5.
export const typedQuantity = (text) => parseQuantity(text.replace(",", ".").replace(/^\./, "0.").replace(/^0+(?=[0-9])/, ""));

// allows says whether an item of the catalog may be asked for in a quantity.
export const allows = (item, quantity) => quantity >= item.minQuantity && quantity <= item.maxQuantity && quantity % item.quantityStep === 0;

// ruleWords says what may be asked for, such as "in whole packages, 1 to 20".
export function ruleWords(item) {
  const rule = { min: number(item.minQuantity), max: number(item.maxQuantity), step: number(item.quantityStep) };
  return item.quantityUnit === "kg" ? t("by the kilogram, {min} to {max} in steps of {step}", rule) : t("in whole packages, {min} to {max}", rule);
}

// amountWords writes a quantity with its unit: "2 packages", "0.5 kg".
export function amountWords(item, quantity) {
  return item.quantityUnit === "kg" ? t("{quantity} kg", { quantity: number(quantity) }) : t("{n} packages", { n: quantity });
}
