package httpapi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// indexRow is a row as a client reads it.
type indexRow struct {
	Date     string
	City     *string
	Retailer *string
	Category *string
	Index    json.RawMessage `json:"index_value"`
	Cost     json.RawMessage `json:"basket_cost_cad"`
	WoW      json.RawMessage `json:"pct_change_wow"`
	MoM      json.RawMessage `json:"pct_change_mom"`
	YoY      json.RawMessage `json:"pct_change_yoy"`
	Items    json.RawMessage `json:"item_count"`
	Total    json.RawMessage `json:"total_items"`
}

// text is the row in one line, its numbers by value.
func (r *indexRow) text(t *testing.T) string {
	number := func(m json.RawMessage) string {
		switch string(m) {
		case "":
			return absent
		case "null":
			return "null"
		}
		f, err := panel.ParseFixed(string(m))
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		return f.String()
	}
	text := func(s *string) string {
		if s == nil {
			return "null"
		}
		return strconv.Quote(*s)
	}
	return fmt.Sprint(r.Date, text(r.City), text(r.Retailer), text(r.Category), number(r.Index), number(r.Cost),
		number(r.WoW), number(r.MoM), number(r.YoY), string(r.Items), string(r.Total))
}

// wantText is what text should say of a row of the table.
func wantText(r *jevons.Row, yoy bool) string {
	number := func(f panel.Fixed) string {
		if !f.Valid {
			return "null"
		}
		return f.String()
	}
	text := func(s string) string {
		if s == "" {
			return "null"
		}
		return strconv.Quote(s)
	}
	category := "null"
	if r.Cell.Category != basket.Overall {
		category = strconv.Quote(r.Cell.Category.String())
	}
	change := absent
	if yoy {
		change = number(r.YoY)
	}
	return fmt.Sprint(r.Week.String(), text(r.Cell.City), text(r.Cell.Banner), category, number(r.Index), number(r.BasketCost),
		number(r.WoW), number(r.MoM), change, strconv.Itoa(int(r.ItemCount)), strconv.Itoa(int(r.TotalItems)))
}

// TestIndexIsComputed compares all rows with the ones computed from the data
// itself, with the verdicts that were planted and without any snapshot.
func TestIndexIsComputed(t *testing.T) {
	f := serveDemo(t, ample)
	d, _ := demo()
	p, err := d.Panel()
	if err != nil {
		t.Fatal(err)
	}
	table, err := jevons.Compute(p, jevons.Options{Through: panel.LastClosed(testNow)})
	if err != nil {
		t.Fatal(err)
	}
	key := f.key(state.Standard)
	for _, x := range []resource{publicIndexResource, indexResource} {
		for _, c := range []struct {
			series string
			want   []jevons.Row
		}{{"v2", table.Rows}, {"v1", jevons.Pilot(p).Rows}} {
			got := x.walk(f, key, "from=2020-01-01&series="+c.series, func() int { return 5000 }, nil)
			if len(got.rows) != len(c.want) || len(got.rows) < 1000 {
				t.Fatalf("%s %s: %d rows, want %d", x.path, c.series, len(got.rows), len(c.want))
			}
			for i, m := range got.rows {
				var row indexRow
				if err := json.Unmarshal(m, &row); err != nil {
					t.Fatal(err)
				}
				if got, want := row.text(t), wantText(&c.want[i], x == indexResource); got != want {
					t.Fatalf("%s %s, row %d: %s, want %s", x.path, c.series, i, got, want)
				}
			}
		}
	}
}

func TestIndexFiltersAreThoseOfTheTable(t *testing.T) {
	f := serveDemo(t, ample)
	table, err := jevons.Compute(f.snapshots.Current().Panel, jevons.Options{Through: panel.LastClosed(testNow)})
	if err != nil {
		t.Fatal(err)
	}
	key := f.key(state.Standard)
	r := rand.New(rand.NewPCG(3, 5))
	levels, cities, banners := []string{"", "national", "city", "banner"}, f.snapshots.Current().cityNames, f.snapshots.Current().indexBanners
	seen := 0
	for range 150 {
		level, from := r.IntN(4), panel.DateOf(2026, 7, 1)+panel.Date(r.IntN(150))
		to := from + panel.Date(r.IntN(60))
		filter := jevons.Filter{Level: jevons.Level(level), From: max(from, panel.DateOf(2026, 7, 19)), To: to}
		query := fmt.Sprintf("level=%s&from=%s&to=%s", levels[level], from, to)
		if c := r.IntN(11); c < 10 {
			filter.Categories = basket.Slices()[c : c+1]
			query += "&category=" + basket.Slices()[c].String()
		}
		if c := r.IntN(3 * len(cities)); c < len(cities) {
			filter.City = cities[c]
			query += "&city=" + cities[c]
		}
		if n := r.IntN(3 * len(banners)); n < len(banners) {
			filter.Banner = banners[n]
			query += "&banner=" + banners[n]
		}
		want := table.Select(filter)
		got := indexResource.walk(f, key, escape(query), func() int { return 1 + r.IntN(2000) }, nil)
		if len(got.rows) != len(want) {
			t.Fatalf("%s: %d rows, want %d", query, len(got.rows), len(want))
		}
		for i := range want {
			if text := string(jevons.AppendJSON(nil, &want[i], jevons.Columns())); string(got.rows[i]) != text {
				t.Fatalf("%s, row %d: %s, want %s", query, i, got.rows[i], text)
			}
		}
		seen += len(want)
	}
	if seen < 5000 {
		t.Errorf("only %d rows were compared", seen)
	}
}

func TestIndexPages(t *testing.T) {
	f := serveDemo(t, ample)
	key := f.key(state.Standard)
	for name, limit := range pageLengths(rand.New(rand.NewPCG(1, 2))) {
		t.Run(name, func(t *testing.T) {
			f := *f
			f.t = t
			query := "from=2026-07-19"
			switch name {
			case "1":
				query += "&level=city&city=Halifax&to=2026-08-20"
			case "7":
				query += "&level=city&category=overall"
			}
			whole := indexResource.walk(&f, key, query, func() int { return 10_000 }, nil)
			sameRows(t, indexResource.walk(&f, key, query, limit, nil).rows, whole.rows)
			cells := map[string]bool{}
			for _, m := range whole.rows {
				var row indexRow
				if err := json.Unmarshal(m, &row); err != nil {
					t.Fatal(err)
				}
				row.Index, row.Cost, row.WoW, row.MoM, row.YoY, row.Items, row.Total = nil, nil, nil, nil, nil, nil, nil
				if cell := row.text(t); cells[cell] {
					t.Fatalf("twice: %s", cell)
				} else {
					cells[cell] = true
				}
			}
		})
	}
}
