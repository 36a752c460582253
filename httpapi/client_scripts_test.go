package httpapi_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/toolbox"
)

// TestClientsInPythonAndR runs what a subscriber does with the clients in client/python, with and
// without pandas, and in client/r. The key's minute is used up at first, the key is rotated between
// two pages of prices, and the day changes between two pages of the index. Every cell that the
// clients write must be the one on the server's pages.
func TestClientsInPythonAndR(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	want := subscribed(t, f)
	for _, x := range []struct {
		name, tool string
		command    []string
		says       []string // of the types of columns
	}{
		{"pandas", "pandas", []string{"/usr/bin/python3", "subscriber.py"},
			[]string{"pandas True", "types datetime64[ns] Int64 object datetime64[ns, UTC] Decimal", "floats float64", "sizes {'Decimal'} {'Frame'}", "missing FileNotFoundError",
				"empty index 0 True True 0 0", "empty public 0 True True", "empty regular 0 True True", "empty prices 0 True True", "empty shrinkflation 0 True True"}},
		// -S hides the packages of the distribution.
		{"Python", "python3", []string{"python3", "-S", "subscriber.py"},
			[]string{"pandas False", "types date int Decimal datetime", "floats float 10", "sizes {'Decimal'} {'Rows'}", "missing FileNotFoundError"}},
		{"R", "Rscript", []string{"Rscript", "subscriber.R"},
			[]string{"types Date numeric numeric numeric POSIXct", "moments 10 0", "(vector city: give one value; ask once for each \\s*){3}",
				"empty index 0 TRUE TRUE 0 1", "empty public 0 TRUE TRUE", "empty regular 0 TRUE TRUE", "empty prices 0 TRUE TRUE", "empty shrinkflation 0 TRUE TRUE"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			toolbox.Need(t, x.tool)
			testSubscriber(t, x.command, x.says, want)
		})
	}
}

func testSubscriber(t *testing.T, command, says []string, want map[string][]map[string]string) {
	f, dir := apitest.ServeReleased(t), t.TempDir()
	const perMinute = 60
	k, key := f.Created(state.NewKey{Tier: state.Standard, PerMinute: perMinute})
	for range perMinute {
		f.Get("/api/v1/usage", key)
	}
	_, spent := f.Created(state.NewKey{Tier: state.Standard, PerMonth: 1})
	apitest.WantStatus(t, f.Get("/api/v1/products", spent), http.StatusOK)
	file := filepath.Join(dir, "key")
	put := func(secret string) {
		if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	put(key)
	var mu sync.Mutex
	statuses := map[int]int{}
	secrets := []string{key, spent}
	rotated, dayChanged := false, false
	url := ticking(t, f, func(r *http.Request, status int) {
		mu.Lock()
		defer mu.Unlock()
		statuses[status]++
		if r.URL.RawQuery == "limit=moved" {
			t.Error("it followed a redirect")
		}
		behindFirst := status == http.StatusOK && r.URL.Query().Get("offset") == "0"
		switch {
		case behindFirst && r.URL.Path == "/api/v1/prices" && !rotated:
			rotated = true
			_, newer, err := f.State.RotateKey(r.Context(), k.ID, 0)
			if err != nil {
				t.Error(err)
			}
			secrets = append(secrets, newer)
			put(newer)
		case behindFirst && r.URL.Path == "/api/v1/index" && r.URL.Query().Get("to") == "" && !dayChanged:
			dayChanged = true
			f.Clock.Advance(24 * time.Hour)
		}
	})
	moved := httptest.NewServer(http.RedirectHandler(url+"/api/v1/products?limit=moved", http.StatusTemporaryRedirect))
	t.Cleanup(moved.Close)
	folder, err := filepath.Abs("client")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, command[0], append(command[1:len(command)-1:len(command)-1], filepath.Join(folder, "testdata", command[len(command)-1]))...)
	run.Dir, run.WaitDelay = dir, time.Second
	run.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LARDER_URL="+url, "LARDER_KEY=", "LARDER_KEY_FILE="+file, "OLD_KEY="+key, "SPENT_KEY="+spent, "RESEARCH_KEY="+f.Key(state.Research), "MOVED_URL="+moved.URL,
		"PYTHONPATH="+filepath.Join(folder, "python"), "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8", "R_LIBS="+dir)
	if command[0] == "Rscript" {
		if out, err := exec.CommandContext(t.Context(), "R", "CMD", "INSTALL", "--no-docs", "--library="+dir, filepath.Join(folder, "r")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	printed, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	t.Logf("statuses %v\n%s", statuses, printed)
	for _, secret := range secrets {
		if strings.Contains(string(printed), secret) {
			t.Error("it prints a key")
		}
	}
	// Three pages of prices have a 304 each when asked for again. One more ends each download.
	if statuses[http.StatusTooManyRequests] < 2 || statuses[http.StatusUnauthorized] != 2 || statuses[http.StatusNotModified] < 8 || !dayChanged {
		t.Errorf("it met %v", statuses)
	}
	for _, x := range append(says,
		`(?m)^wide 13 -?\d+\.\d+`,
		"products as of 50", "unchanged 0", "concat refused: v1 and v2: never splice", "splice refused: .*never splice", "cumprod refused|pandas False",
		`levels refused: levels of Calgary.overall, .*pct_change_since, or compare places by basket_cost_cad`,
		`compound refused: .*pct_change_since`,
		`city 400 invalid_parameter 24 city 13 400 invalid_parameter: city: "Torono" is not known here; did you mean "Toronto"\? \(request [0-9a-f]{24}\)`,
		"/api/v1/index: days from 2026-08-2[34] to 2026-11-2[12]; from_? and to choose others", "before any release 0|moments", "naive as_of: .* has no time zone|moments",
		"rotated 401 unauthorized 24 None 0", "spent 429 quota_exceeded 24", "tier 402 tier_required 24", "moved 307", "gone 0", "page 0 .*does not answer in JSON", "malformed no key, or a text that can't be one",
		`429 rate_limited: .*; waiting 1 s`, "the key was refused; going on", "the data changed meanwhile; once more", `(?m)^waits \[?1,? 1,? 2,? 4,? 8,? 16\b`,
	) {
		if !strings.Contains(string(printed), x) && !regexp.MustCompile(x).Match(printed) {
			t.Errorf("it does not say %q", x)
		}
	}
	for name, rows := range want {
		compareTable(t, filepath.Join(dir, name+".csv"), rows)
	}
}

// compareTable compares a CSV file with rows of pages. Numbers are compared by value, and a null
// must be an empty cell.
func compareTable(t *testing.T, file string, want []map[string]string) {
	text, err := os.Open(file)
	if err != nil {
		t.Error(err)
		return
	}
	defer text.Close()
	got, err := csv.NewReader(text).ReadAll()
	if err != nil || len(got) != len(want)+1 {
		t.Errorf("%s has %d rows, the pages %d, %v", file, len(got)-1, len(want), err)
		return
	}
	for i, row := range got[1:] {
		for name, cell := range want[i] {
			if j := columnOf(got[0], name); j < 0 && cell != "" || j >= 0 && !sameCell(row[j], cell) {
				t.Errorf("%s: row %d: %s is not %q: %q", filepath.Base(file), i, name, cell, row)
				return
			}
		}
	}
}

func columnOf(header []string, name string) int {
	for i, h := range header {
		if h == name {
			return i
		}
	}
	return -1
}

// sameCell reports whether a cell of a file says what a page says.
func sameCell(got, want string) bool {
	if got == want || want == "true" && strings.EqualFold(got, want) || want == "false" && strings.EqualFold(got, want) {
		return true
	}
	if at, err := time.Parse(time.RFC3339Nano, want); err == nil {
		got = strings.Replace(strings.TrimSuffix(got, "+00:00"), " ", "T", 1) + "Z"
		x, err := time.Parse(time.RFC3339Nano, got)
		return err == nil && x.Equal(at)
	}
	x, err1 := decimal.NewFromString(got)
	y, err2 := decimal.NewFromString(want)
	return err1 == nil && err2 == nil && x.Equal(y)
}

// subscribed returns the rows of the tables that the subscriber writes, from the server's pages.
func subscribed(t *testing.T, f *apitest.Server) map[string][]map[string]string {
	key := f.Key(state.Enterprise)
	tables := map[string][]map[string]string{}
	for name, x := range map[string]struct{ path, member, series string }{
		"prices":        {"/api/v1/prices?from=2026-11-09&to=2026-11-15&limit=10000", "observations", ""},
		"changed":       {"/api/v1/prices?changed_since=2026-01-01T00:00:00Z&from=2026-11-14&to=2026-11-15&limit=10000", "observations", ""},
		"index":         {"/api/v1/index?from=2026-09-27&to=2026-11-15&limit=10000", "observations", "v2"},
		"pilot":         {"/api/v1/index?series=v1&from=2026-03-01&to=2026-06-30&limit=10000", "observations", "v1"},
		"regular":       {"/api/v1/companions/regular?from=2026-09-27&to=2026-11-15&limit=10000", "observations", "regular"},
		"public":        {"/api/public/index?from=2026-09-27&to=2026-11-15&limit=8000", "observations", "v2"},
		"products":      {"/api/v1/products?", "products", ""},
		"shrinkflation": {"/api/v1/shrinkflation?confidence=low&from=2026-07-19&to=2026-11-15", "events", ""},
		"releases":      {"/api/v1/releases?", "releases", ""},
		"as_of":         {"/api/v1/index?as_of=r1&level=banner&to=2026-11-15&limit=10000", "observations", "v2"},
	} {
		for offset := "0"; offset != "null" && offset != absent; {
			path := x.path
			if offset != "0" {
				path += "&offset=" + offset
			}
			page := unchecked(t, f, path, key)
			for _, row := range cellsOf(t, page, x.member) {
				if x.series != "" {
					row["series"] = x.series
				}
				delete(row, "accepted") // a list
				var promo map[string]any
				if json.Unmarshal([]byte(row["promo_detail"]), &promo) == nil {
					for name, value := range promo {
						row["promo_detail_"+name] = fmt.Sprint(value)
					}
				}
				delete(row, "promo_detail")
				tables[name] = append(tables[name], row)
			}
			offset = at(page, "meta.next_offset")
		}
		if len(tables[name]) == 0 {
			t.Fatalf("%s has no rows", name)
		}
	}
	tables["again"] = tables["prices"]
	return tables
}
