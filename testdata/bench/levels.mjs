// The levels in SQL: what larder's index computes before changes and costs.

// load reads the two files. The column types are given, which spares DuckDB
// the guessing.
export async function load(db, text, dir) {
  await db.run(`
    CREATE TABLE panel AS FROM read_csv(${text(dir + '/panel.csv')}, auto_detect = false, header = true, columns = {
      week: 'DATE', product: 'SMALLINT', store: 'SMALLINT', price: 'DOUBLE', city: 'VARCHAR', banner: 'VARCHAR', category: 'VARCHAR'})`)
  await db.run(`
    CREATE TABLE weights AS FROM read_csv(${text(dir + '/weights.csv')}, auto_detect = false, header = true, columns = {
      product: 'SMALLINT', weight: 'DOUBLE', category: 'VARCHAR'})`)
}

// trimmed is the mean of r without floor(n/10) values at each end, in cells of
// at most 10k+9 rows. Taking the k smallest and largest from the sum was the
// fastest way found: at 520 weeks sorted lists took 1.4 times as long (from
// grouping sets or a union alike), row numbers in windows 2.5 times, and integer
// keys for the cells 1.5 times. Most cells are too small to trim; there it is a
// plain mean.
function trimmed(k) {
  if (k === 0) return 'avg(r)'
  if (k === 1) return 'CASE WHEN count(*) < 10 THEN avg(r) ELSE (sum(r) - min(r) - max(r)) / (count(*) - 2) END'
  const ends = ['min', 'max'].map((end) => `coalesce(list_sum(${end}(r, ${k})[:count(*) // 10]), 0)`)
  return `(sum(r) - ${ends.join(' - ')}) / (count(*) - 2 * (count(*) // 10))`
}

// levels makes the table of that name: a row for every geography, basket cell
// and week, with no floor. Nulls stand for "all cities", "all banners" and the
// overall basket.
export async function levels(db, row) {
  // No cell has more matched stores than it has in the base week.
  const most = (by) => `(SELECT max(n) // 10 FROM (SELECT count(*) n FROM base GROUP BY ${by}))`
  await db.run('CREATE OR REPLACE TABLE base AS SELECT product, store, city, banner, ln(price) AS lp FROM panel WHERE week = (SELECT min(week) FROM panel)')
  const k = (await row(`SELECT ${most('product')}, ${most('product, city')}, ${most('product, city, banner')}`)).map(Number)
  await db.run(`
    CREATE OR REPLACE TABLE levels AS
    WITH relatives AS MATERIALIZED (
      SELECT p.week, p.product, p.city, p.banner, ln(p.price) - b.lp AS r
      FROM panel p JOIN base b USING (product, store)
    ), products AS (
      SELECT week, product, NULL::VARCHAR AS city, NULL::VARCHAR AS banner, ${trimmed(k[0])} AS rho
      FROM relatives GROUP BY week, product
      UNION ALL
      SELECT week, product, city, NULL, ${trimmed(k[1])} FROM relatives GROUP BY week, product, city
      UNION ALL
      SELECT week, product, city, banner, ${trimmed(k[2])} FROM relatives GROUP BY week, product, city, banner
    ), categories AS MATERIALIZED (
      SELECT week, city, banner, category, sum(weight * rho) AS s, sum(weight) AS w, count(*) AS items
      FROM products JOIN weights USING (product)
      GROUP BY ALL
    )
    SELECT week, city, banner, category, 100 * exp(s / w) AS index, items FROM categories
    UNION ALL
    SELECT week, city, banner, NULL, 100 * exp(sum(s) / sum(w)), sum(items) FROM categories GROUP BY week, city, banner`)
}
