package httpapi_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// figurePaths are the addresses of all forms of a figure.
var figurePaths = []string{"/figure", "/embed/figure", "/figure.svg", "/figure.png", "/figure.csv", "/figure.json", "/figure.txt"}

// figureRow is a row of /figure.csv.
type figureRow struct{ date, series, value string }

func figureRows(t *testing.T, r *apitest.Response, member string) (rows []figureRow) {
	t.Helper()
	apitest.WantStatus(t, r, http.StatusOK)
	lines := must(csv.NewReader(bytes.NewReader(r.Content)).ReadAll())
	if lines[0][2] != member {
		t.Fatalf("the column is %s, want %s", lines[0][2], member)
	}
	for _, x := range lines[1:] {
		rows = append(rows, figureRow{x[0], x[1], x[2]})
	}
	return rows
}

var (
	tableLine  = regexp.MustCompile(`<tr><th scope="row"><time datetime="([^"]+)">[^<]*</time></th>(.*?)</tr>`)
	tableCell  = regexp.MustCompile(`<td class="num"(?: data-y="([^"]+)"><a href="[^"]*">([^<]*)</a>|>–)</td>`)
	firstTitle = regexp.MustCompile(`<(?:h1 class="sr"|title)>([^<]*?)(?: - Larder)?</`)
)

// tableOf returns the texts of the values of a page, by week, place of the series and digits.
func tableOf(page string) map[figureRow]string {
	shown := map[figureRow]string{}
	for _, line := range tableLine.FindAllStringSubmatch(page, -1) {
		for i, cell := range tableCell.FindAllStringSubmatch(line[2], -1) {
			if cell[1] != "" {
				digits, _ := strings.CutSuffix(cell[1], "00") // a cost has two decimals
				if !strings.Contains(page, "Canadian dollars") {
					digits = cell[1]
				}
				shown[figureRow{line[1], fmt.Sprint(i), digits}] = html.UnescapeString(cell[2])
			}
		}
	}
	return shown
}

func titleOf(page string) string {
	found := firstTitle.FindStringSubmatch(page)
	if found == nil {
		return page
	}
	return html.UnescapeString(found[1])
}

// written is a value of the interface as people read it.
func written(t *testing.T, view, value string) string {
	t.Helper()
	d, err := decimal.NewFromString(value)
	switch {
	case err != nil:
		t.Fatal(value, err)
	case view == "index":
		return words.English.Number(d.StringFixed(1))
	case view == "cost":
		return words.English.Money(d.StringFixed(2))
	}
	return words.English.Change(d.StringFixed(1))
}

// Every form of every view answers, under one title. The rows of CSV and JSON are those of the index, and so are the
// values of the page, rounded.
func TestFigureForms(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	key := f.Key(state.Standard)
	base := f.Snapshots.Current().Panel.BaseWeek()
	places := map[string]string{"national.overall": "level=national&category=overall", "national.meat": "level=national&category=meat", "toronto.dairy": "level=city&city=Toronto&category=dairy"}
	for _, view := range table.ViewNames() {
		for _, names := range [][]string{{"national.meat", "national.overall"}, {"toronto.dairy", "national.overall"}} {
			t.Run(view+" "+names[0], func(t *testing.T) {
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
					if len(r.Content) < 100 {
						t.Errorf("%s: %q", path, r.Content)
					}
				}
				rows := figureRows(t, f.Get("/figure.csv"+query, with), v.Member(&panel.About{}))
				var body struct {
					Series []struct {
						Name string
						Rows []map[string]json.RawMessage
					}
				}
				check(json.Unmarshal(f.Get("/figure.json"+query, with).Content, &body))
				k := 0
				for i, name := range names {
					if body.Series[i].Name != name {
						t.Fatalf("series %d is %s", i, body.Series[i].Name)
					}
					index := indexResource.walk(f, key, "from=2020-01-01&"+places[name]+unit, func() int { return 5000 })
					for n, raw := range index.rows {
						var want map[string]json.RawMessage
						check(json.Unmarshal(raw, &want))
						value := string(want[v.Member(&panel.About{})])
						csvValue := value
						if value == "null" {
							csvValue = ""
						}
						date, _ := strconv.Unquote(string(want["date"]))
						if got := rows[k]; got != (figureRow{date, name, csvValue}) {
							t.Fatalf("%+v, want %s %s", got, raw, name)
						}
						if got := body.Series[i].Rows[n]; string(got[v.Member(&panel.About{})]) != value || string(got["date"]) != string(want["date"]) || len(got) != map[bool]int{true: 4, false: 2}[view == "index" || view == "since"] {
							t.Fatalf("%s, want %s", got, raw)
						}
						k++
					}
				}
				if k != len(rows) || k < 60 {
					t.Errorf("%d rows, want %d", len(rows), k)
				}
				page := string(f.Get("/figure"+query, with).Content)
				shown := tableOf(page)
				for _, row := range rows {
					at := figureRow{row.date, fmt.Sprint(slices.Index(names, row.series)), row.value}
					if row.value != "" && shown[at] != written(t, view, row.value) {
						t.Errorf("the page shows %q for %v", shown[at], row)
					}
					if row.value != "" {
						delete(shown, at)
					}
				}
				if len(shown) > 0 {
					t.Errorf("the page shows besides: %v", shown)
				}
				title := titleOf(page)
				for _, path := range []string{"/figure.svg", "/embed/figure"} {
					if got := titleOf(string(f.Get(path+query, with).Content)); got != title && (path == "/figure.svg" || with == "") {
						t.Errorf("the title at %s is %q, and the page's %q", path, got, title)
					}
				}
			})
		}
	}
}

// Every series of the demonstration has its number in its title, in both languages, and a direction just where the
// interval that the API gives excludes none.
func TestEveryTitle(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	v := f.Snapshots.Current()
	rows, quality := must(v.V2()), must(v.Quality())
	kinds, seen := map[string]string{"up ": "up", "hausse": "up", "down": "down", "baisse": "down", "clear": "unclear", "concluant": "unclear"}, map[string]int{}
	said := regexp.MustCompile(`\bup |hausse|down|baisse|clear|concluant`)
	newest := map[jevons.Cell]jevons.Row{}
	for _, r := range rows.Rows {
		if r.Week <= v.LastClosed(apitest.Now) {
			newest[*r.Cell] = r
		}
	}
	for cell, r := range newest {
		for _, l := range words.All {
			f, err := figure.Of(&figure.Source{Snapshot: v, At: apitest.Now}, l, v.Names().Name(cell), table.ViewIndex)
			if err != nil {
				t.Fatal(cell, err)
			}
			number := l.Percent(strings.TrimPrefix(chart.OneDecimal(jevons.AboveBase(r.Index)), "-"))
			if n := utf8.RuneCountInString(f.Drawn.Title); !strings.Contains(f.Drawn.Title, number) && r.Index.Units != 1_000_000 || n > 69 {
				t.Errorf("%v: %q has %d characters; the change is %s", cell, f.Drawn.Title, n, number)
			}
			q, want := quality.QualityOf(&r), "alone"
			switch {
			case !q.Low.Valid:
			case q.Low.Float64() <= 100 && q.High.Float64() >= 100:
				want = "unclear"
			case strings.Trim(number, "0.,%\u00a0") == "":
			case q.Low.Float64() > 100:
				want = "up"
			default:
				want = "down"
			}
			if got := cmp.Or(kinds[said.FindString(f.Drawn.Title)], "alone"); got != want {
				t.Errorf("%v: %q is %s, and the interval %v to %v is %s", cell, f.Drawn.Title, got, q.Low, q.High, want)
			}
			seen[want]++
		}
	}
	if len(newest) < 400 || seen["unclear"] < 10 || seen["alone"] < 100 {
		t.Errorf("%d series, %v", len(newest), seen)
	}
}

// A frozen figure keeps its bytes through later releases, on another server too. A live one
// moves.
func TestFigureFrozen(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key := f.Key(state.Standard)
	queries := []string{
		"s=national.overall", "s=national.overall&view=4w&lang=fr", "s=national.overall&view=since&since=2026-09-06", "s=toronto.overall&s=national.overall&view=cost",
	}
	frozen := map[string][]byte{}
	x.Weekly(t, f, 4, func(id string) {
		for _, query := range queries {
			for _, path := range figurePaths {
				if path == "/embed/figure" && strings.Contains(query, "toronto") || path == "/figure.png" && query != queries[0] {
					continue // not public, or slow to draw
				}
				address := path + "?" + query + "&as_of=" + id
				frozen[address] = f.Get(address, key).Content
			}
			r2 := f.Get("/figure.json?"+query, key)
			apitest.WantStatus(t, r2, http.StatusOK)
			live := r2.JSON(t)
			if got := at(live, "release.id"); got != strconv.Quote(id) {
				t.Errorf("%s: release %s", query, got)
			}
		}
		servers := []*apitest.Server{f}
		if id == "r4" {
			servers = append(servers, x.Serve(t, f.Clock.Now(), apitest.Ample))
		}
		for _, g := range servers {
			for address, want := range frozen {
				if got := g.Get(address, g.Key(state.Standard)); !bytes.Equal(got.Content, want) || got.StatusCode != http.StatusOK {
					t.Fatalf("after %s: %s is another: %d\n%.900s\nwas\n%.900s", id, address, got.StatusCode, got.Content, want)
				}
			}
		}
	})
	f.Clock.Advance(7 * 24 * time.Hour)
	// An answer of the past week is not today's: the live figure moved.
	first, now := f.Get("/figure.csv?as_of=r1", "").Content, f.Get("/figure.csv", "").Content
	if bytes.HasPrefix(now, first[:len(first)-200]) {
		t.Error("the live figure begins as the frozen one")
	}
	// An index that has ended says so, though no release came, also to those who have the picture from before.
	before := f.Get("/figure.svg", "").Header.Get("ETag")
	f.Clock.Advance(5 * 7 * 24 * time.Hour)
	for _, path := range []string{"/", "/figure", "/embed/figure", "/figure.svg"} {
		r := f.Get(path, "", apitest.Header("If-None-Match", before))
		if title := titleOf(string(r.Content)); !strings.Contains(title, " between August and November 2026") {
			t.Errorf("%s: %d, %q", path, r.StatusCode, title)
		}
	}
	old := "/figure.svg?s=national.overall&as_of=r1"
	if got := f.Get(old, key); !bytes.Equal(got.Content, frozen[old]) {
		t.Errorf("%s is another: %s", old, titleOf(string(got.Content)))
	}
	apitest.WantError(t, "before the first", f.Get("/figure.csv?as_of=2026-01-01T00:00:00Z", ""), http.StatusBadRequest, "invalid_parameter")
}

// A picture marks the weeks whose values are not as they were first published, those that its release has seen.
func TestRevisedWeeks(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key, marked := f.Key(state.Standard), 0
	first := map[string]string{} // values by view, series and week
	x.Weekly(t, f, 4, func(id string) {
		for _, view := range []string{"index", "4w", "cost"} {
			for _, series := range []string{"national.overall", "toronto.meat", "halifax.overall", "calgary.dairy"} {
				query, differ := "?s="+series+"&view="+view+"&as_of="+id, 0
				for _, line := range strings.Split(string(f.Get("/figure.csv"+query, key).Content), "\n")[1:] {
					fields := strings.Split(line, ",")
					if len(fields) < 3 || fields[2] == "" {
						continue
					}
					at := view + series + fields[0]
					if first[at] == "" {
						first[at] = fields[2]
					}
					if first[at] != fields[2] {
						differ++
					}
				}
				picture := string(f.Get("/figure.svg"+query, key).Content)
				if rings := strings.Count(picture, `class="c-dot c-paper" cx=`); rings != differ || strings.Contains(picture, "○ revised since it was first published.") != (differ > 0) {
					t.Errorf("%s: %d marks, and %d values differ", query, rings, differ)
				}
				marked += differ
			}
		}
	})
	if marked < 20 {
		t.Errorf("%d marks", marked)
	}
}
