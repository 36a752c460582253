// The server's sentences about a comparison. It writes English: in another language each
// form of a sentence is said again, with the server's own digits.

import { number } from "../format.js";
import { locale, t } from "../lang.js";
import { listWords, quoted } from "./words.js";

const english = locale.startsWith("en");

// sentencesOf turns reasons, "code: words; more words", into {code, text} in
// sentences, and what several of them say alike into notes.
export function sentencesOf(reasons, items) {
  const split = reasons.map((reason) => {
    const at = reason.indexOf(": ");
    const code = at < 0 ? "" : reason.slice(0, at), text = reason.slice(at < 0 ? 0 : at + 2);
    return { code, clauses: text.split("; ") };
  });
  const said = split.flatMap((x) => x.clauses);
  const told = (clause) => / is the lowest of the \d+ chains? .* that have (?:everything|the item)$/u.test(clause); // by the headline
  const isNote = (clause) => clause.endsWith("is too close to call") || said.filter((c) => c === clause).length > 1;
  const spoken = (clause) => sentence(english ? plain(clause) : translated(clause, items));
  return {
    reasons: split.map(({ code, clauses }) => ({ code, text: clauses.filter((c) => !isNote(c) && !(code === "lowest_complete_total" && told(c))).map(spoken).join(" ") })),
    notes: [...new Set(said.filter(isNote))].map(spoken),
  };
}

// plain puts the sign of dollars before amounts and names into the page's quotes. It changes no
// amount; percentages get one decimal.
function plain(text) {
  return text.replace(/\b(\d+\.\d+) CAD\b/g, "$$$1").replace(/\d+\.\d+(?=%)/g, tenth).replace(/(?<=^| )'(.+?)'(?=[,;.]| and | at | \(|$)/gu, "\u201c$1\u201d");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) || text === "" ? "" : "."}`;
}

// caveatWords says a caveat without the names of the body's members.
export function caveatWords(text, items) {
  if (!english) return translated(text, items);
  return text
    .replace("items in conditionalPromotionItemIds stand", "items with such a price stand")
    .replace("Items in differentSizeItemIds come in packages of another size than the standard one: totalCad is", "Some items come in packages of another size than the standard one: the total is")
    .replace("sizeAdjustedTotalCad what", "the total at standard sizes what");
}

const cad = String.raw`(\d+\.\d+) CAD`, share = String.raw`\((\d+\.\d+)%\)`;

// forms are the forms of clauses: what finds one, and its words. amounts are in the order
// of the clause.
const forms = [
  [`^(.+) at ${cad} is the lowest of the (\\d+) chains? \\(of (\\d+)\\) that have (?:everything|the item)$`, ([chain, total, complete, all]) =>
    t("{chain} is the lowest of the {complete} chains (of {all}) that have everything: {total}", { chain, total: money(total), complete, all })],
  [`^it is ${cad} ${share} below (.+), the next$`, ([apart, percent, chain]) =>
    t("it is {amount} ({percent}) below {chain}, the next", { amount: money(apart), percent: percentage(percent), chain })],
  [`^up to ${cad} apart \\((\\d+)%, at least ${cad}\\) is too close to call$`, ([apart, percent, least]) =>
    t("up to {amount} apart ({percent}, at least {least}) is too close to call", { amount: money(apart), percent: percentage(percent), least: money(least) })],
  [`^(.+) at ${cad} is ${cad} ${share} above (.+) at ${cad}$`, ([chain, total, apart, percent, lowest, least]) =>
    t("{chain} at {total} is {amount} ({percent}) above {lowest} at {least}", { chain, total: money(total), amount: money(apart), percent: percentage(percent), lowest, least: money(least) })],
  [`^(.+) at ${cad} is the lowest total, but at standard sizes it costs ${cad}, ${cad} more than (.+) at ${cad}$`, ([chain, total, adjusted, apart, other, least]) =>
    t("{chain} at {total} is the lowest total, but at standard sizes it costs {adjusted}, {amount} more than {other} at {least}", { chain, total: money(total), adjusted: money(adjusted), amount: money(apart), other, least: money(least) })],
  ["^other sizes: (.+)$", ([list], items) => t("other sizes: {items}", { items: named(list, items) })],
  ["^(\\d+) of (\\d+) chains? (?:has|have) fresh prices for (?:all \\d+ items|the 1 item)$", ([full, all]) =>
    t("{full} of {n} chains have fresh prices for the whole list", { full, n: Number(all) })],
  ["^without a usable price: (.+)$", ([list], items) => t("without a usable price: {items}", { items: blocking(list, items) })],
  ["^none of the chains compared lists (.+)$", ([list], items) => t("none of the chains compared lists {items}", { items: named(list, items) })],
  ["^some chains sell only fixed packs, of which the quantity asked for is no multiple, of (.+)$", ([list], items) =>
    t("some chains sell only fixed packs, of which the quantity asked for is no multiple, of {items}", { items: named(list, items) })],
  ["^Prices are the latest seen at a chain's stores", () =>
    t("Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised.")],
  ["^A sale that needs a membership or several packages is not counted", () =>
    t("A sale that needs a membership or several packages is not counted: items with such a price stand at their regular price.")],
  ["^A sale with another condition than those asked for is not counted", () =>
    t("A sale with another condition than those asked for is not counted: items with such a price stand at their regular price.")],
  ["^Items in differentSizeItemIds", () =>
    t("Some items come in packages of another size than the standard one: the total is what these packages cost, the total at standard sizes what the standard size would cost at the same rate.")],
  ["^Counted at a sale price that needs a membership, as asked: (.+)\\.$", ([list], items) => t("Counted at a sale price that needs a membership, as asked: {items}.", { items: inText(list, items) })],
  ["^Counted at a sale price that needs several packages, as asked: (.+)\\.$", ([list], items) => t("Counted at a sale price that needs several packages, as asked: {items}.", { items: inText(list, items) })],
  ["^These prices are invented", () => t("These prices are invented: this is synthetic data, and no real shop charges them.")],
].map(([pattern, say]) => [new RegExp(pattern, "u"), say]);

// translated says a clause in the page's language. A clause of an unknown form is left
// out, since what it says can't be known.
function translated(clause, items) {
  for (const [pattern, say] of forms) {
    const found = pattern.exec(clause);
    if (found !== null) return say(found.slice(1), items);
  }
  return "";
}

const money = (text) => `${number(text)}\u00a0$`;
const tenth = (text) => (text.includes(".") ? Number(text).toFixed(1) : text);
const percentage = (text) => `${number(tenth(text))}\u00a0%`;

// named says a list of names in the server's quotes, such as "'Milk, 2%' and 'Eggs'".
function named(list, items) {
  return listWords(namesIn(list).map((name) => quoted(nameFor(name, items))));
}

// inText replaces the names in the server's quotes.
function inText(text, items) {
  return text.replaceAll(/'(.+?)'(?=[,;.]| and |$)/gu, (_, name) => quoted(nameFor(name, items))).replaceAll("\u00bb and \u00ab", `\u00bb ${t("and")} \u00ab`);
}

const namesIn = (list) => [...list.matchAll(/'(.+?)'(?=,| and |$| \()/gu)].map((found) => found[1]);

// nameFor finds an item by its English name.
function nameFor(name, items) {
  for (const x of items.values()) if (x.nameFr === name) return x.name;
  return name;
}

// blocking says items and how many chains lack each: "'Milk' (at 3 chains), and 2 more".
function blocking(list, items) {
  const each = [...list.matchAll(/'(.+?)' \(at (\d+) chains?\)/gu)].map(([, name, chains]) => t("{item} (at {n} chains)", { item: quoted(nameFor(name, items)), n: Number(chains) }));
  const more = /and (\d+) more$/.exec(list);
  return more === null ? listWords(each) : t("{items} and {more} more", { items: each.join(", "), more: more[1] });
}
