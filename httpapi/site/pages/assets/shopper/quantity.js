// Quantities are whole hundredths, of a package or of a kilogram: 0.25 is 25. No
// binary fraction is anywhere involved, so a list has one text and one only.

import { number } from "../format.js";
import { t } from "../lang.js";

const plain = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

// parseQuantity reads a plain decimal number, such as "2", "2.0" or "0.25". null:
// it is none; -1: too large or too fine to be a quantity of anything.
export function parseQuantity(text) {
  const parts = plain.exec(text);
  if (parts === null) return null;
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  if (parts[1].length > 3 || fraction.length > 2) return -1;
  return Number(parts[1]) * 100 + Number(fraction.padEnd(2, "0"));
}

// typedQuantity reads what a person writes: a comma is a point, and ".5" is 0.5.
export function typedQuantity(text) {
  const tidy = text.trim().replace(",", ".").replace(/^\./, "0.");
  return parseQuantity(tidy.replace(/^0+(?=[0-9])/, ""));
}

// quantityText writes the shortest decimal number: "2", "0.5", "0.25".
export function quantityText(hundredths) {
  const fraction = String(hundredths % 100).padStart(2, "0").replace(/0+$/, "");
  const whole = String(Math.floor(hundredths / 100));
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

// shownQuantity writes it as people of the page's language do: "0,5".
export const shownQuantity = (hundredths) => number(quantityText(hundredths));

// ruleOf returns what may be asked for of an item of the catalog.
export function ruleOf(item) {
  const hundredths = (x) => Math.round(x * 100);
  return { min: hundredths(item.minQuantity), max: hundredths(item.maxQuantity), step: hundredths(item.quantityStep) };
}

// allows says whether a quantity is one that a rule allows.
export function allows(rule, quantity) {
  return quantity !== null && quantity >= rule.min && quantity <= rule.max && quantity % rule.step === 0;
}

// firstQuantity is what an item is added with: 1, or what comes nearest to it.
export function firstQuantity(rule) {
  if (allows(rule, 100)) return 100;
  return Math.min(Math.max(rule.min, Math.ceil(100 / rule.step) * rule.step), rule.max);
}

// stepped moves a quantity by a step, and stops at the bounds.
export function stepped(rule, quantity, up) {
  return up ? Math.min(quantity + rule.step, rule.max) : Math.max(quantity - rule.step, rule.min);
}

// ruleWords says what may be asked for, such as "whole packages, 1 to 20".
export function ruleWords(item) {
  const { min, max, step } = ruleOf(item);
  const rule = { min: shownQuantity(min), max: shownQuantity(max), step: shownQuantity(step) };
  if (item.quantityUnit === "kg") return t("by the kilogram, {min} to {max} in steps of {step}", rule);
  return step === 100 ? t("in whole packages, {min} to {max}", rule) : t("in packages, {min} to {max} in steps of {step}", rule);
}

// amountWords writes a quantity with its unit: "2 packages", "0.5 kg".
export function amountWords(item, quantity) {
  if (item.quantityUnit === "kg") return t("{quantity} kg", { quantity: shownQuantity(quantity) });
  return t("{n} packages", { n: quantity / 100 });
}
