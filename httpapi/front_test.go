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
		if alt, is := attr(n, "alt"); is {
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
