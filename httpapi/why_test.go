package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

var (
	whyTable    = regexp.MustCompile(`(?s)<tbody>.*?</table>`)
	whyLine     = regexp.MustCompile(`(?s)<th scope="row">(?:<a [^>]*>)?([^<]*)</.*?<data value="([^"]*)" title="([^"]*)">([^<]*)<`)
	whySentence = regexp.MustCompile(`<h1 id="finding"[^>]*>([^<]*)`)
)

// fixed reads a number of the interface or of a page.
func fixed(t *testing.T, text string) panel.Fixed {
	t.Helper()
	v, err := panel.ParseFixed(strings.NewReplacer("−", "-", "+", "").Replace(html.UnescapeString(text)))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// TestWhyAddsUp holds the numbers of the page against the interface's contributions, changes and levels.
func TestWhyAddsUp(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	key, p := f.Key(state.Standard), f.Snapshots.Current().Panel
	name := map[string]string{}
	for _, c := range p.Categories().List() {
		name[fmt.Sprintf("%q", c.Slug)] = c.Name
	}
	for _, x := range p.Products() {
		name[fmt.Sprint(x.ID)] = x.Name
	}
	for series, query := range map[string]string{"national.overall": "level=national&category=overall", "national.meat": "level=national&category=meat",
		"toronto.overall": "level=city&city=Toronto&category=overall", "toronto.dairy": "level=city&city=Toronto&category=dairy"} {
		all := indexResource.walk(f, key, query+"&include=contributions,quality&from=2020-01-01", func() int { return 5000 }).rows
		rows := make([]struct {
			Date    string
			Index   json.Number `json:"index_value"`
			WoW     json.Number `json:"pct_change_wow"`
			Quality struct {
				Low  json.Number `json:"ci95_low"`
				High json.Number `json:"ci95_high"`
			}
			Contributions []struct {
				ID         json.RawMessage
				Level, WoW json.Number
			}
		}, len(all))
		for i, raw := range all {
			check(json.Unmarshal(raw, &rows[i]))
		}
		for _, i := range []int{1, 2, len(rows) / 2, len(rows) - 1} {
			for _, from := range []int{i - 1, 0, i / 2} {
				address := fmt.Sprintf("/why?s=%s&week=%s", series, rows[i].Date)
				change, want := fixed(t, rows[i].WoW.String()), map[string]panel.Fixed{}
				if from != i-1 {
					address += "&from=" + rows[from].Date
					change = jevons.PercentChange(fixed(t, rows[i].Index.String()).Units, fixed(t, rows[from].Index.String()).Units)
				}
				for _, c := range rows[i].Contributions {
					if from == 0 {
						want[name[string(c.ID)]] = fixed(t, c.Level.String())
					} else if from == i-1 {
						want[name[string(c.ID)]] = fixed(t, c.WoW.String())
					}
				}
				r := f.Get(address, key)
				apitest.WantStatus(t, r, http.StatusOK)
				tables := whyTable.FindAllString(string(r.Content), -1)
				if len(tables) != 1+strings.Count(series, "overall") {
					t.Fatalf("%s: %d tables", address, len(tables))
				}
				first, last, up, down := "", "", int64(0), int64(0)
				for n, table := range tables {
					lines, exact, shown := whyLine.FindAllStringSubmatch(table, -1), int64(0), int64(0)
					for k, line := range lines {
						v, text, what := fixed(t, line[2]), fixed(t, line[4]), html.UnescapeString(line[1])
						if d := text.Units - v.Units; d <= -1000 || d >= 1000 || text.Units%1000 != 0 || fixed(t, line[3]) != v {
							t.Errorf("%s: %q", address, line)
						}
						if k == len(lines)-1 {
							if v != change || v.Units != exact || text.Units != shown || chart.OneDecimal(v) != chart.OneDecimal(text) {
								t.Errorf("%s: %q; the change is %s, the lines add up to %d and %d", address, line, change, exact, shown)
							}
							break
						}
						if part, there := want[what]; there && part != v {
							t.Errorf("%s: %q, want %s", address, line, part)
						}
						if n == 0 && text.Units != 0 && v.Units >= 500 && first == "" {
							first, up = strings.ToLower(what)+" added "+chart.OneDecimal(text), v.Units
						} else if n == 0 && text.Units != 0 && v.Units <= -500 {
							last, down = strings.ToLower(what)+" took "+chart.OneDecimal(text)[1:], -v.Units
						}
						exact, shown = exact+v.Units, shown+text.Units
					}
				}
				var body struct {
					Series, From, To string
					Change           json.Number `json:"pct_change"`
					Low              json.Number `json:"ci95_low"`
					High             json.Number `json:"ci95_high"`
					Contributions    []struct {
						ID     json.RawMessage
						Name   string
						Points json.Number
					}
				}
				if err := json.Unmarshal(f.Get(strings.Replace(address, "/why?", "/why.json?", 1), key).Content, &body); err != nil {
					t.Fatal(err)
				}
				if body.Series != series || body.From != rows[from].Date || body.To != rows[i].Date || fixed(t, body.Change.String()) != change {
					t.Errorf("%s as JSON: %+v", address, body)
				}
				if q := rows[i].Quality; from == 0 && (body.Low.String() != jevons.AboveBase(fixed(t, q.Low.String())).String() || body.High.String() != jevons.AboveBase(fixed(t, q.High.String())).String()) {
					t.Errorf("%s as JSON: %s to %s; the level has %+v", address, body.Low, body.High, q)
				}
				sum := int64(0)
				lines, err := csv.NewReader(bytes.NewReader(f.Get(strings.Replace(address, "/why?", "/why.csv?", 1), key).Content)).ReadAll()
				for k, line := range lines[1:] {
					v := fixed(t, line[5])
					if part, there := want[line[4]]; there && part != v || line[0] != rows[from].Date || line[1] != rows[i].Date {
						t.Errorf("%s as CSV: %q, want %s", address, line, part)
					}
					if c := body.Contributions[k]; strings.Trim(string(c.ID), `"`) != line[3] || c.Name != line[4] || c.Points.String() != line[5] {
						t.Errorf("%s: %+v in JSON, %q in CSV", address, c, line)
					}
					sum += v.Units
				}
				if err != nil || sum != change.Units || len(lines) <= len(want) || len(lines) != 1+len(body.Contributions) {
					t.Errorf("%s as CSV: %v; %d lines add up to %d, want %s", address, err, len(lines), sum, change)
				}
				sentence := strings.ToLower(html.UnescapeString(whySentence.FindStringSubmatch(string(r.Content))[1]))
				if len("no clear change: "+first+"; "+last) >= 70 { // then it says the larger part alone
					if up >= down {
						last = ""
					} else {
						first = ""
					}
				}
				if !strings.Contains(sentence, first) || !strings.Contains(sentence, last) || !chart.IsTitle(sentence) ||
					first+last == "" && !strings.Contains(sentence, "moved it by a tenth") {
					t.Errorf("%s: %q; want %q and %q", address, sentence, first, last)
				}
			}
		}
	}
}
