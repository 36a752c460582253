package main

import (
	"encoding/csv"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/state/pgtest"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

var (
	sqlSnapshot = flag.String("sql-snapshot", "", "the snapshot that engines compute instead of the demo's")
	sqlEngine   = flag.String("sql-engine", "", "the only engine to run")
)

const enginesDir = "../../testdata/engines"

// TestSQLEngines runs the script of each dialect whose engine is here over the files of a
// snapshot. Every figure must be that of the index.
func TestSQLEngines(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"duckdb", "clickhouse", "postgres"} {
		if *sqlEngine != "" && engine != *sqlEngine {
			continue
		}
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			db := *sqlSnapshot
			if db == "" {
				db = filepath.Join(t.TempDir(), "larder.db")
				larder(t, "demo", "--db", db, "--weeks", "4", "--stores", "60")
			}
			site := t.TempDir()
			dir := filepath.Join(site, "r1")
			run := inNode(t, engine, dir)
			if engine == "postgres" {
				run = inPostgres(t, dir)
			}
			larder(t, "release", db, "--live", filepath.Join(site, "live.db"), "--log", filepath.Join(site, "log.db"), "--publish", site)
			names := strings.Join(columnNames(), ", ")

			script := larder(t, "sql", "--db", db, "--dialect", engine)
			write(filepath.Join(dir, "index.sql"), string(script))
			week := regexp.MustCompile(`date of that Sunday:\n--   (.*)\n`).FindSubmatch(script)
			got := run("SELECT " + names + " FROM price_index")
			want := parseCSV(t, larder(t, "index", "--db", db, "--include", "quality", "--format", "csv"))
			for i := range want {
				want[i] = want[i][:len(got[0])] // without synthetic
			}
			compareFigures(t, want, got)

			counted := run("SELECT (SELECT sum(prices) FROM cells) AS counted, (SELECT count(*) FROM prices WHERE week <> " + string(week[1]) + ") AS elsewhere")
			loaded := must((&app{stdout: &output{}, stderr: io.Discard}).open(t.Context(), db, false))
			p := loaded.Panel
			if want := strconv.Itoa(p.Counts().Used); counted[1][0] != want || counted[1][1] != "0" {
				t.Errorf("the cells have %s prices, the index %s; the weeks of %s prices are not those of their moments", counted[1][0], want, counted[1][1])
			}
		})
	}
}

// inNode returns a function that runs index.sql of a folder, then a query.
func inNode(t *testing.T, engine, dir string) func(query string) [][]string {
	if engine != "postgres" {
		packages := map[string]string{"clickhouse": "chdb", "duckdb": "@duckdb/node-api"}
		if _, err := os.Stat(filepath.Join(enginesDir, "node_modules", packages[engine])); err != nil {
			t.Skip(err, "(make engines)")
		}
	}
	return func(query string) [][]string {
		t.Helper()
		out := filepath.Join(dir, "out.csv")
		cmd := exec.CommandContext(t.Context(), "node", "sql.mjs", engine, dir, "index.sql", query, out)
		cmd.Dir = enginesDir
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		t.Logf("%s", said)
		text := must(os.ReadFile(out))
		return parseCSV(t, text)
	}
}

// inPostgres does the same in psql. It loads the tables first, as the head of the script says.
func inPostgres(t *testing.T, dir string) func(query string) [][]string {
	need(t, "psql")
	address := pgtest.Database(t, pgtest.Start(t, "fsync=off", "work_mem=256MB", "max_wal_size=4GB"))
	loaded := false
	return func(query string) [][]string {
		t.Helper()
		text := must(os.ReadFile(filepath.Join(dir, "index.sql")))
		if !loaded {
			_, load, _ := strings.Cut(string(text), "-- In psql,")
			_, load, _ = strings.Cut(load, "\n")
			load, _, _ = strings.Cut(load, "\n--\n")
			text = append([]byte(regexp.MustCompile(`(?m)^--   `).ReplaceAllString(load, "")+"\n"), text...)
			loaded = true
		}
		cmd := exec.CommandContext(t.Context(), "psql", address, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", "SET client_min_messages = warning", "-f", "-", "-c", "COPY ("+query+") TO STDOUT (FORMAT csv, HEADER)")
		var stderr strings.Builder
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(string(text)), &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		return parseCSV(t, out)
	}
}

func parseCSV(t *testing.T, text []byte) [][]string {
	t.Helper()
	rows := must(csv.NewReader(strings.NewReader(string(text))).ReadAll())
	return rows
}

// figureColumns are the columns of a row with its quality.
func figureColumns() []table.Column {
	return append(table.Columns(&panel.About{}), table.QualityColumns()...)
}

func columnNames() (names []string) {
	for _, c := range figureColumns() {
		names = append(names, c.Name)
	}
	return names
}

// compareFigures compares the rows of two tables, of which the first line has the names. It counts
// figures that are equal and figures with decimals that are one off in the last place. Anything
// else is an error.
func compareFigures(t *testing.T, want, got [][]string) {
	t.Helper()
	columns := figureColumns()
	if !slices.Equal(want[0], columnNames()) || !slices.Equal(got[0], columnNames()) {
		t.Fatalf("columns %v and %v", want[0], got[0])
	}
	const key = 4
	rows := map[string][]string{}
	for _, r := range got[1:] {
		rows[strings.Join(r[:key], "|")] = r
	}
	if len(rows) != len(got)-1 || len(got) != len(want) {
		t.Errorf("%d rows with %d keys, the index has %d", len(got)-1, len(rows), len(want)-1)
	}
	equal, off, wrong := 0, 0, 0
	for _, w := range want[1:] {
		g := rows[strings.Join(w[:key], "|")]
		if g == nil {
			t.Fatalf("no row %v", w)
		}
		for i := key; i < len(columns); i++ {
			a, errA := decimal.NewFromString(w[i])
			b, errB := decimal.NewFromString(g[i])
			switch {
			case w[i] == g[i] || errA == nil && errB == nil && a.Equal(b):
				equal++
			case errA == nil && errB == nil && columns[i].Decimals > 0 && a.Sub(b).Abs().Equal(decimal.New(1, -int32(columns[i].Decimals))):
				off++
				t.Logf("%v %s: %s, the index has %s", w[:key], columns[i].Name, g[i], w[i])
			default:
				if wrong++; wrong <= 10 {
					t.Errorf("%v %s: %q, the index has %q", w[:key], columns[i].Name, g[i], w[i])
				}
			}
		}
	}
	t.Logf("%d rows: %d figures equal, %d one off in the last place, %d wrong", len(want)-1, equal, off, wrong)
	if equal < 1000*off || equal == 0 {
		t.Errorf("%d figures are one off, of %d", off, equal+off)
	}
}
