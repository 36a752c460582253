// Parses scripts of SQL: node parse.mjs spark|bigquery|postgresql SCRIPT
// prints how many statements there are. An error has its place.
import { readFileSync } from "node:fs"
import { register } from "node:module"

// The modules of dt-sql-parser are meant for bundlers: imports lack the endings of files.
register("data:text/javascript," + encodeURIComponent(`
export async function resolve(name, context, next) {
  for (const ending of ["", ".js", "/index.js"]) {
    try { return await next(name + ending, context) } catch (e) { if (ending === "/index.js") throw e }
  }
}`))

const [dialect, script] = process.argv.slice(2)
const text = readFileSync(script, "utf8")
if (dialect === "spark") {
  const { SparkSQL } = await import("dt-sql-parser")
  const parser = new SparkSQL()
  const [problem] = parser.validate(text)
  if (problem) throw new Error(`line ${problem.startLine}: ${problem.message}`)
  console.log(parser.splitSQLByStatement(text).length)
} else {
  const { parse } = await import("sql-parser-cst")
  console.log(parse(text, { dialect }).statements.filter((s) => s.type !== "empty").length)
}
