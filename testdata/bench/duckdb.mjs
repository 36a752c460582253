// The DuckDB side of the benchmark, one command per process, as larder's is:
//
//	node duckdb.mjs version
//	node duckdb.mjs prepare EXPORT FILTERED.csv DIR LAST-WEEK   panel.csv and weights.csv into DIR
//	node duckdb.mjs levels DIR                                  one timed run, as a line of JSON
//	node duckdb.mjs compare DIR LARDER.csv                      do both compute the same levels?
//
// THREADS in the environment sets how many threads it may use.
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { levels, load } from './levels.mjs'

const instance = await DuckDBInstance.create(':memory:', { threads: process.env.THREADS ?? '2' })
const db = await instance.connect()

const row = async (sql) => (await db.runAndReadAll(sql)).getRowsJson()[0]
const text = (s) => `'${s.replaceAll("'", "''")}'`

async function seconds(work) {
  const started = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - started) / 1e9
}

// script runs a .sql file of this folder with the given variables set.
async function script(name, variables) {
  for (const [key, value] of Object.entries(variables)) await db.run(`SET VARIABLE ${key} = ${text(value)}`)
  await db.run(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

const commands = {
  async version() {
    console.log((await row('SELECT version()'))[0])
  },

  async prepare(source, filtered, dir, last) {
    await script('prepare.sql', { source, filtered, last })
    await db.run(`COPY panel TO ${text(dir + '/panel.csv')}`)
    await db.run(`COPY weights TO ${text(dir + '/weights.csv')}`)
    console.log((await row('SELECT count(*) FROM panel'))[0])
  },

  async levels(dir) {
    const load_s = await seconds(() => load(db, text, dir))
    // The first time is taken, as larder's is: each is a program that is started,
    // loads, computes once and ends.
    const compute_s = await seconds(() => levels(db, row))
    const [rows] = await row('SELECT count(*) FROM levels')
    console.log(JSON.stringify({ load_s, compute_s, rows: Number(rows) }))
  },

  async compare(dir, larder) {
    await load(db, text, dir)
    await levels(db, row)
    await script('compare.sql', { larder })
    const [compared, missing, extra, off] = await row('SELECT * FROM verdict')
    console.log(`${compared} category levels, ${missing} missing in larder, ${extra} only in larder, largest difference ${off}`)
    if (!(compared > 0 && missing == 0 && extra == 0 && off <= 5e-4)) {
      console.error('bench: DuckDB and larder do not compute the same levels. The worst:')
      console.error((await db.runAndReadAll('FROM worst')).getRowObjectsJson())
      process.exitCode = 1
    }
  },
}

const [command, ...args] = process.argv.slice(2)
await commands[command](...args)
