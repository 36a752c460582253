package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/parquet-go/parquet-go"
	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

const bulkOf = "/api/v1/bulk/"

// ownFolder gives a server a folder of files of its own.
func ownFolder(t *testing.T) func(*httpapi.Config) {
	return func(c *httpapi.Config) { c.BulkDir = t.TempDir() }
}

// TestBulkFilesAreThePages compares the files with all pages of the endpoints, digit for digit,
// and the Parquet files with the CSV files.
func TestBulkFilesAreThePages(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, ownFolder(t))
	f.Clock.Set(apitest.Now)
	demo, _ := apitest.Demo()
	m := *demo // its last three weeks, and events
	m.Rows = slices.DeleteFunc(slices.Clone(m.Rows), func(o panel.Observation) bool { return o.ObservedAt.Before(apitest.Now.AddDate(0, 0, -24)) })
	_, m.Events = apitest.Small()
	m.Events = slices.Clone(m.Events[:200])
	for i := range m.Events {
		m.Events[i].Listing = m.Listings[i].ID
	}
	db := m.Snapshot(t)
	x.Publish(t, f, db, "")
	f.Clock.Advance(7 * 24 * time.Hour)
	x.Publish(t, f, db, "", "jump", "lost", "vanished", "frozen", "scale") // the same with a week more
	f.Look(false)
	key := f.Key(state.Enterprise)
	for name, pages := range map[string]struct{ query, rows string }{
		"r1/index":         {"/api/v1/index?from=2020-01-01&to=2030-01-01&as_of=r1", "observations"},
		"r2/index":         {"/api/v1/index?from=2020-01-01&to=2030-01-01", "observations"},
		"r2/prices":        {"/api/v1/prices?from=2020-01-01&to=2030-01-01", "observations"},
		"r2/products":      {"/api/v1/products?", "products"},
		"r2/shrinkflation": {"/api/v1/shrinkflation?from=2020-01-01&to=2030-01-01&confidence=low", "events"},
	} {
		t.Run(name, func(t *testing.T) {
			f := f.For(t)
			cells := csvOf(t, f.Get(bulkOf+name+".csv.gz", key).Content)
			header, cells := cells[0], cells[1:]
			n, offset, more := 0, "0", true
			for more {
				query := pages.query
				if pages.rows != "products" {
					query += "&limit=10000&offset=" + offset
				}
				page := unchecked(t, f, query, key) // its form is checked elsewhere
				for _, row := range cellsOf(t, page, pages.rows) {
					if n == len(cells) {
						t.Fatalf("the file has %d rows only", n)
					}
					for i, column := range header {
						if want := row[column]; column != "week" && cells[n][i] != want {
							t.Fatalf("row %d: %s is %q in the file and %q on the page", n, column, cells[n][i], want)
						}
						delete(row, column)
					}
					if len(row) > 0 {
						t.Fatalf("the file lacks %v", row)
					}
					n++
				}
				offset = at(page, "meta.next_offset")
				more = at(page, "meta.has_more") == "true"
			}
			if n != len(cells) || n == 0 {
				t.Errorf("the file has %d rows, the pages %d", len(cells), n)
			}
			if rows := parquetOf(t, f.Get(bulkOf+name+".parquet", key).Content, header); !slices.EqualFunc(rows, cells, slices.Equal) {
				t.Errorf("the Parquet file has %d rows, other than the %d of the CSV file", len(rows), len(cells))
			}
		})
	}
}

// unchecked returns a page, without a look at the OpenAPI document.
func unchecked(t *testing.T, f *apitest.Server, path, key string) map[string]any {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	f.API.Handler().ServeHTTP(w, r)
	var v map[string]any
	d := json.NewDecoder(w.Body)
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %d %v", path, w.Code, err)
	}
	return v
}

// cellsOf returns the rows of a page as the texts of their members, by the names of columns.
// Null is the empty text.
func cellsOf(t *testing.T, page map[string]any, member string) (rows []map[string]string) {
	list, ok := page[member].([]any)
	if !ok {
		t.Fatalf("%v", page)
	}
	for _, x := range list {
		row := map[string]string{}
		flatten(row, "", x.(map[string]any))
		rows = append(rows, row)
	}
	return rows
}

func flatten(row map[string]string, prefix string, members map[string]any) {
	for name, v := range members {
		switch v := v.(type) {
		case map[string]any:
			switch name {
			case "promo_detail":
				text, _ := json.Marshal(v)
				row[name] = string(text)
			case "products":
				flatten(row, "product_", v)
			default:
				flatten(row, prefix, v)
			}
		case nil:
			row[name] = ""
		default:
			if name == "id" || name == "name" {
				name = prefix + name
			}
			row[name] = fmt.Sprint(v)
		}
	}
}

func csvOf(t *testing.T, packed []byte) [][]string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%v: %.300s", err, packed)
	}
	cells, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// parquetOf returns the cells of a Parquet file, with as many decimals as the CSV file has, and
// checks that each of its row groups is a quarter of a year.
func parquetOf(t *testing.T, content []byte, header []string) (cells [][]string) {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	if diff := cmp.Diff(header, names); diff != "" {
		t.Fatalf("-CSV +Parquet\n%s", diff)
	}
	week, seen := slices.IndexFunc(names, func(n string) bool { return n == "week" || n == "date" }), map[string]bool{}
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		defer rows.Close()
		first := len(cells)
		buffer := make([]parquet.Row, 1)
		for {
			n, err := rows.ReadRows(buffer)
			if n == 1 {
				line := make([]string, len(names))
				for i, v := range buffer[0] {
					line[i] = cellOf(v, file.Schema().Fields()[i])
				}
				cells = append(cells, line)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if week < 0 {
			continue
		}
		quarter := func(c []string) string {
			day, err := panel.ParseDate(c[week])
			if err != nil {
				t.Fatal(err)
			}
			y, m, _ := day.Time(time.UTC).Date()
			return fmt.Sprint(y, " ", (m+2)/3)
		}
		of := quarter(cells[first])
		if seen[of] || slices.ContainsFunc(cells[first:], func(c []string) bool { return quarter(c) != of }) {
			t.Fatalf("row group %d is not one quarter", len(seen))
		}
		seen[of] = true
	}
	return cells
}

func cellOf(v parquet.Value, f parquet.Field) string {
	if v.IsNull() {
		return ""
	}
	kind := f.Type().LogicalType()
	switch text := f.Type().String(); {
	case strings.HasPrefix(text, "DECIMAL"):
		d := decimal.New(v.Int64(), -4)
		if slices.Contains([]string{"index_value", "pct_change_wow", "pct_change_mom", "pct_change_yoy"}, f.Name()) {
			return d.StringFixed(4)
		}
		if slices.Contains([]string{"regular_price", "sale_price", "effective_price", "basket_cost_cad"}, f.Name()) && d.Equal(d.Round(2)) {
			return d.StringFixed(2)
		}
		return d.String()
	case text == "DATE":
		return panel.Date(v.Int32()).String()
	case strings.HasPrefix(text, "TIMESTAMP(isAdjustedToUTC=true,unit=MICROS"):
		return time.UnixMicro(v.Int64()).UTC().Format(time.RFC3339Nano)
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	case kind == nil || text == "STRING" || strings.HasPrefix(text, "INT"):
		return v.String()
	default:
		return text
	}
}

// TestBulkDescribesItself checks the Data Package with the published schema and the sums with
// the files, of two servers: they make the same bytes.
func TestBulkDescribesItself(t *testing.T) {
	t.Parallel()
	f, g := apitest.ServeReleased(t, ownFolder(t)), apitest.ServeReleased(t, ownFolder(t))
	key := f.Key(state.Standard)
	sums := f.Get(bulkOf+"r1/SHA256SUMS", key).Content
	if other := g.Get(bulkOf+"r1/SHA256SUMS", g.Key(state.Standard)).Content; !bytes.Equal(sums, other) {
		t.Errorf("two builds differ:\n%s\n%s", sums, other)
	}
	files := map[string][]byte{}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		files[name] = f.Get(bulkOf+"r1/"+name, key).Content
		if got := fmt.Sprintf("%x", sha256.Sum256(files[name])); got != sum {
			t.Errorf("%s: its sum is %s, listed is %s", name, got, sum)
		}
	}
	if len(files) != 9 {
		t.Errorf("the sums are of %d files", len(files))
	}
	set, err := bulk.SetOf(f.Snapshots.Current(), apitest.Now)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "r1")
	if err := set.WriteDir(dir, bulk.CSV, bulk.Parquet); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if name != bulk.Descriptor && !bytes.Equal(apitest.Read(filepath.Join(dir, name)), content) {
			t.Errorf("%s is another one when it is exported", name)
		}
	}
	if err := set.WriteDir(dir, bulk.CSV); err == nil || len(apitest.Read(filepath.Join(dir, "index.csv.gz"))) == 0 {
		t.Errorf("into a folder that is not empty: %v", err)
	}
	profile := regexp.MustCompile(`"pattern": *"[^"]*\(\?![^"]*",?`).ReplaceAll(apitest.Read("bulk/testdata/datapackage.json"), nil) // Go does not look ahead
	var schema jsonschema.Schema
	if err := json.Unmarshal(profile, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var descriptor any
	if err := json.Unmarshal(files[bulk.Descriptor], &descriptor); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(descriptor); err != nil {
		t.Errorf("%v", err)
	}
	if at(descriptor, "version") != `"r1"` || at(descriptor, "created") != `"2026-11-20T17:00:00Z"` ||
		!strings.Contains(at(descriptor, "description"), panel.SyntheticNotice) || !strings.Contains(at(descriptor, "licenses.0.title"), "attribution") {
		t.Errorf("%.1000s", files[bulk.Descriptor])
	}
	resources := descriptor.(map[string]any)["resources"].([]any)
	if len(resources) != 8 {
		t.Errorf("%d resources", len(resources))
	}
	for _, r := range resources {
		path := strings.Trim(at(r, "path"), `"`)
		if fmt.Sprint(len(files[path])) != at(r, "bytes") || fmt.Sprintf(`"sha256:%x"`, sha256.Sum256(files[path])) != at(r, "hash") {
			t.Errorf("%s has other bytes than %v", path, r)
		}
		if path == "prices.parquet" && at(r, "schema.foreignKeys.0.reference.resource") != `"products-parquet"` {
			t.Errorf("%v", r)
		}
	}
	prices, err := parquet.OpenFile(bytes.NewReader(files["prices.parquet"]), int64(len(files["prices.parquet"])))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"larder.release": "r1", "larder.notice": panel.SyntheticNotice, "larder.method_version": "larder-jevons-2"} {
		if got, _ := prices.Lookup(key); got != want {
			t.Errorf("%s is %q", key, got)
		}
	}
}

// TestBulkMadeOnce has eight keys ask for a file at once, then a folder that can't be written.
func TestBulkMadeOnce(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, ownFolder(t))
	var wg sync.WaitGroup
	for range 8 {
		key := f.Key(state.Standard)
		wg.Go(func() { f.Get(bulkOf+"r1/index.parquet", key) })
	}
	wg.Wait()
	if n := strings.Count(f.Log.String(), "bulk files made"); n != 1 {
		t.Errorf("it was made %d times", n)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g := apitest.ServeReleased(t, func(c *httpapi.Config) { c.BulkDir = blocked })
	key := g.Key(state.Standard)
	apitest.WantError(t, "blocked", g.Get(bulkOf+"r1/index.parquet", key), http.StatusInternalServerError, "data_unavailable")
	if used := at(g.Get("/api/v1/usage", key).JSON(t), "month.used"); used != "0" || !strings.Contains(g.Log.String(), "bulk files not made") {
		t.Errorf("%s count; %s", used, g.Log)
	}
}

// TestColumnOfTenYears reads one column of ten years by ranges, as DuckDB does, with a standard key:
// every request is answered, within a minute of the server's clock.
func TestColumnOfTenYears(t *testing.T) {
	t.Parallel()
	d, err := synth.Generate(synth.Config{Weeks: 520, Stores: 3, Through: panel.DateIn(apitest.Now, panel.Toronto)})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(folder); err != nil {
		t.Fatal(err)
	}
	f := apitest.ServeFile(t, apitest.Import(t, folder), ownFolder(t))
	r := &remote{f: f, path: bulkOf + "latest/prices.parquet", key: f.Key(state.Standard)}
	size, _ := strconv.ParseInt(f.Do("HEAD", f.Get(r.path, r.key).Header.Get("Location"), r.key, "").Header.Get("Content-Length"), 10, 64)
	file, err := parquet.OpenFile(r, size)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := file.Schema().Lookup("effective_price")
	var prices, moved int64
	for i, group := range file.Metadata().RowGroups {
		c := group.Columns[column.ColumnIndex].MetaData
		start := c.DataPageOffset
		if c.DictionaryPageOffset > 0 {
			start = min(start, c.DictionaryPageOffset)
		}
		if n, err := r.ReadAt(make([]byte, c.TotalCompressedSize), start); int64(n) != c.TotalCompressedSize {
			t.Fatalf("row group %d: %d bytes, %v", i, n, err)
		}
		prices, moved = prices+c.NumValues, moved+c.TotalCompressedSize
	}
	if groups := len(file.RowGroups()); groups < 40 || groups > 42 || prices != file.NumRows() || moved > size/4 {
		t.Errorf("%d row groups have %d of %d prices in %d of %d bytes", groups, prices, file.NumRows(), moved, size)
	}
	if r.asked > 2*len(file.RowGroups())+20 {
		t.Errorf("%d requests", r.asked)
	}
	if got := at(f.Get("/api/v1/usage", r.key).JSON(t), "month.used"); got != "1" {
		t.Errorf("all ranges of a file count as %s of the month", got)
	}
}

// remote reads a file of a server by ranges, each of which is led to the newest release.
type remote struct {
	f         *apitest.Server
	path, key string
	asked     int
}

// ReadAt implements io.ReaderAt.
func (r *remote) ReadAt(b []byte, off int64) (int, error) {
	span := apitest.Header("Range", fmt.Sprintf("bytes=%d-%d", off, off+int64(len(b))-1))
	led := r.f.Get(r.path, r.key, span)
	got := r.f.Get(led.Header.Get("Location"), r.key, span)
	if r.asked += 2; led.StatusCode != http.StatusTemporaryRedirect || got.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("request %d: %d, then %d %.200s", r.asked, led.StatusCode, got.StatusCode, got.Content)
	}
	return copy(b, got.Content), nil
}
