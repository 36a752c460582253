package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
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

// Every form of every view answers. The rows of CSV and JSON are those of the index, and the
// page shows them rounded.
func TestFigureForms(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	key := f.Key(state.Standard)
	base := f.Snapshots.Current().Panel.BaseWeek()
	places := map[string]string{"national.overall": "level=national&category=overall", "national.meat": "level=national&category=meat", "toronto.dairy": "level=city&city=Toronto&category=dairy"}
	for _, view := range jevons.ViewNames() {
		for _, names := range [][]string{{"national.meat", "national.overall"}, {"toronto.dairy", "national.overall"}} {
			t.Run(view+" "+names[0], func(t *testing.T) {
				t.Parallel()
				f := f.For(t)
				v, _ := jevons.ParseView(view)
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
				shown := map[string]string{}
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
						shown[date+" "+strconv.Itoa(i)] = csvValue
						k++
					}
				}
				if k != len(rows) || k < 60 {
					t.Errorf("%d rows, want %d", len(rows), k)
				}
				checkTable(t, f.Get("/figure"+query, with), v, shown)
			})
		}
	}
}

// checkTable compares the table of a figure's page with values by week and line.
func checkTable(t *testing.T, r *apitest.Response, view jevons.View, want map[string]string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(r.Content))
	if err != nil {
		t.Fatal(err)
	}
	checked, date, column := 0, "", 0
	for n := range root.Descendants() {
		if n.DataAtom == atom.Time {
			date, _ = attr(n, "datetime")
			column = 0
		}
		if n.DataAtom != atom.Td {
			continue
		}
		value := want[date+" "+strconv.Itoa(column)]
		column++
		text := "–"
		if value != "" {
			d := decimal.RequireFromString(value)
			text = d.Abs().StringFixed(1)
			if view == jevons.ViewCost {
				text = "$" + d.StringFixed(2)
			} else if view != jevons.ViewIndex {
				text += "%"
				if d.Round(1).IsNegative() {
					text = "\u2212" + text
				} else if d.Round(1).IsPositive() {
					text = "+" + text
				}
			}
		}
		if got := n.FirstChild.Data; strings.TrimPrefix(got, "\u2212") != strings.TrimPrefix(text, "\u2212") {
			t.Fatalf("%s, line %d: %q, want %q", date, column, got, text)
		}
		checked++
	}
	if checked < len(want) || len(want) == 0 {
		t.Errorf("%d cells were shown of %d", checked, len(want))
	}
}

// Without a key only public figures answer, whatever the form. With one, all do.
func TestFigureKeys(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	none := apitest.Serve(t, apitest.Ample, func(c *httpapi.Config) { c.Public = httpapi.PublicNone })
	served := f.Snapshots.Current()
	table, err := jevons.Compute(served.Panel, jevons.Options{Through: panel.LastClosed(apitest.Now)})
	if err != nil {
		t.Fatal(err)
	}
	names := jevons.NewNames(served.Panel.Cities(), bannerKeys(func(b *basket.Banner) bool { return b.InIndex }))
	session := apitest.WithCookie(f.SignIn(f.Key(state.Research)))
	public, licensed := 0, 0
	for i, cell := range jevons.CellsOf(table.Rows) {
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
	if r := f.Get("/figure?s=toronto.dairy&lang=fr", "", asPage); !strings.Contains(string(r.Content), `ouvrez une session`) {
		t.Errorf("%d %s", r.StatusCode, r.Content)
	}
}

// A licensed figure counts as the index does. A public one counts for its address alone.
func TestFigureCounts(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.PublicPerMinute = 3 })
	key, secret := f.Created(state.NewKey{Tier: state.Research, Name: "a", PerMonth: 2})
	logged := func() string {
		return strings.Join(f.Column(fmt.Sprintf("SELECT endpoint || ' ' || status || ' ' || query FROM requests WHERE key_id = %d ORDER BY id", key.ID)), "; ")
	}
	apitest.WantStatus(t, f.Get("/figure.csv", secret), http.StatusOK)
	if got := logged(); got != "" {
		t.Errorf("a public figure is logged: %s", got)
	}
	apitest.WantStatus(t, f.Get("/figure.csv?s=toronto.dairy", secret), http.StatusOK)
	apitest.WantStatus(t, f.Get("/figure.svg?s=toronto.dairy", secret), http.StatusOK)
	apitest.WantError(t, "the month", f.Get("/figure.png?s=toronto.dairy", secret), http.StatusTooManyRequests, "quota_exceeded")
	if got, want := logged(), "/figure.csv 200 s=toronto.dairy; /figure.svg 200 s=toronto.dairy; /figure.png 429 s=toronto.dairy"; got != want {
		t.Errorf("logged is %s, want %s", got, want)
	}
	apitest.WantStatus(t, f.Get("/figure.csv", ""), http.StatusOK)
	apitest.WantStatus(t, f.Get("/embed/figure", ""), http.StatusOK)
	apitest.WantError(t, "the address", f.Get("/figure.png", ""), http.StatusTooManyRequests, "rate_limited")
	apitest.WantError(t, "the index, after it", f.Get("/api/public/index", f.Key(state.Research)), http.StatusTooManyRequests, "rate_limited")
}

func TestFigureAddress(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, apitest.Ample)
	for query, want := range map[string]string{
		"": "s=national.overall",
		"?view=index&s=national.dairy&lang=en&from=":                                          "s=national.dairy",
		"?lang=fr&to=2026-10-01&since=2026-08-02&s=national.meat&view=since&s=national.dairy": "s=national.meat&s=national.dairy&view=since&since=2026-08-02&to=2026-10-01&lang=fr",
		"?as_of=r1&from=2026-08-01":                                                           "s=national.overall&from=2026-08-01&as_of=r1",
		"?as_of=" + url.QueryEscape(apitest.Now.Format(time.RFC3339)):                         "s=national.overall&as_of=r1",
	} {
		r := f.Get("/figure.json"+query, "")
		apitest.WantStatus(t, r, http.StatusOK)
		if got, want := r.Header.Get("Link"), `<https://larder.example/figure?`+want+`>; rel="canonical"`; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		same := f.Get("/figure.json?"+want, "")
		if !bytes.Equal(same.Content, r.Content) {
			t.Errorf("%s: another body than %s", query, want)
		}
	}
	for query, want := range map[string]string{
		"?s=torono.dairy":                          `parameter s: s: there is no city "torono"; did you mean "toronto"?`,
		"?s=national.dary":                         `parameter s: s: there is no category "dary"; did you mean "dairy"?`,
		"?s=national.dairy&s=national.dairy":       `parameter s: s: "national.dairy" is there twice; keep one`,
		"?size=square":                             `parameter size: there is no parameter "size" here`,
		"?series=national.dairy":                   `parameter series: there is no parameter "series" here`,
		"?lang=de":                                 `parameter lang: lang: "de" is not known here`,
		"?view=since":                              `parameter since: since: view=since needs the week`,
		"?view=since&since=2026-07-12":             `parameter since: since: national.overall has no level in the week ending 2026-07-12; its first is that of the week ending 2026-07-19`,
		"?from=2026-09-01&to=2026-08-01":           `parameter to: to: 2026-08-01 is before from, 2026-09-01`,
		"?as_of=r9":                                `parameter as_of: as_of: there is no release r9; the newest is r1`,
		"?s=" + strings.Repeat("national.a&s=", 9): `parameter s: s: a figure shows at most 8 series; these are 9`,
		"?from=%zz":                                `parameter <nil>: the query can't be read`,
	} {
		r := f.Get("/figure.json"+query, "")
		v := r.JSON(t)
		if got := fmt.Sprintf("parameter %v: %v", v["parameter"], v["error"]); r.StatusCode != http.StatusBadRequest || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %d %s, want %s", query, r.StatusCode, got, want)
		}
		page := f.Get("/figure"+query, "", asPage)
		if text := html.UnescapeString(string(page.Content)); page.StatusCode != http.StatusBadRequest || !strings.Contains(text, fmt.Sprint(v["error"])) || strings.Contains(string(page.Content), "<b>") {
			t.Errorf("%s: the page says %s", query, text)
		}
	}
	if r := f.Get("/figure?lang="+url.QueryEscape("<b>x"), "", asPage); strings.Contains(string(r.Content), "<b>") {
		t.Errorf("%s", r.Content)
	}
	apitest.WantError(t, "no row", f.Get("/figure.svg?to=2026-07-01", ""), http.StatusNotFound, "not_found")
	apitest.WantError(t, "the pilot", f.Get("/figure.svg?from=2026-03-01&to=2026-06-30", ""), http.StatusNotFound, "not_found")
}

func TestFigureHeaders(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, apitest.Ample)
	key := f.Key(state.Standard)
	for _, path := range figurePaths {
		for query, who := range map[string]string{"": "public", "?as_of=r1": "public", "?s=toronto.dairy": "private", "?s=toronto.dairy&as_of=r1": "private"} {
			if path == "/embed/figure" && who == "private" {
				continue
			}
			r := f.Get(path+query, key)
			apitest.WantStatus(t, r, http.StatusOK)
			page, frozen := strings.HasSuffix(path, "/figure"), strings.Contains(query, "as_of")
			age := "no-cache"
			if frozen && !page {
				age = "max-age=31536000, immutable"
			}
			if got := r.Header.Get("Cache-Control"); got != who+", "+age {
				t.Errorf("%s%s: Cache-Control %q", path, query, got)
			}
			tag := r.Header.Get("ETag")
			if strings.HasPrefix(tag, "W/") == frozen || tag == "" {
				t.Errorf("%s%s: ETag %s", path, query, tag)
			}
			if again := f.Get(path+query, key, apitest.Header("If-None-Match", tag)); again.StatusCode != http.StatusNotModified {
				t.Errorf("%s%s: %d for what the client has", path, query, again.StatusCode)
			}
			packed := f.Get(path+query, key, apitest.Header("Accept-Encoding", "gzip"))
			plain, err := packed.Plain()
			if err != nil || !bytes.Equal(plain, r.Content) || frozen && packed.Header.Get("ETag") == tag {
				t.Errorf("%s%s: packed it is another: %v, %s", path, query, err, packed.Header.Get("ETag"))
			}
			policy, frame := r.Header.Get("Content-Security-Policy"), r.Header.Get("X-Frame-Options")
			if embed := path == "/embed/figure"; strings.Contains(policy, "frame-ancestors *") != embed || strings.Contains(policy, "frame-ancestors 'none'") == embed || (frame == "") != (embed || !page) {
				t.Errorf("%s%s: %s, X-Frame-Options %q", path, query, policy, frame)
			}
			if page && strings.Contains(string(r.Content), "og:image") != (who == "public" && path == "/figure") {
				t.Errorf("%s%s: og:image", path, query)
			}
			if strings.Contains(string(r.Content), "<script") || strings.Contains(string(r.Content), "style=\"") {
				t.Errorf("%s%s: it needs a script or a style", path, query)
			}
		}
	}
	if r := f.Get("/embed/figure?s=toronto.dairy", "", asPage); r.Header.Get("X-Frame-Options") != "DENY" || r.StatusCode != http.StatusForbidden {
		t.Errorf("a refusal: %d %v", r.StatusCode, r.Header)
	}
}

// A frozen figure keeps its bytes through later releases, on another server too. A live one
// moves, and says which release moved it.
func TestFigureFrozen(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key := f.Key(state.Standard)
	queries := []string{
		"s=national.overall", "s=national.overall&view=4w&lang=fr", "s=national.overall&view=since&since=2026-09-06", "s=toronto.overall&s=national.overall&view=cost",
	}
	frozen := map[string][]byte{}
	moved := 0
	for i, db := range x.Snapshots(t) {
		r := x.Publish(t, f, db, "")
		f.Look(false)
		for _, query := range queries {
			for _, path := range figurePaths {
				if path == "/embed/figure" && strings.Contains(query, "toronto") {
					continue
				}
				address := path + "?" + query + "&as_of=" + r.ID()
				frozen[address] = f.Get(address, key).Content
			}
			r2 := f.Get("/figure.json?"+query, key)
			apitest.WantStatus(t, r2, http.StatusOK)
			live := r2.JSON(t)
			if id := at(live, "release.id"); id != strconv.Quote(r.ID()) {
				t.Errorf("%s: release %s", query, id)
			}
			if at(live, "revised") == "null" {
				continue
			}
			// The last revision is that of the interface.
			moved++
			release := live["revised"].(map[string]any)["release"].(map[string]any)["id"].(string)
			page := string(f.Get("/figure?"+query, key).Content)
			if !strings.Contains(page, `<a href="/releases#`+release+`">`) && !strings.Contains(page, `<a href="/fr/releases#`+release+`">`) {
				t.Errorf("%s: the page names no %s", query, release)
			}
			if query == "s=national.overall" {
				count := 0
				for _, category := range []string{"overall"} {
					for _, row := range revisionsResource.walk(f, key, "release="+release+"&level=national&category="+category, func() int { return 1000 }, nil).rows {
						if strings.Contains(string(row), `"old":{`) && at(mustJSON(t, row), "old.index_value") != at(mustJSON(t, row), "new.index_value") {
							count++
						}
					}
				}
				if got := at(live, "revised.values"); got != strconv.Itoa(count) {
					t.Errorf("%s: %s values moved, want %d", query, got, count)
				}
			}
		}
		servers := []*apitest.Server{f}
		if i == len(x.Snapshots(t))-1 {
			servers = append(servers, x.Serve(t, f.Clock.Now(), apitest.Ample))
		}
		for _, g := range servers {
			for address, want := range frozen {
				if got := g.Get(address, g.Key(state.Standard)); !bytes.Equal(got.Content, want) || got.StatusCode != http.StatusOK {
					t.Fatalf("after %s: %s is another: %d\n%.900s\nwas\n%.900s", r.ID(), address, got.StatusCode, got.Content, want)
				}
			}
		}
		f.Clock.Advance(7 * 24 * time.Hour)
	}
	if moved == 0 {
		t.Error("no release moved a live figure")
	}
	// An answer of the past week is not today's: the live figure moved.
	first, now := f.Get("/figure.csv?as_of=r1", "").Content, f.Get("/figure.csv", "").Content
	if bytes.HasPrefix(now, first[:len(first)-200]) {
		t.Error("the live figure begins as the frozen one")
	}
	apitest.WantError(t, "before the first", f.Get("/figure.csv?as_of=2026-01-01T00:00:00Z", ""), http.StatusBadRequest, "invalid_parameter")
}

func mustJSON(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The picture of a page is as in the file, and marks the demo's events.
func TestFigurePicture(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	svg := string(f.Get("/figure.svg?s=national.dairy&s=national.overall", "").Content)
	for _, want := range []string{"Invented: a new dairy opens", "Invented: truck drivers on strike", "These prices are invented", `data-series="national.dairy"`, "c-band"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if other := string(f.Get("/figure.svg?s=national.meat&lang=fr", "").Content); strings.Contains(other, "laiterie") || !strings.Contains(other, "Inventé : grève des camionneurs") {
		t.Error("an event is at the wrong series, or in English")
	}
	page := f.Get("/figure?s=national.overall&lang=fr", "")
	if n := strings.Count(string(page.Content), `role="img"`); n != 2 || !slices.ContainsFunc([]string{`<html lang="fr-CA">`}, func(x string) bool { return strings.Contains(string(page.Content), x) }) {
		t.Errorf("%d pictures", n)
	}
	if !strings.Contains(string(page.Content), `href="/figure?s=national.overall"`) {
		t.Error("the page leads to no English one")
	}
}
