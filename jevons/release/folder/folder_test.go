package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
	"github.com/shopspring/decimal"

	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

// published writes the folder of a release of 16 weeks.
func published(t *testing.T) string {
	t.Helper()
	through := panel.DateOf(2026, time.November, 20)
	d := must(synth.Generate(synth.Config{Seed: 1, Through: through, Weeks: 16, Stores: 20}))
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	from, db, live, log := in("panel"), in("next.db"), in("live.db"), in("releases.db")
	now := through.Time(time.UTC).Add(17 * time.Hour)
	orPanic(d.WriteDir(from))
	must(sqlite.Import(t.Context(), from, db, sqlite.ImportOptions{Now: now, Rejects: in("rejects.csv"), Detect: shrink.Detect}))
	must(releaselog.Publish(t.Context(), releaselog.Options{Next: db, Live: live, Log: log, Now: now}))
	return must(Publish(t.Context(), t.TempDir(), live, log))
}

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	orPanic(err)
	return x
}

func orPanic(err error) {
	if err != nil {
		panic(err)
	}
}

// TestFolder reads a folder as a subscriber does: the Data Package fits its published schema, names every table, and
// the Parquet files have the cells of the CSV files.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := published(t)
	if v, err := Verify(t.Context(), dir, ""); err != nil || v.ID() != "r1" {
		t.Errorf("%+v, %v", v, err)
	}
	read := func(name string) []byte { return must(os.ReadFile(filepath.Join(dir, name))) }
	schemaText := must(os.ReadFile("testdata/datapackage.json"))
	lookahead := regexp.MustCompile(`"pattern": *"[^"]*\(\?![^"]*",?`) // which Go does not have
	var schema jsonschema.Schema
	orPanic(json.Unmarshal(lookahead.ReplaceAll(schemaText, nil), &schema))
	resolved := must(schema.Resolve(nil))
	var descriptor map[string]any
	var p struct {
		Version, Created, Description string
		Resources                     []struct {
			Path, Hash string
			Bytes      int
			Schema     struct {
				Fields      []struct{ Name, Type string }
				ForeignKeys []struct{ Reference struct{ Resource string } }
			}
		}
	}
	text := read(Descriptor)
	orPanic(json.Unmarshal(text, &p))
	orPanic(json.Unmarshal(text, &descriptor))
	orPanic(resolved.Validate(descriptor))
	if p.Version != "r1" || p.Created != "2026-11-20T17:00:00Z" || !strings.Contains(p.Description, panel.SyntheticNotice) ||
		len(p.Resources) != 12 {
		t.Errorf("%.500s", text)
	}
	csvCells := map[string][][]string{}
	for _, r := range p.Resources {
		content := read(r.Path)
		if sum := fmt.Sprintf("sha256:%x", sha256.Sum256(content)); sum != r.Hash || len(content) != r.Bytes {
			t.Errorf("%s has %d bytes and the sum %s", r.Path, len(content), sum)
		}
		name, kind, _ := strings.Cut(r.Path, ".")
		if kind == "csv.gz" {
			csvCells[name] = must(csv.NewReader(must(gzip.NewReader(bytes.NewReader(content)))).ReadAll())
			continue
		}
		if name == "prices" && r.Schema.ForeignKeys[0].Reference.Resource != "products-parquet" {
			t.Errorf("%+v", r.Schema.ForeignKeys)
		}
		file := must(parquet.OpenFile(bytes.NewReader(content), int64(len(content))))
		cells := csvCells[name]
		var header []string
		for _, f := range r.Schema.Fields {
			header = append(header, f.Name)
		}
		if !slices.Equal(header, cells[0]) {
			t.Errorf("%s: the schema has %q, the file %q", name, header, cells[0])
		}
		got := parquetOf(t, file)
		if len(got) != len(cells)-1 {
			t.Errorf("%s: Parquet has %d rows, CSV %d", name, len(got), len(cells)-1)
		}
		for i := range min(len(got), len(cells)-1) {
			for k, cell := range got[i] {
				if want := cells[i+1][k]; cell != want && !sameNumber(cell, want) {
					t.Fatalf("%s, row %d, %s: Parquet has %q, CSV %q", name, i+1, header[k], cell, want)
				}
			}
		}
		if release, _ := file.Lookup("larder.release"); release != "r1" {
			t.Errorf("%s is of the release %q", name, release)
		}
	}
}

// sameNumber reports whether two texts are one number. A CSV file has as many decimals as a page has.
func sameNumber(a, b string) bool {
	x, err1 := decimal.NewFromString(a)
	y, err2 := decimal.NewFromString(b)
	return err1 == nil && err2 == nil && x.Equal(y)
}

// parquetOf returns the cells of a Parquet file as text, and checks that each of its row groups is a quarter of a
// year.
func parquetOf(t *testing.T, file *parquet.File) (cells [][]string) {
	t.Helper()
	fields := file.Schema().Fields()
	week := slices.IndexFunc(fields, func(f parquet.Field) bool { return f.Name() == "week" || f.Name() == "date" })
	quarters := map[string]bool{}
	for _, group := range file.RowGroups() {
		in, first := group.Rows(), len(cells)
		rows := make([]parquet.Row, 1)
		n, err := in.ReadRows(rows)
		for ; n == 1; n, err = in.ReadRows(rows) {
			line := make([]string, len(fields))
			for i, v := range rows[0] {
				line[i] = cellOf(v, fields[i])
			}
			cells = append(cells, line)
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		in.Close()
		quarter := func(line []string) string {
			year, month, _ := strings.Cut(line[week], "-")
			m, _ := strconv.Atoi(month[:2])
			return fmt.Sprint(year, " ", (m+2)/3)
		}
		if week < 0 || first == len(cells) {
			continue
		}
		of := quarter(cells[first])
		if quarters[of] || slices.ContainsFunc(cells[first:], func(line []string) bool { return quarter(line) != of }) {
			t.Errorf("row group %d is not one quarter", len(quarters))
		}
		quarters[of] = true
	}
	return cells
}

func cellOf(v parquet.Value, f parquet.Field) string {
	switch text := f.Type().String(); {
	case v.IsNull():
		return ""
	case strings.HasPrefix(text, "DECIMAL"):
		return decimal.New(v.Int64(), -4).String()
	case text == "DATE":
		return panel.Date(v.Int32()).String()
	case strings.HasPrefix(text, "TIMESTAMP(isAdjustedToUTC=true,unit=MICROS"):
		return time.UnixMicro(v.Int64()).UTC().Format(time.RFC3339Nano)
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	}
	return v.String()
}
