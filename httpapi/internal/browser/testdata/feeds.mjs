// Reads the feeds of servers, one after the other, as readers do. Prints for each what a
// reader finds that it had not seen before.
import Parser from "rss-parser";

const seen = new Set();
const isNew = (id) => !seen.has(id) && seen.add(id);

const found = [];
for (const base of process.argv.slice(2)) {
  const get = async (path) => (await fetch(base + path)).text();
  const feed = await new Parser().parseString(await get("/releases.atom"));
  found.push({
    title: feed.title,
    items: feed.items.filter((x) => isNew(x.id)).map((x) => `${x.title} ${x.isoDate}`),
  });
}
console.log(JSON.stringify(found));
