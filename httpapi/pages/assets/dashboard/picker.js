// Choosing series for the chart, and which of its weeks are shown.

import { byId, h, say, show } from "../dom.js";
import { categories, categoryName, headline, seriesKey, seriesName } from "./names.js";

const most = 4; // that one can tell apart
const ranges = [13, 52];

// makePicker wires the controls. one asks for a whole series, null if there is
// none; refused shows why an asking failed; changed is called with the entries
// {series, slot} and the number of weeks to show.
export function makePicker({ one, refused, changed }) {
  const chosen = [];
  let weeks = Infinity;
  const note = byId("picker-note");
  const [level, city, banner, category] = ["level", "city", "banner", "category"].map((name) => byId(`picker-${name}`));
  show(category, [headline, ...categories.keys()].map((slug) => h("option", { value: slug }, categoryName(slug))));

  const tell = () => changed([...chosen], weeks);

  function remove(entry) {
    chosen.splice(chosen.indexOf(entry), 1);
    tell();
    say(note, `${seriesName(entry.series)} is off the chart.`);
    byId("picker-add").focus();
  }

  // add puts a series on the chart, asking for it if it is not there.
  async function add(wanted) {
    const name = seriesName(wanted), key = seriesKey(wanted);
    const shown = () => chosen.some((entry) => entry.series.key === key);
    if (shown()) return say(note, `${name} is on the chart.`);
    if (chosen.length >= most) return say(note, `The chart has ${most} series, which is as many as one can tell apart. Take one off first.`);
    let series;
    try {
      say(note, `Asking for ${name}\u2026`);
      series = await one(wanted);
    } catch (error) {
      return refused(note, error, () => add(wanted));
    }
    if (series === null) return say(note, `${name}: nothing is published. Too few of its products are matched.`);
    if (shown() || chosen.length >= most) return; // while this waited
    put(series);
    say(note, `${name} is on the chart.`);
  }

  // put takes a look, dashes and colour, that no other series has.
  function put(series) {
    const slot = [0, 1, 2, 3].find((free) => !chosen.some((entry) => entry.slot === free));
    chosen.push({ series, slot });
    tell();
  }

  byId("picker").addEventListener("submit", (event) => {
    event.preventDefault();
    add({
      level: level.value, category: category.value,
      city: level.value === "national" ? null : city.value, banner: level.value === "banner" ? banner.value : null,
    });
  });

  let places = new Map(); // cities to their banners
  function fields() {
    show(banner, (places.get(city.value) ?? []).toSorted().map((key) => h("option", { value: key }, key)));
    city.parentElement.hidden = level.value === "national";
    banner.parentElement.hidden = level.value !== "banner";
    for (const option of level.options) option.disabled = option.value !== "national" && places.size === 0;
  }
  level.addEventListener("change", fields);
  city.addEventListener("change", fields);
  fields();

  return {
    add, put, remove,
    offer(found) {
      places = found;
      show(city, [...places.keys()].toSorted((a, b) => a.localeCompare(b, "en-CA")).map((name) => h("option", { value: name }, name)));
      fields();
    },
    // limit offers the ranges that are shorter than what there is.
    limit(all) {
      const shorter = ranges.filter((n) => n < all);
      const radio = (value, text, checked) => h("label", {}, h("input", {
        type: "radio", name: "range", value, checked,
        onchange: () => { weeks = value === "all" ? Infinity : Number(value); tell(); },
      }), text);
      byId("range").hidden = shorter.length === 0;
      byId("range").append(...shorter.map((n) => radio(String(n), `${n} weeks`, false)), radio("all", `All ${all}`, true));
    },
  };
}
