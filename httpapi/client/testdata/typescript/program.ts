// TestOpenAPITypeScript compiles this program with the types that openapi-typescript makes
// of /openapi.json, and runs it with the address of a server and a key.
import createClient from "openapi-fetch";
import type { components, paths } from "./larder.js";

declare const process: { argv: string[] };

const [, , baseUrl, key] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const days = { from: "2026-11-09", to: "2026-11-15" };

const rows: components["schemas"]["PriceObservation"][] = [];
let [pages, tag]: [number, string | null] = [0, null];
for (let offset: number | null = 0; offset !== null; pages++) {
  const page: Awaited<ReturnType<typeof prices>> = await prices(offset);
  if (page.data === undefined) throw new Error(`${page.error?.code}: ${page.error?.error}`);
  tag ??= page.response.headers.get("ETag");
  rows.push(...page.data.observations);
  offset = page.data.meta.next_offset;
}
const again = await prices(0, tag ?? "");
const index = await client.GET("/api/v1/index", { params: { query: { level: "national" } } });
if (index.data === undefined) throw new Error(index.error.code);

console.log(JSON.stringify({
  Pages: pages,
  Rows: rows.map((row) => `${row.id} ${row.effective_price} ${JSON.stringify(row.package_size)}`),
  Levels: index.data.observations.map((row) => `${row.date} ${row.index_value} ${row.pct_change_yoy}`),
  Again: again.response.status,
}));

function prices(offset: number, tag?: string) {
  return client.GET("/api/v1/prices", {
    params: { query: { ...days, limit: 1500, offset }, header: tag === undefined ? {} : { "If-None-Match": tag } },
  });
}
