// The feed of packs that got smaller: asked for when somebody comes near it, and
// only by those whose tier has it.

import { ask } from "../ask.js";
import { byId, h, say, show } from "../dom.js";
import { at, t } from "../lang.js";
import { article, grades } from "./event.js";
import { change, state } from "./state.js";
import { addDays } from "./weeks.js";

const page = 500;
const periods = [[30, t("In the last 30 days")], [90, t("In the last 90 days")], [365, t("In the last year")]];
const first = 2; // shown before somebody asks for all
const tiers = ["standard", "professional", "enterprise"];

// makeFeed readies the section. today is what the interface says; refused shows
// why an asking failed.
export function makeFeed(section, body, { tier, today, refused }) {
  const stage = (name) => { section.dataset.state = name; };
  if (!tiers.includes(tier)) {
    stage("tier");
    show(body, h("p", { class: "note" }, t("The feed needs a key of tier {needed} or above; yours is {tier}.", { needed: tiers[0], tier }), " ", h("a", { href: at("/account") }, t("Your account"))));
    return;
  }
  const status = h("p", { class: "small muted", role: "status" });
  const list = h("div", { id: "feed-list" });
  const period = h("select", { id: "feed-period", onchange: () => { change({ days: period.value }); load(); } }, periods.map(([days, text]) => h("option", { value: days, selected: String(days) === state.days }, text)));
  const filter = h("fieldset", { id: "feed-filter", onchange: filtered }, h("legend", {}, t("Grade")),
    grades.map(({ grade, name, means }) => h("label", {}, h("input", { type: "checkbox", name: "grade", value: grade, checked: state.grades.split(",").includes(grade) }),
      h("span", {}, h("strong", {}, name), h("span", { class: "count num" }), h("span", { class: "small muted" }, means)))));
  let answer = null, events = [], turn = 0, all = false;

  function filtered() {
    change({ grades: [...filter.querySelectorAll("input:checked")].map((box) => box.value).join(",") });
    draw();
  }

  // Of several askings on their way only the last one counts.
  async function load() {
    const mine = ++turn;
    stage("loading");
    say(status, t("Loading…"));
    const query = new URLSearchParams({ confidence: "low", from: addDays(today, -period.value), limit: page });
    let got;
    try {
      got = await ask(`/account/shrinkflation?${query}`);
      // The oldest come first: of more than a page, the newest are on the last.
      if (got.meta.has_more && mine === turn) got = await ask(`/account/shrinkflation?${query}&offset=${got.meta.total_matched - got.meta.limit}`);
    } catch (error) {
      if (mine !== turn) return;
      stage("failed");
      show(status);
      return refused(list, error, load);
    }
    if (mine !== turn) return;
    answer = got;
    events = answer.events.toReversed();
    stage("ready");
    draw();
  }

  function draw() {
    if (answer === null) return;
    const wanted = [...filter.querySelectorAll("input")].filter((box) => {
      box.parentElement.querySelector(".count").textContent = ` ${events.filter((event) => event.confidence === box.value).length}`;
      return box.checked;
    }).map((box) => box.value);
    const shown = events.filter((event) => wanted.includes(event.confidence));
    const { total_matched: total, scan_truncated: truncated } = answer.meta;
    say(status, total === 0 ? "" : total > events.length ? t("{n} events of {total}, of which the newest {loaded} were loaded, newest first.", { n: shown.length, total, loaded: events.length }) : t("{n} events of {total}, newest first.", { n: shown.length, total }));
    show(list,
      truncated ? h("p", { class: "note warn" }, t("There were more events in this period than the server looks at, so the newest may be missing. Choose a shorter period.")) : null,
      events.length === 0 ? h("p", { class: "note" }, t("No pack is known to have shrunk in this period.")) : null,
      shown.slice(0, all ? shown.length : first).map(article),
      all || shown.length <= first ? null : h("button", { type: "button", id: "feed-all", class: "no-print", onclick: () => { all = true; draw(); list.querySelectorAll("article")[first].scrollIntoView({ block: "nearest" }); } }, t("Show all {n}", { n: String(shown.length) })));
  }

  show(body, h("div", { class: "card feed-controls no-print" }, filter, h("p", {}, h("label", { for: "feed-period" }, t("Recorded")), period)), status, list);
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    load();
  }, { rootMargin: "600px" });
  near.observe(byId("feed"));
}
