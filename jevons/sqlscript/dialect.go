package sqlscript

import (
	"fmt"
	"strings"
)

// dialect is a way to write SQL. Its members are all in which the dialects differ here.
type dialect struct {
	Name   string // as the command takes it
	Title  string
	Whole  string // type of 64-bit integers
	Double string // type of 64-bit floating-point numbers
	Load   string // what to do before the script, as comments or statements
	Engine string // ends the head of CREATE TABLE

	weekOf   string            // the week of the column observed_at, in the time zone %s
	wide     string            // type of integers of 38 digits
	division string            // of two integers, rounded towards 0
	decimal  string            // ten-thousandths as a decimal of four places
	analyze  string            // tells the planner what the table %s holds, before large joins
	quotes   *strings.Replacer // of what is special in a literal
}

var (
	doubled = strings.NewReplacer("'", "''")
	escaped = strings.NewReplacer("'", `\'`, `\`, `\\`)
)

var dialects = []dialect{
	{
		Name: "duckdb", Title: "DuckDB", Whole: "BIGINT", Double: "DOUBLE",
		Load: `CREATE VIEW IF NOT EXISTS prices AS SELECT * FROM 'prices.parquet';
CREATE VIEW IF NOT EXISTS products AS SELECT * FROM 'products.parquet';`,
		weekOf: "CAST(date_trunc('week', observed_at AT TIME ZONE '%s') AS DATE) + 6",
		wide:   "HUGEINT", quotes: doubled, division: "(%s // %s)", decimal: decimalProduct,
	},
	{
		Name: "postgres", Title: "PostgreSQL", Whole: "BIGINT", Double: "DOUBLE PRECISION",
		Load: `-- In psql, from the files of --format csv.gz:
--   CREATE TABLE prices (id BIGINT, retailer_product_id BIGINT, store_id BIGINT, regular_price NUMERIC,
--     sale_price NUMERIC, effective_price NUMERIC, unit_price DOUBLE PRECISION, package_size TEXT,
--     in_stock BOOLEAN, is_on_sale BOOLEAN, scraped_name TEXT, observed_at TIMESTAMPTZ,
--     regular_price_source TEXT, promo_detail TEXT, product_id BIGINT, retailer TEXT, banner TEXT,
--     retailer_sku TEXT, retailer_name TEXT, brand TEXT, is_store_brand BOOLEAN, product_name TEXT,
--     category TEXT, subcategory TEXT, basket_weight DOUBLE PRECISION, city TEXT, province TEXT, week DATE);
--   CREATE TABLE products (id BIGINT, name TEXT, category TEXT, subcategory TEXT,
--     standard_size DOUBLE PRECISION, unit TEXT, basket_weight DOUBLE PRECISION);
--   \copy prices FROM PROGRAM 'gzip -dc prices.csv.gz' WITH (FORMAT csv, HEADER match)
--   \copy products FROM PROGRAM 'gzip -dc products.csv.gz' WITH (FORMAT csv, HEADER match)
--
-- All joins are of whole tables. The planner expects too few rows of them, and would go through a
-- table once for each row of another.
SET enable_nestloop = off;`,
		weekOf: "CAST(date_trunc('week', observed_at AT TIME ZONE '%s') AS DATE) + 6",
		wide:   "NUMERIC", quotes: doubled, division: "div(%s, %s)", decimal: decimalProduct, analyze: "ANALYZE %s;\n",
	},
	{
		Name: "clickhouse", Title: "ClickHouse", Whole: "Int64", Double: "Float64",
		Load: `SET join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1;
CREATE VIEW IF NOT EXISTS prices AS SELECT * FROM file('prices.parquet', 'Parquet');
CREATE VIEW IF NOT EXISTS products AS SELECT * FROM file('products.parquet', 'Parquet');`,
		weekOf: "toMonday(toDate(observed_at, '%s')) + 6",
		wide:   "Int128", quotes: escaped, division: "intDiv(%s, %s)", decimal: "CAST(%s AS DECIMAL(18, 4)) / 10000",
		Engine: " ENGINE = MergeTree ORDER BY tuple()",
	},
}

const decimalProduct = "CAST(CAST(%s AS DECIMAL(18, 0)) * 0.0001 AS DECIMAL(18, 4))"

// Dialects returns the names of all dialects.
func Dialects() (names []string) {
	for i := range dialects {
		names = append(names, dialects[i].Name)
	}
	return names
}

// table begins a statement that makes a table of the query that follows.
func (d *dialect) table(name string) string {
	return fmt.Sprintf("DROP TABLE IF EXISTS %s;\nCREATE TABLE %s%s AS", name, name, d.Engine)
}

func (d *dialect) analyzed(name string) string { return strings.ReplaceAll(d.analyze, "%s", name) }

func (d *dialect) div(a, b string) string { return fmt.Sprintf(d.division, a, b) }

// kept is the condition that the trim keeps the nth of n values.
func (d *dialect) kept(nth, n string) string {
	return fmt.Sprintf("%s > %s AND %s <= %s - %s", nth, d.div(n, "10"), nth, n, d.div(n, "10"))
}

// round rounds a floating-point expression half away from zero to whole parts, of which unit make
// one. A value within a ten-millionth of a part of a tie counts as the tie.
func (d *dialect) round(x, unit string) string {
	return fmt.Sprintf("CAST(sign(%s) * floor(abs(%s) * %s + 0.5 + 0.0000001) AS %s)", x, x, unit, d.Whole)
}

// ratio is the percent change from level q to level v, both in ten-thousandths, rounded half away
// from zero to ten-thousandths. It is exact.
func (d *dialect) ratio(v, q string) string {
	difference := fmt.Sprintf("(abs(CAST(%s AS %s) - %s) * 2000000 + %s)", v, d.wide, q, q)
	quotient := d.div(difference, "(2 * CAST("+q+" AS "+d.wide+"))")
	return fmt.Sprintf("CASE WHEN %s >= %s THEN 1 ELSE -1 END * CAST(%s AS %s)", v, q, quotient, d.Whole)
}

func (d *dialect) decimalOf(units string) string { return fmt.Sprintf(d.decimal, units) }
