// Reads the prices of a release as two other programs do. hyparquet reads one column by ranges
// of the server's file. DuckDB reads the file that was downloaded. Every value of every row is
// compared with the pages of /api/v1/prices. What was found is printed as JSON.
import { writeFile } from "node:fs/promises"
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { DuckDBInstance } from "@duckdb/node-api"

const [base, release, key, folder, documented] = process.argv.slice(2)
const headers = { Authorization: "Bearer " + key }
const address = `${base}/api/v1/files/${release}/prices.parquet`

let moved = 0
const byteLength = Number((await fetch(address, { method: "HEAD", headers })).headers.get("content-length"))
const file = {
  byteLength,
  async slice(from, to = byteLength) {
    const answer = await fetch(address, { headers: { ...headers, Range: `bytes=${from}-${to - 1}` } })
    if (answer.status !== 206) throw new Error(`${answer.status} ${await answer.text()}`)
    const bytes = await answer.arrayBuffer()
    moved += bytes.byteLength
    return bytes
  },
}
const metadata = await parquetMetadataAsync(file, { initialFetchSize: 1 << 16 }) // the file is a small one
const column = await parquetReadObjects({ file, metadata, columns: ["effective_price"] })

const pages = []
for (let offset = 0; offset !== null; ) {
  const answer = await fetch(`${base}/api/v1/prices?from=2020-01-01&to=2030-01-01&limit=10000&offset=${offset}`, { headers })
  const page = await answer.json()
  pages.push(...page.observations)
  offset = page.meta.next_offset
}

// flat gives a row of a page the columns of the file.
function flat(row) {
  const { retailer_products: { products, ...listing }, stores, promo_detail, ...own } = row
  const { id, name, ...product } = products
  return {
    regular_price_source: null, ...own, ...listing, ...product, ...stores,
    product_name: name, promo_detail: promo_detail ? JSON.stringify(promo_detail) : null,
  }
}

const local = folder + "/prices.parquet"
await writeFile(local, Buffer.from(await (await fetch(address, { headers })).arrayBuffer()))
const duck = await (await DuckDBInstance.create(":memory:")).connect()
await duck.run("SET TimeZone = 'UTC'")
const all = async (sql) => (await duck.runAndReadAll(sql)).getRowObjectsJson()
const types = Object.fromEntries((await all(`DESCRIBE SELECT * FROM '${local}'`)).map((c) => [c.column_name, c.column_type]))
const rows = await all(`SELECT * EXCLUDE (week, observed_at), epoch_us(observed_at) AS observed_at FROM '${local}'`)

const differences = []
rows.forEach((row, i) => {
  const page = flat(pages[i])
  if (row.promo_detail) row.promo_detail = JSON.stringify(JSON.parse(row.promo_detail)) // 1.10 is 1.1
  page.observed_at = Date.parse(page.observed_at) * 1000
  for (const name of new Set([...Object.keys(row), ...Object.keys(page)])) {
    let value = row[name]
    if (typeof page[name] === "number" && value !== null) value = Number(value)
    if (value !== page[name] && differences.length < 10) differences.push([i, name, value, page[name]])
  }
})
const tenThousandths = (list) => list.reduce((sum, v) => sum + BigInt(Math.round(v * 1e4)), 0n)
const [{ total }] = await all(`SELECT sum(effective_price)::VARCHAR AS total FROM '${local}'`)
const quarters = await all(`SELECT count(DISTINCT date_trunc('quarter', CAST(week AS DATE))) AS quarters FROM '${local}'`)
const averages = await all(documented.replace("prices.parquet", local))
console.log(JSON.stringify({
  categories: averages.length,
  share: moved / byteLength, groups: metadata.row_groups.length, quarters: Number(quarters[0].quarters),
  rows: rows.length, pages: pages.length, column: column.length, differences, types,
  sum: String(tenThousandths(pages.map((p) => p.effective_price))),
  sumInDuckDB: total.replace(".", ""),
  sumOfColumn: String(tenThousandths(column.map((c) => c.effective_price))),
}))
