package httpapi_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
)

// published are rows of the index as the interface sends them, with their digits.
type published struct {
	Date, City, Category, Retailer *string
	Index                          json.Number `json:"index_value"`
	Cost                           json.Number `json:"basket_cost_cad"`
	WoW                            json.Number `json:"pct_change_wow"`
	Quality                        struct {
		Low  json.Number `json:"ci95_low"`
		High json.Number `json:"ci95_high"`
	}
	WoWInterval struct {
		Low  json.Number `json:"ci95_low"`
		High json.Number `json:"ci95_high"`
	} `json:"wow_interval"`
}

// rowsOf returns the rows of the newest week.
func rowsOf(f *apitest.Server, query string) (rows []published) {
	f.T.Helper()
	r := f.Get("/api/v1/index?include=quality,wow_interval&from=2026-01-01&"+query, f.Key(state.Enterprise))
	apitest.WantStatus(f.T, r, http.StatusOK)
	var body struct{ Observations []published }
	check(json.Unmarshal(r.Content, &body))
	last := body.Observations[len(body.Observations)-1].Date
	return slices.DeleteFunc(body.Observations, func(x published) bool { return *x.Date != *last })
}

// percent rounds a number of the interface as people read it, after subtracting less.
func percent(t *testing.T, n json.Number, less int64) string {
	t.Helper()
	d, err := decimal.NewFromString(n.String())
	if err != nil {
		t.Fatalf("%q: %v", n, err)
	}
	return words.English.Change(d.Sub(decimal.NewFromInt(less)).StringFixed(1))
}

// figures are all percentages and amounts in a text.
var figures = regexp.MustCompile(`[+−]?\d+(?:\.\d+)?%|\$\d+(?:\.\d+)?`)

// spacedText returns the texts in an element, a space after each.
func spacedText(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return b.String()
}

// TestFront compares every figure of the page for strangers with the interface. What is
// licensed is not on it.
func TestFront(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	r := f.Get("/", "", apitest.Header("Authorization", "Bearer "+f.Key(state.Enterprise)))
	apitest.WantStatus(t, r, http.StatusOK)
	root := parsed(t, r.Content)
	national := rowsOf(f, "level=national")
	headline := national[slices.IndexFunc(national, func(x published) bool { return x.Category == nil })]
	allowed := map[string]bool{"95%": true, "$" + headline.Cost.String(): true}
	for _, x := range national {
		allowed[percent(t, x.Index, 100)] = true
	}
	for _, n := range []json.Number{headline.WoW, headline.WoWInterval.Low, headline.WoWInterval.High} {
		allowed[percent(t, n, 0)] = true
	}
	allowed[percent(t, headline.Quality.Low, 100)], allowed[percent(t, headline.Quality.High, 100)] = true, true
	var costs []decimal.Decimal
	for _, x := range rowsOf(f, "level=city&category=overall") {
		allowed["$"+x.Cost.String()] = true
		costs = append(costs, decimal.RequireFromString(x.Cost.String()))
	}
	said := map[string]bool{}
	for _, found := range figures.FindAllString(spacedText(element(root, atom.Main)), -1) {
		if said[found] = true; !allowed[found] {
			t.Errorf("%s is no figure that anybody may see", found)
		}
	}
	if len(said) != len(allowed) {
		t.Errorf("it shows %d figures of %d: %v of %v", len(said), len(allowed), said, allowed)
	}
	for _, x := range rowsOf(f, "level=banner&category=overall") {
		if strings.Contains(string(r.Content), *x.Retailer) {
			t.Errorf("it names %s", *x.Retailer)
		}
	}
	var shown []decimal.Decimal
	var pictures []string
	pictured := false
	for n := range root.Descendants() {
		if class, _ := attr(n, "class"); n.DataAtom == atom.Td && class == "num cost" {
			shown = append(shown, decimal.RequireFromString(strings.TrimPrefix(textOf(n), "$")))
		}
		if alt, is := attr(n, "alt"); is && alt != "" {
			pictures = append(pictures, alt)
		}
	}
	for n := range root.Descendants() {
		if property, _ := attr(n, "property"); property == "og:image" {
			address, _ := attr(n, "content")
			if address != "https://larder.example/figure.png?s=national.overall" {
				t.Errorf("og:image is %s", address)
			}
			apitest.WantStatus(t, f.Get(strings.TrimPrefix(address, "https://larder.example"), ""), http.StatusOK)
			pictured = true
		}
	}
	if !pictured {
		t.Error("no og:image")
	}
	slices.SortFunc(costs, decimal.Decimal.Cmp)
	slices.SortFunc(shown, decimal.Decimal.Cmp) // the page has them by name
	if !slices.EqualFunc(shown, costs, decimal.Decimal.Equal) {
		t.Errorf("the cities cost %v, want %v", shown, costs)
	}
	sentence := textOf(element(root, atom.H1))
	if !strings.HasPrefix(sentence, "Grocery prices in 13 cities: ") || !strings.Contains(sentence, percent(t, headline.Index, 100)+" ") && !strings.HasSuffix(sentence, percent(t, headline.Index, 100)) {
		t.Errorf("%q does not say %s", sentence, percent(t, headline.Index, 100))
	}
	if len(pictures) != 1 || !strings.HasPrefix(pictures[0], sentence+". ") || !strings.Contains(pictures[0], ": "+headline.Index.String()+" ") {
		t.Errorf("pictures %q; the headline's must say %s and %q", pictures, headline.Index, sentence)
	}
}

// TestFrontWithNone shows no figure to strangers, in any language.
func TestFrontWithNone(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.Public = figure.PublicNone })
	for _, l := range words.All {
		r := f.Get(l.At("/"), "")
		apitest.WantStatus(t, r, http.StatusOK)
		body := string(r.Content)
		if found := regexp.MustCompile(`\d[.,]\d+|\$\d|\d %|\d%|role="img"|og:image`).FindString(strings.ReplaceAll(body, "1.6M7", "")); found != "" && !strings.Contains(`M7 2h10v3H7zM5 7h14v13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zm3 9 3-3 2 2 3.5-4`, found) {
			t.Errorf("%s: it shows %q", l.Name, found)
		}
		if !strings.Contains(body, `"isAccessibleForFree":false`) || !strings.Contains(body, `href="`+l.At("/account")+`"`) {
			t.Errorf("%s: %s", l.Name, body)
		}
	}
}

// TestCrawlers follows the sitemap. It has every page that may be indexed, in both languages,
// and robots.txt forbids none of them.
func TestCrawlers(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	robots := string(f.Get("/robots.txt", "").Content)
	var forbidden []string
	for line := range strings.Lines(robots) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "Disallow: "); ok {
			forbidden = append(forbidden, path)
		}
	}
	if !strings.Contains(robots, "Sitemap: https://larder.example/sitemap.xml\n") || len(forbidden) < 3 {
		t.Errorf("robots.txt: %s", robots)
	}
	var found struct {
		Pages []struct {
			Loc  string `xml:"loc"`
			Link []struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"url"`
	}
	check(xml.Unmarshal(f.Get("/sitemap.xml", "").Content, &found))
	var listed, want []string
	figures := 0
	for _, x := range found.Pages {
		path := strings.TrimPrefix(x.Loc, "https://larder.example")
		if strings.HasPrefix(path, "/figure?") {
			apitest.WantStatus(t, f.Get(path, ""), http.StatusOK)
			figures++
			continue
		}
		listed = append(listed, path)
		if len(x.Link) != len(words.All) {
			t.Errorf("%s has %d languages", path, len(x.Link))
		}
	}
	for _, p := range allPages(f) {
		if p.name == p.path && p.path != "/figure" && p.Header.Get("X-Robots-Tag") == "" {
			want = append(want, p.path)
		}
		for _, prefix := range forbidden {
			if strings.HasPrefix(p.path, prefix) {
				t.Errorf("robots.txt forbids %s", p.path)
			}
		}
	}
	if figures != 20 {
		t.Errorf("%d figures", figures)
	}
	if !slices.Equal(sorted(listed), sorted(want)) {
		t.Errorf("the sitemap has %q\nwant %q", sorted(listed), sorted(want))
	}
}

// feeds are the addresses that announce releases.
var feeds = []string{"/releases.json", "/releases.atom", "/releases/checkpoint"}

// TestFeeds reads the feeds after several releases and a restart. Each release is there once,
// under the same names.
func TestFeeds(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	before := map[string]string{}
	x.Weekly(t, f, 4, nil)
	for _, path := range feeds {
		before[path] = string(f.Get(path, "").Content)
	}
	restarted := x.Serve(t, f.Clock.Now())
	for _, path := range feeds {
		if got := restarted.Get(path, ""); string(got.Content) != before[path] {
			t.Errorf("%s after a restart:\n%s\nwas\n%s", path, got.Content, before[path])
		}
	}

	hidden := x.Serve(t, f.Clock.Now(), func(c *httpapi.Config) { c.Public = figure.PublicNone })
	if text := string(hidden.Get("/releases.atom", "").Content); !strings.Contains(text, "<title>Release r4</title>") || strings.Contains(text, "%") {
		t.Errorf("nothing is public: %s", text)
	}

	titles := []string{"Grocery prices in 13 cities: no clear change since August, +0.5%", "Grocery prices in 13 cities: no clear change since August, +0.4%", "Grocery prices in 13 cities: no clear change since August, +0.2%", "Grocery prices in 12 cities: no clear change since August, +0.3%"}
	instants := []string{"2026-10-26T12:30:00Z", "2026-11-02T12:30:00Z", "2026-11-09T12:30:00Z", "2026-11-16T12:30:00Z"}
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	french := string(f.Get("/fr/releases.atom", "").Content)
	for _, part := range []string{"\u00a0: diffusions de l’indice des prix à l’épicerie</title>", "<title>Épicerie dans 13 villes\u00a0: rien de concluant depuis août, +0,5\u00a0%</title>", "<summary>Diffusion r4, feuille ", "/fr/releases#r4"} {
		if !strings.Contains(french, part) {
			t.Errorf("the French feed lacks %q: %.900s", part, french)
		}
	}
	check(xml.Unmarshal([]byte(before["/releases.atom"]), &feed))
	ids := map[string]bool{}
	for i, e := range feed.Entries {
		ids[e.ID] = true
		if e.Updated != instants[3-i] || !strings.HasPrefix(e.Summary, "Release r"+string('4'-rune(i))+", leaf ") || !strings.HasSuffix(e.Summary, " The first change in 52 weeks can be that of the week ending August 29, 2027.") || e.Title != titles[i] {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	if len(ids) != 4 || len(feed.Entries) != 4 || feed.Updated != instants[3] {
		t.Errorf("the feed has %+v", feed)
	}
	v := f.Get("/releases.json", "").JSON(t)
	if got := at(v, "releases.0.id") + at(v, "releases.3.id") + at(v, "planned.0"); got != `"r1""r4""2026-11-23T13:30:00Z"` {
		t.Errorf("announced %s", got)
	}
	if at(v, "planned.0") != at(f.Get("/api/v1/releases", f.Key(state.Research)).JSON(t), "meta.next_due") {
		t.Error("the next release is due at two times")
	}
}
