package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

var asPage = apitest.Header("Accept", "text/html")

// figurePaths are the addresses of all forms of a figure.
var figurePaths = []string{"/figure", "/embed/figure", "/figure.svg", "/figure.png", "/figure.csv", "/figure.json", "/figure.txt", "/figure.bib"}

// figureRow is a row of /figure.csv.
type figureRow struct{ date, series, value string }

func figureRows(t *testing.T, r *apitest.Response, member string) (rows []figureRow) {
	t.Helper()
	apitest.WantStatus(t, r, http.StatusOK)
	lines, err := csv.NewReader(bytes.NewReader(r.Content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if lines[0][2] != member {
		t.Fatalf("the column is %s, want %s", lines[0][2], member)
	}
	for _, x := range lines[1:] {
		rows = append(rows, figureRow{x[0], x[1], x[2]})
	}
	return rows
}

// Every form of every view answers. The rows of CSV and JSON are those of the index.
func TestFigureForms(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	key := f.Key(state.Standard)
	base := f.Snapshots.Current().Panel.BaseWeek()
	places := map[string]string{"national.overall": "level=national&category=overall", "national.meat": "level=national&category=meat", "toronto.dairy": "level=city&city=Toronto&category=dairy"}
	for _, view := range table.ViewNames() {
		for _, names := range [][]string{{"national.meat", "national.overall"}, {"toronto.dairy", "national.overall"}} {
			t.Run(view+" "+names[0], func(t *testing.T) {
				t.Parallel()
				f := f.For(t)
				v, _ := table.ParseView(view)
				unit, with := "&view="+view, key
				if view == "since" {
					unit += "&since=" + base.Add(2).String()
				}
				query := "?s=" + strings.Join(names, "&s=") + unit
				if names[0] == "national.meat" {
					with = ""
				}
				for _, path := range figurePaths {
					r := f.Get(path+query, with)
					if path == "/embed/figure" && with != "" {
						apitest.WantError(t, path, r, http.StatusForbidden, "not_public")
						continue
					}
					apitest.WantStatus(t, r, http.StatusOK)
					if again := f.Get(path+query, with); !bytes.Equal(r.Content, again.Content) || len(r.Content) < 100 {
						t.Errorf("%s: two answers differ", path)
					}
				}
				rows := figureRows(t, f.Get("/figure.csv"+query, with), v.Member())
				var body struct {
					Series []struct {
						Name string
						Rows []map[string]json.RawMessage
					}
				}
				if err := json.Unmarshal(f.Get("/figure.json"+query, with).Content, &body); err != nil {
					t.Fatal(err)
				}
				k := 0
				for i, name := range names {
					if body.Series[i].Name != name {
						t.Fatalf("series %d is %s", i, body.Series[i].Name)
					}
					index := indexResource.walk(f, key, "from=2020-01-01&"+places[name]+unit, func() int { return 5000 }, nil)
					for n, raw := range index.rows {
						var want map[string]json.RawMessage
						if err := json.Unmarshal(raw, &want); err != nil {
							t.Fatal(err)
						}
						value := string(want[v.Member()])
						csvValue := value
						if value == "null" {
							csvValue = ""
						}
						date, _ := strconv.Unquote(string(want["date"]))
						if got := rows[k]; got != (figureRow{date, name, csvValue}) {
							t.Fatalf("%+v, want %s %s", got, raw, name)
						}
						if got := body.Series[i].Rows[n]; string(got[v.Member()]) != value || string(got["date"]) != string(want["date"]) || len(got) != 2 {
							t.Fatalf("%s, want %s", got, raw)
						}
						k++
					}
				}
				if k != len(rows) || k < 60 {
					t.Errorf("%d rows, want %d", len(rows), k)
				}
			})
		}
	}
}

// Without a key only public figures answer, whatever the form. With one, all do.
func TestFigureKeys(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	none := apitest.Serve(t, apitest.Ample, func(c *httpapi.Config) { c.Public = figure.PublicNone })
	served := f.Snapshots.Current()
	index, err := jevons.Compute(served.Panel, jevons.Options{Through: panel.LastClosed(apitest.Now)})
	if err != nil {
		t.Fatal(err)
	}
	names := table.NewNames(served.Panel.Cities(), bannerKeys(func(b *basket.Banner) bool { return b.InIndex }))
	session := apitest.WithCookie(f.SignIn(f.Key(state.Research)))
	public, licensed := 0, 0
	for i, cell := range table.CellsOf(index.Rows) {
		name := names.Name(cell)
		if name == "" {
			t.Fatalf("%v has no name", cell)
		}
		path := figurePaths[i%len(figurePaths)]
		query := "?s=" + name
		if i%3 == 0 {
			query = "?s=national.overall&s=" + name // one licensed series is enough
		}
		if cell.Level == jevons.National && name != "national.overall" {
			for _, path := range figurePaths {
				apitest.WantStatus(t, f.Get(path+query, ""), http.StatusOK)
				public++
			}
			apitest.WantError(t, name, none.Get("/figure.csv"+query, ""), http.StatusUnauthorized, "unauthorized")
			apitest.WantError(t, name, none.Get("/embed/figure"+query, ""), http.StatusForbidden, "not_public")
			continue
		}
		if name == "national.overall" {
			continue
		}
		licensed++
		r := f.Get(path+query, "")
		if path == "/embed/figure" {
			apitest.WantError(t, name, r, http.StatusForbidden, "not_public")
			apitest.WantError(t, name, f.Get(path+query, "", session), http.StatusForbidden, "not_public")
			continue
		}
		apitest.WantError(t, name, r, http.StatusUnauthorized, "unauthorized")
		if i%5 == 0 {
			apitest.WantStatus(t, f.Get(path+query, "", session), http.StatusOK)
		}
	}
	if public != 9*len(figurePaths) || licensed < 300 {
		t.Errorf("%d public figures, %d licensed series", public, licensed)
	}
	// What a licensed figure would be refused for is not told before there is a key.
	apitest.WantError(t, "a week", f.Get("/figure.csv?s=charlottetown.overall&view=since&since=2026-07-19", ""), http.StatusUnauthorized, "unauthorized")
	if r := f.Get("/figure?s=toronto.dairy", "", asPage); r.StatusCode != http.StatusUnauthorized || !strings.Contains(string(r.Content), `<a href="/account">sign in</a>`) {
		t.Errorf("%d %s", r.StatusCode, r.Content)
	}
	if r := f.Get("/figure?s=toronto.dairy&lang=fr", "", asPage); !strings.Contains(string(r.Content), `<a href="/fr/account">connectez-vous</a>`) {
		t.Errorf("%d %s", r.StatusCode, r.Content)
	}
}
