package main

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
)

// newColumns are the changes that docs/architecture.md asks for, by file: a column of observations, and one of
// the index that has double the level. Each is a text, and the one that takes its place.
var newColumns = map[string][]string{
	"panel/record.go":         {"	Verdict       Verdict\n", "	Verdict Verdict\n	Deposit Price\n"},
	"panel/record/columns.go": {"promo, optional, reviewed),\n", `promo, optional, reviewed), col("deposit", func(o *panel.Observation) *panel.Price { return &o.Deposit }, price, optional, shown),`},
	"panel/rows.go": {
		"	rowFields ", "	fieldDeposit\n	rowFields ", "fieldPromo: at,", "fieldPromo: at, fieldDeposit: int64(o.Deposit),",
		"x[fieldPromo]].text,", "x[fieldPromo]].text, Deposit: Price(x[fieldDeposit]),",
	},
	"panel/sqlite/schema.sql": {"    regular_price_source INTEGER, ", "    deposit INTEGER, regular_price_source INTEGER, "},
	"jevons/row.go":           {"	YoY        panel.Fixed", "	Doubled, YoY panel.Fixed"},
	"jevons/table.go":         {"r.Index = panel.FixedOf(e.level[at])", "r.Index, r.Doubled = panel.FixedOf(e.level[at]), panel.FixedOf(2*e.level[at])"},
	"jevons/table/columns.go": {"	count(ItemCount", `	figure("doubled", "doubled", 4, func(r *jevons.Row) *panel.Fixed { return &r.Doubled }), count(ItemCount`},
}

// buildWith builds larder with changed files, after what go generate makes of them, and returns its path.
func buildWith(t *testing.T, changes map[string][]string) (program string) {
	dir, replace := t.TempDir(), map[string]string{}
	architecture, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) string {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for name, pairs := range changes {
		source, err := filepath.Abs(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(source)
		for i := 0; i < len(pairs); i += 2 {
			if strings.Count(string(text), pairs[i]) != 1 || !strings.Contains(string(architecture), "`"+name+"`") {
				t.Fatalf("%s lacks %q, or docs/architecture.md does not name it: %v", name, pairs[i], err)
			}
		}
		replace[source] = put(name, strings.NewReplacer(pairs...).Replace(string(text)))
	}
	run := func(args ...string) {
		overlay, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			t.Fatal(err)
		}
		// To optimize nothing takes a third less time.
		args = slices.Insert(args, 1, "-overlay", put("overlay", string(overlay)), "-gcflags=github.com/larder-index/larder/...=-N -l", "-ldflags=-s -w")
		cmd := exec.Command("go", args...)
		if cmd.Dir, err = filepath.Abs("../../httpapi/openapi"); err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
		replace[filepath.Join(cmd.Dir, "openapi.json")] = filepath.Join(dir, "openapi.json")
	}
	run("test", "-vet=off", "-run", "TestBuilt", ".", "-built", filepath.Join(dir, "openapi.json"))
	program = filepath.Join(dir, "larder")
	run("build", "-o", program, "../../cmd/larder")
	return program
}

// TestNewColumn follows the values of two columns that do not exist through every door of the program.
func TestNewColumn(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program anew")
	}
	t.Parallel()
	program, dir := buildWith(t, newColumns), t.TempDir()
	larder := func(args ...string) []byte {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("larder %s: %v\n%s", args, err, err.(*exec.ExitError).Stderr)
		}
		return out
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	larder("demo", "--db", "demo.db", "--weeks", "3", "--stores", "12")
	larder("export", "prices", "--db", "demo.db")
	deposits := map[string]string{} // of every other observation
	lines := strings.SplitAfter(string(read("prices/observations.csv")), "\n")
	for i := 1; i < len(lines)-1; i++ {
		id, _, _ := strings.Cut(lines[i], ",")
		if i%2 == 0 {
			deposits[id] = fmt.Sprintf("%d.%02d", i%7, 1+i%90)
		}
		lines[i] = strings.TrimSuffix(lines[i], "\n") + deposits[id] + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "prices/observations.csv"), []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"import prices --db next.db", "export again --db next.db", "release next.db --live live.db --log releases.db",
		"export csv.gz --db live.db --log releases.db --format csv.gz", "export parquet --db live.db --log releases.db --format parquet",
	} {
		larder(strings.Fields(command)...)
	}
	var key struct{ Key string }
	made := larder("keys", "create", "--state", "larder-state.db", "--tier", "enterprise", "--name", "A", "--format", "json")
	if err := json.NewDecoder(bytes.NewReader(made)).Decode(&key); err != nil {
		t.Fatal(err)
	}
	x, _ := serveProcess(t, program, "--db", filepath.Join(dir, "live.db"), "--log", filepath.Join(dir, "releases.db"))
	ask := func(path string) string {
		status, body := get(t, x.public+path, "Bearer "+key.Key)
		if status != 200 {
			t.Fatalf("%s: %d %s", path, status, body)
		}
		return body
	}

	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "live.db")+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var stored string
	if err := db.QueryRow("SELECT json_group_array(json_object('id', id, 'deposit', deposit / 1e4)) FROM observations").Scan(&stored); err != nil {
		t.Fatal(err)
	}
	const all = "?from=2026-10-26&to=2026-11-20&limit=5000"
	prices := ask("/api/v1/prices" + all)
	for door, rows := range map[string][]map[string]string{
		"CSV": rowsOf(t, read("again/observations.csv")), "SQL": rowsOf(t, []byte(stored)), "JSON": rowsOf(t, []byte(prices)),
		"bulk CSV": rowsOf(t, read("csv.gz/prices.csv.gz")), "Parquet": rowsOf(t, read("parquet/prices.parquet")),
	} {
		known := 0
		for _, r := range rows {
			if r["deposit"] != "" {
				known++
			}
			if fixed(t, r["deposit"]) != fixed(t, deposits[r["id"]]) {
				t.Fatalf("%s: the deposit of %s is %q, not %q", door, r["id"], r["deposit"], deposits[r["id"]])
			}
		}
		if known < len(deposits)/2 {
			t.Errorf("%s: %d of %d rows have a deposit, of %d", door, known, len(rows), len(deposits))
		}
	}

	index := ask("/api/v1/index" + all + "&include=quality")
	for door, rows := range map[string][]map[string]string{
		"CSV": rowsOf(t, larder("index", "--db", "live.db", "--format", "csv")), "log": rowsOf(t, larder("index", "--log", "releases.db", "--format", "csv")),
		"printed JSON": rowsOf(t, larder("index", "--db", "live.db", "--format", "json")), "JSON": rowsOf(t, []byte(index)),
		"as_of": rowsOf(t, []byte(ask("/api/v1/index"+all+"&as_of=r1"))), "public": rowsOf(t, []byte(ask("/api/public/index"+all))), "revisions": rowsOf(t, []byte(ask("/api/v1/revisions"+all))),
		"bulk CSV": rowsOf(t, read("csv.gz/index.csv.gz")), "Parquet": rowsOf(t, read("parquet/index.parquet")),
	} {
		for _, r := range rows {
			if level := fixed(t, r["index_value"]); !level.Valid || fixed(t, r["doubled"]).Units != 2*level.Units {
				t.Fatalf("%s: double of %q is %q", door, r["index_value"], r["doubled"])
			}
		}
		if len(rows) < 50 {
			t.Errorf("%s: %d rows", door, len(rows))
		}
	}
	for name, body := range map[string]string{"prices.json": prices, "products.json": ask("/api/v1/products"), "index.json": index} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	verified := string(larder("verify", "--date", "2026-11-15", "--base", "2026-11-01", "--prices", "prices.json", "--products", "products.json", "--index", "index.json"))
	if !regexp.MustCompile(`(?m)^doubled +\S+ +\S+ +matches$`).MatchString(verified) {
		t.Error(verified)
	}
	if list := strings.Fields(string(larder("index", "--db", "live.db"))); !slices.Contains(list, "doubled") {
		t.Error("the printed table has no column doubled")
	}
	var api openapi3.T
	if err := api.UnmarshalJSON([]byte(ask("/openapi.json"))); err != nil {
		t.Fatal(err)
	}
	for schema, column := range map[string]string{"PriceObservation": "deposit", "IndexObservation": "doubled", "PublicIndexObservation": "doubled"} {
		if s := api.Components.Schemas[schema]; s == nil || s.Value.Properties[column] == nil || !slices.Contains(s.Value.Required, column) {
			t.Errorf("/openapi.json: %s has no %s", schema, column)
		}
	}
}

// rowsOf reads rows of CSV, JSON or Parquet, packed or not, as texts by column. Null is the empty text.
func rowsOf(t *testing.T, content []byte) (rows []map[string]string) {
	t.Helper()
	var err error
	switch {
	case bytes.HasPrefix(content, []byte("\x1f\x8b")):
		var packed *gzip.Reader
		if packed, err = gzip.NewReader(bytes.NewReader(content)); err == nil {
			content, err = io.ReadAll(packed)
		}
		fallthrough
	default:
		var records [][]string
		if err == nil {
			records, err = csv.NewReader(bytes.NewReader(content)).ReadAll()
		}
		for _, r := range records {
			row := map[string]string{}
			for i, name := range records[0] {
				row[name] = r[i]
			}
			rows = append(rows, row)
		}
		rows = rows[1:]
	case bytes.HasPrefix(content, []byte("PAR1")):
		var list []parquetRow
		list, err = parquet.Read[parquetRow](bytes.NewReader(content), int64(len(content)))
		for _, r := range list {
			row := map[string]string{"id": fmt.Sprint(r.ID)}
			for name, units := range map[string]*int64{"deposit": r.Deposit, "index_value": r.IndexValue, "doubled": r.Doubled} {
				if units != nil {
					row[name] = panel.FixedOf(*units).String()
				}
			}
			rows = append(rows, row)
		}
	case content[0] == '{':
		var page struct{ Observations, Revisions json.RawMessage }
		if err = json.Unmarshal(content, &page); err == nil {
			return rowsOf(t, append(page.Observations, page.Revisions...))
		}
	case content[0] == '[':
		var list []map[string]any
		from := json.NewDecoder(bytes.NewReader(content))
		from.UseNumber()
		err = from.Decode(&list)
		for _, r := range list {
			if next, ok := r["new"].(map[string]any); ok {
				r = next
			}
			row := map[string]string{}
			for name, value := range r {
				if value != nil {
					row[name] = fmt.Sprint(value)
				}
			}
			rows = append(rows, row)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// parquetRow has columns of prices and of the index. Numbers are ten-thousandths.
type parquetRow struct {
	ID         int64  `parquet:"id,optional"`
	Deposit    *int64 `parquet:"deposit,optional"`
	IndexValue *int64 `parquet:"index_value,optional"`
	Doubled    *int64 `parquet:"doubled,optional"`
}

func fixed(t *testing.T, text string) panel.Fixed {
	v, err := panel.ParseFixed(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
