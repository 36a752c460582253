package browser

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/chromedp/cdproto/network"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// shownRow is a row of the public index, numbers as they are written.
type shownRow struct {
	Date, City, Retailer, Category string
	IndexValue                     json.Number `json:"index_value"`
	Cost                           json.Number `json:"basket_cost_cad"`
	WoW                            json.Number `json:"pct_change_wow"`
	MoM                            json.Number `json:"pct_change_mom"`
	Items                          json.Number `json:"item_count"`
	TotalItems                     json.Number `json:"total_items"`
	Quality                        ends
	Change                         ends `json:"wow_interval"`
	Against                        struct {
		Difference json.Number `json:"pct_difference"`
		Low        json.Number `json:"pct_difference_low"`
		High       json.Number `json:"pct_difference_high"`
	}
}

// ends holds the ends of a 95% interval. They are empty without an interval.
type ends struct {
	Low  json.Number `json:"ci95_low"`
	High json.Number `json:"ci95_high"`
}

// series is the name of its series in addresses.
func (r shownRow) series() string {
	parts := []string{cmp.Or(r.City, "national"), r.Retailer, cmp.Or(r.Category, "overall")}
	parts[0] = strings.NewReplacer(" ", "-", ".", "", "'", "").Replace(strings.ToLower(parts[0]))
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ".")
}

// rows asks for rows of the public index, by series and week.
func (f *server) rows(key, query string) map[string]map[string]shownRow {
	f.T.Helper()
	all := map[string]map[string]shownRow{}
	var body struct{ Observations []shownRow }
	f.fetch(http.MethodGet, "/api/public/index?include=quality,wow_interval&limit=8000&"+query, "", &body, withKey(key))
	for _, r := range body.Observations {
		if all[r.series()] == nil {
			all[r.series()] = map[string]shownRow{}
		}
		all[r.series()][r.Date] = r
	}
	return all
}

func weeksOf(series map[string]shownRow) []string { return slices.Sorted(maps.Keys(series)) }

// cells are the texts of a row of the tables, all but its name. against is the city of the difference, or empty.
func (r shownRow) cells(t testing.TB, against string) []string {
	t.Helper()
	plain := func(n json.Number) string { return rounded(t, n) }
	signed := func(n json.Number) string { return signedText(n, rounded(t, n)) }
	with := func(text string, low, high json.Number, write func(json.Number) string) string {
		if low == "" {
			return text
		}
		return text + " " + write(low) + " to " + write(high)
	}
	week := signed(r.WoW)
	if holdsZero(t, r.Change.Low, r.Change.High) {
		week = "a rise or a fall"
	}
	texts := []string{with(plain(r.IndexValue), r.Quality.Low, r.Quality.High, plain)}
	switch {
	case against == "":
	case r.City == against && r.Retailer == "":
		texts = append(texts, "")
	default:
		texts = append(texts, with(signed(r.Against.Difference), r.Against.Low, r.Against.High, signed))
	}
	return append(texts, with(week, r.Change.Low, r.Change.High, signed), signed(r.MoM), amount(r.Cost), fmt.Sprintf("%s of %s", r.Items, r.TotalItems))
}

// group is that of a place beside a city.
func (r shownRow) group(t testing.TB, against string) string {
	low, _ := r.Against.Low.Float64()
	switch {
	case r.City == against && r.Retailer == "" || holdsZero(t, r.Against.Low, r.Against.High):
		return "even"
	case r.Against.Low == "":
		return "unknown"
	case low > 0:
		return "above"
	}
	return "below"
}

// testDesk compares every number of a subscriber's page with the API, with script and without: of categories, of
// places beside a city and their groups, and of each city's categories.
func testDesk(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	x, off := f.signedIn(b, key), f.signedIn(b, key)
	off.withoutScript()
	x.visit("/")
	x.there(".hand")
	x.everywhere("desk")
	weeks := weeksOf(f.rows(key, "level=national&category=overall")["national.overall"])
	week := "from=" + weeks[len(weeks)-1] + "&to=" + weeks[len(weeks)-1]
	for _, c := range []struct{ query, of, against string }{
		{"tab=categories", "level=national", ""},
		{"tab=cities&against=Toronto", "level=city&category=overall", "Toronto"},
		{"tab=chains&in=Halifax&against=Montreal", "level=banner&city=Halifax&category=overall", "Montreal"},
		{"tab=grid", "level=city", ""},
	} {
		query := c.of + "&" + week
		if c.against != "" {
			query += "&against=" + url.QueryEscape(c.against)
		}
		want, groups := map[string][]string{}, map[string]string{}
		for series, rows := range f.rows(key, query) {
			for _, r := range rows {
				if want[series] = r.cells(t, c.against); c.query == "tab=grid" {
					want[series] = []string{rounded(t, r.IndexValue)}
				}
				if c.against != "" {
					groups[series] = r.group(t, c.against)
				}
			}
		}
		for _, page := range []*tab{x, off} {
			page.visit("/?" + c.query)
			got := get[map[string][]string](page, `() => Object.fromEntries([...document.querySelectorAll("#lines tr[data-series], #grid td[data-series]")].filter((e) => e.dataset.series).map((e) =>
				[e.dataset.series, (e.cells ? [...e.cells].slice(1, -1).filter((c) => c.dataset.name !== "In 52 weeks") : [e]).map((c) => c.innerText.trim().replace(/\s+/g, " "))]))`)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-API +page):\n%s", c.query, diff)
			}
			for _, year := range get[[]string](page, `() => [...document.querySelectorAll("#lines td[data-name='In 52 weeks']")].map((e) => e.innerText.trim())`) {
				if !regexp.MustCompile(`^– from the week ending [A-Z][a-z]+ \d+, 2027$`).MatchString(year) {
					t.Errorf("%s: the change in 52 weeks of a young series is %q", c.query, year)
				}
			}
			shown := get[map[string]string](page, `() => Object.fromEntries([...document.querySelectorAll("#lines tbody[data-group]")].filter((e) => e.dataset.group).flatMap((e) =>
				[...e.querySelectorAll("[data-series]")].map((r) => [r.dataset.series, e.dataset.group])))`)
			if diff := gocmp.Diff(groups, shown); diff != "" {
				t.Errorf("%s: groups of places (-want +got):\n%s", c.query, diff)
			}
		}
		x.glance("desk-" + strings.SplitN(c.query, "&", 2)[0])
		x.size(320, 700)
		if wide := get[int](x, `() => document.querySelector("#compared .scroll").scrollWidth - document.querySelector("#compared .scroll").clientWidth`); wide > 0 {
			t.Errorf("%s at 320 px: the table is %d px wider than the window", c.query, wide)
		}
		x.size(1280, 900)
	}
}

// withoutScript has the script of figures not arrive.
func (x *tab) withoutScript() {
	x.t.Helper()
	command(x, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/*/chart.js", Block: true}}})
}

// testPacks compares the packs that got smaller with the API's events, grade by grade.
func testPacks(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	x := f.signedIn(b, key)
	var all struct {
		Events []struct {
			ID               json.Number
			Confidence, Flag string
			Change           json.Number `json:"pct_size_change"`
			UnitChange       json.Number `json:"pct_unit_price_change"`
			Old              string      `json:"old_package_size"`
			New              string      `json:"new_package_size"`
		}
	}
	f.fetch(http.MethodGet, "/api/v1/shrinkflation?confidence=low", "", &all, withKey(key))
	x.visit("/?s=national.dairy&tab=cities")
	for _, grades := range [][]string{{"high", "medium"}, {"low"}} {
		if grades[0] == "low" {
			x.click("#packs input[value=high]")
			x.click("#packs input[value=medium]")
			x.click("#packs input[value=low]")
			x.click("#packs-show")
			await[bool](x, `() => location.search === "?s=national.dairy&tab=cities&grade=low&days=90"`)
		}
		want := map[string][]string{}
		for _, e := range all.Events {
			if size := signedText(e.Change, rounded(t, e.Change)); slices.Contains(grades, e.Confidence) {
				if e.Change == "-20" {
					size = "−20.0% or more"
				}
				want[e.ID.String()] = []string{e.Confidence, e.Flag, e.Old + " → " + e.New + " " + size, signedText(e.UnitChange, rounded(t, e.UnitChange))}
			}
		}
		if diff := gocmp.Diff(want, await[map[string][]string](x, `() => Object.fromEntries([...document.querySelectorAll("#events tr[data-event]")].map((e) =>
			[e.dataset.event, [e.dataset.grade, e.dataset.flag, e.cells[1].innerText.trim().replace(/\s+/g, " "), e.cells[2].firstChild.data.trim()]]))`)); diff != "" || len(want) == 0 {
			t.Errorf("events graded %v (-API +page):\n%s", grades, diff)
		}
	}
	x.glance("desk-packs")
}
