// Runs the statements of a script in a folder, then a query, and writes what it finds as CSV:
//
//	node sql.mjs duckdb|clickhouse FOLDER SCRIPT QUERY OUT.csv
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"

const engines = {
  async duckdb() {
    const { DuckDBInstance } = await import("@duckdb/node-api")
    const db = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect()
    return {
      run: (sql) => db.run(sql),
      csv: async (sql, out) => await db.run(`COPY (${sql}) TO '${out}' (HEADER)`),
    }
  },

  async clickhouse() {
    const { Session } = createRequire(import.meta.url)("chdb")
    const db = new Session()
    return {
      run: async (sql) => db.query(sql, "CSV"),
      csv: async (sql, out) => writeFileSync(out, db.query(`${sql} SETTINGS format_csv_null_representation = ''`, "CSVWithNames")),
      end: () => db.cleanup(),
    }
  },
}

const [engine, folder, script, query, out] = process.argv.slice(2)
const db = await engines[engine]()
process.chdir(folder)
for (const statement of readFileSync(script, "utf8").split(/;\n/)) {
  if (!statement.replace(/^--.*$/gm, "").trim()) continue
  const started = Date.now()
  await db.run(statement)
  const took = Date.now() - started
  if (took > 2000) console.log(`${took} ms: ${/TABLE (\w+)(?: ENGINE.*)? AS/.exec(statement)?.[1] ?? statement}`)
}
await db.csv(query, out)
db.end?.()
