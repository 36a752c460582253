// Reads the feeds of servers, one after the other, as readers do. Prints for each what a
// reader finds that it had not seen before.
import ICAL from "ical.js";
import Parser from "rss-parser";

const seen = new Set();
const isNew = (id) => !seen.has(id) && seen.add(id);
const toronto = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Toronto", weekday: "short", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

const found = [];
for (const base of process.argv.slice(2)) {
  const get = async (path) => (await fetch(base + path)).text();
  const feed = await new Parser().parseString(await get("/releases.atom"));
  const calendar = new ICAL.Component(ICAL.parse(await get("/releases.ics")));
  const events = calendar.getAllSubcomponents("vevent").map((x) => new ICAL.Event(x));
  found.push({
    title: feed.title,
    about: calendar.getFirstPropertyValue("description"),
    items: feed.items.filter((x) => isNew(x.id)).map((x) => `${x.title} ${x.isoDate}`),
    events: events.filter((x) => isNew(x.uid)).map((x) => `${x.summary}, ${toronto.format(x.startDate.toJSDate())}`),
  });
}
console.log(JSON.stringify(found));
