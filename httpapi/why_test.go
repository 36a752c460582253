package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// whyLine is a line of a list of contributions, as a page has it.
type whyLine struct {
	name   string
	points decimal.Decimal
	cells  int
}

// whyChange is a change with its lists. The last line of each list is the sum.
type whyChange struct {
	change decimal.Decimal
	lists  [][]whyLine
}

func (x whyLine) String() string   { return x.name + " " + x.points.String() }
func (x whyChange) String() string { return fmt.Sprint(x.change.String(), x.lists) }

// textOf returns all text below a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// shownNumber reads a number as English pages write it.
func shownNumber(t *testing.T, text string) decimal.Decimal {
	t.Helper()
	d, err := decimal.NewFromString(strings.NewReplacer("\u2212", "-", "%", "", "+", "").Replace(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// readWhy reads a page that takes a row apart.
func readWhy(t *testing.T, r *apitest.Response) (changes []whyChange) {
	t.Helper()
	apitest.WantStatus(t, r, http.StatusOK)
	for n := range parsed(t, r.Content).Descendants() {
		switch n.DataAtom {
		case atom.H2:
			for d := range n.Descendants() {
				if d.DataAtom == atom.Span {
					changes = append(changes, whyChange{change: shownNumber(t, textOf(d))})
				}
			}
		case atom.Table:
			x := &changes[len(changes)-1]
			x.lists = append(x.lists, nil)
		case atom.Tr:
			cells := slices.Collect(n.ChildNodes())
			if len(cells) < 2 || n.Parent.DataAtom == atom.Thead {
				continue
			}
			list := &changes[len(changes)-1].lists[len(changes[len(changes)-1].lists)-1]
			*list = append(*list, whyLine{textOf(cells[0]), shownNumber(t, textOf(cells[1])), len(cells)})
		}
	}
	return changes
}

// What a page shows goes by the reader: strangers see categories of public series, research
// keys products of a category, and standard keys what is known of each product.
func TestWhyReaders(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	none := apitest.Serve(t, apitest.Ample, func(c *httpapi.Config) { c.Public = figure.PublicNone })
	research, standard, disabled := f.Key(state.Research), f.Key(state.Standard), f.Key(state.Standard)
	session, ended := apitest.WithCookie(f.SignIn(standard)), apitest.WithCookie(f.SignIn(disabled))
	f.Disable(disabled)
	const categoriesOnly, productsOnly, details, both = 1, 2, 3, 4
	for _, x := range []struct {
		series, key string
		change      []apitest.Change
		want        int // 0: 401
	}{
		{"national.overall", "", nil, categoriesOnly},
		{"national.overall", "", []apitest.Change{ended}, categoriesOnly},
		{"national.overall", disabled, nil, categoriesOnly},
		{"national.overall", research, nil, categoriesOnly},
		{"national.overall", standard, nil, both},
		{"national.overall", "", []apitest.Change{session}, both},
		{"national.dairy", "", nil, -1},
		{"national.dairy", research, nil, productsOnly},
		{"national.dairy", standard, nil, details},
		{"toronto.overall", "", nil, 0},
		{"toronto.dairy", "", []apitest.Change{ended}, 0},
		{"toronto.dairy", research, nil, productsOnly},
		{"toronto.dairy", "", []apitest.Change{session}, details},
	} {
		r := f.Get("/why?s="+x.series, x.key, append(x.change, asPage)...)
		if x.want == 0 {
			if r.StatusCode/100 != 4 || strings.Contains(string(r.Content), "<table") {
				t.Errorf("%s: %d", x.series, r.StatusCode)
			}
			continue
		}
		got, products := -1, 0
		for _, change := range readWhy(t, r) {
			for _, list := range change.lists {
				switch cells := list[0].cells; {
				case cells == 5:
					got = categoriesOnly
				case cells == 3:
					got = productsOnly
				case got == categoriesOnly:
					got = both
				default:
					got = details
				}
			}
		}
		for _, p := range f.Snapshots.Current().Panel.Products() {
			if strings.Contains(string(r.Content), html.EscapeString(p.Name)) {
				products++
			}
		}
		if got != x.want || (products == 0) != (got == categoriesOnly || got == -1) {
			t.Errorf("%s, key %.20s: lists %d with %d products, want %d", x.series, x.key, got, products, x.want)
		}
		if strings.Contains(string(r.Content), "<script") {
			t.Errorf("%s: the page needs a script", x.series)
		}
		if c := r.Header.Get("Cache-Control"); c != "no-store" {
			t.Errorf("Cache-Control %s", c)
		}
	}
	apitest.WantError(t, "a server without public figures", none.Get("/why", ""), http.StatusUnauthorized, "unauthorized")
	apitest.WantStatus(t, none.Get("/why", none.Key(state.Research)), http.StatusOK)
	// Nobody learns without a key which weeks of a licensed series are published.
	apitest.WantError(t, "a week", f.Get("/why?s=charlottetown.overall&week=2026-07-19", ""), http.StatusUnauthorized, "unauthorized")
}

func TestWhyAddress(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, apitest.Ample)
	key := f.Key(state.Standard)
	newest := readWhy(t, f.Get("/why", ""))
	week := panel.LastClosed(f.Clock.Now())
	for _, query := range []string{
		"s=national.overall", "week=" + week.String(), "week=" + (week.Date() - 1).String(), "week=" + (week.Date() - 6).String(), "as_of=r1", "as_of=r1&week=" + week.String(),
	} {
		if got := readWhy(t, f.Get("/why?"+query, "")); fmt.Sprint(got) != fmt.Sprint(newest) {
			t.Errorf("%s is another page: %v, want %v", query, got, newest)
		}
	}
	if got := readWhy(t, f.Get("/why?week="+(week.Date()-7).String(), "")); fmt.Sprint(got) == fmt.Sprint(newest) {
		t.Error("the week before has the same page")
	}
	for query, want := range map[string]string{
		"s=national.dary":                       `400 s: there is no category "dary"; did you mean "dairy"?`,
		"s=national.dairy&s=national.meat":      `400 s: one series is taken apart at a time; these are 2`,
		"week=" + week.Add(1).String():          `400 week: the week ending ` + week.Add(1).String() + ` is not published; the last one is the week ending ` + week.String(),
		"week=yesterday":                        `400 week: "yesterday" is no date written YYYY-MM-DD, such as 2026-07-19`,
		"week=2026-07-12":                       `404 overall, national, week 2026-07-12: not published: the table runs from`,
		"view=yoy":                              `400 there is no parameter "view" here`,
		"as_of=r9":                              `400 as_of: there is no release r9; the newest is r1`,
		"s=" + url.QueryEscape("<b>x</b>.meat"): `400 s: there is no city`,
	} {
		r := f.Get("/why?"+query, key)
		if got := fmt.Sprint(r.StatusCode, " ", r.JSON(t)["error"]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if page := string(f.Get("/why?"+query, key, asPage).Content); !strings.Contains(page, `id="trouble"`) || strings.Contains(page, "<b>") {
			t.Errorf("%s: %s", query, page)
		}
	}
	french := string(f.Get("/why?s=national.dairy&lang=fr&as_of=r1", key).Content)
	want := []string{`<html lang="fr-CA">`, "Produits laitiers, Canada", `href="/why?s=national.dairy&amp;week=` + week.String() + `&amp;as_of=r1"`}
	for _, p := range f.Snapshots.Current().Panel.Products() {
		if p.Category == basket.Dairy && p.Active {
			want = append(want, html.EscapeString(p.NameFr))
		}
	}
	for _, text := range want {
		if text == "" || !strings.Contains(french, text) {
			t.Errorf("the French page lacks %q", text)
		}
	}
}

// A row that a later release revised is not taken apart: the release log keeps no prices.
func TestWhyRevised(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	dbs := x.Snapshots(t)
	x.Publish(t, f, dbs[0], "")
	f.Look(false)
	address := "/why?s=national.overall&week=" + panel.LastClosed(f.Clock.Now()).String()
	before := fmt.Sprint(readWhy(t, f.Get(address+"&as_of=r1", "")))
	if got := fmt.Sprint(readWhy(t, f.Get(address, ""))); got != before {
		t.Errorf("the live page is another: %s, want %s", got, before)
	}
	f.Clock.Advance(7 * 24 * time.Hour)
	x.Publish(t, f, dbs[1], "")
	f.Look(false)
	apitest.WantError(t, "the revised row", f.Get(address+"&as_of=r1", ""), http.StatusBadRequest, "invalid_parameter")
	if got := fmt.Sprint(readWhy(t, f.Get(address+"&as_of=r2", ""))); got == before || got != fmt.Sprint(readWhy(t, f.Get(address, ""))) {
		t.Errorf("the second release says %s, as the first", got)
	}
}
