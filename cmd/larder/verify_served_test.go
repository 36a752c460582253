package main

import (
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// What is verified here was downloaded from a server that runs.
func TestVerifyServed(t *testing.T) {
	s := subscribe(t)
	t.Run("every cell", func(t *testing.T) { testEveryCell(t, s) })
	t.Run("fewest pages", func(t *testing.T) { testFewestPages(t, s) })
	t.Run("other arithmetic", func(t *testing.T) { testOtherArithmetic(t, s) })
	t.Run("docs", func(t *testing.T) { testVerifyDocs(t, s) })
}

// Every figure of every cell of several weeks is recomputed from downloads
// alone, to the last digit; and no cell is without a row that would have one.
// The server computes with the same package, but from the snapshot.
func testEveryCell(t *testing.T, s *subscriber) {
	products := s.download("products", "/api/v1/products?")
	prices := s.download("prices", "/api/v1/prices?from=2026-07-13&to=2026-11-15")
	index := s.download("index", "/api/v1/index?from=2026-07-19&to=2026-11-15")
	if len(prices) < 3 {
		t.Fatalf("%d pages are few", len(prices))
	}
	d, err := readDownloads(prices, products, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, cells, compared, absent, late := 0, 0, 0, 0, 0
	for _, date := range []string{"2026-07-19", "2026-07-26", "2026-09-13", "2026-11-15"} {
		week, err := panel.ParseWeek(date)
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.recompute(panel.DefaultBaseWeek, week)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.indexRows {
			if d.indexRows[i].week == week {
				rows++
			}
		}
		for _, cell := range cellsOf(r.panel) {
			published, err := d.claim(week, cell)
			if err != nil {
				t.Fatal(err)
			}
			v, err := r.check(cell, published)
			if err != nil {
				t.Fatal(err)
			}
			if !v.matches() {
				t.Errorf("%s, week %s: %s", cell, week, v.verdict())
			}
			if v.row == nil {
				absent++
				continue
			}
			cells++
			if v.since.From > r.base {
				late++
			}
			for f := range v.figures {
				if v.figures[f].compared() {
					compared++
				}
			}
		}
	}
	if cells != rows || compared != len(figures)*cells {
		t.Errorf("of %d published rows %d were recomputed, with %d figures", rows, cells, compared)
	}
	if absent == 0 || late == 0 {
		t.Errorf("%d cells without a row and %d with a later entry week: the demo is too plain", absent, late)
	}
}

// cellsOf returns all cells that a panel can have.
func cellsOf(p *panel.Panel) (cells []jevons.Cell) {
	places := map[jevons.Cell]bool{{Level: jevons.National}: true}
	for _, s := range p.Series() {
		city, banner := p.Cities()[s.City].Name, p.Banners()[s.Banner].Key
		places[jevons.Cell{Level: jevons.City, City: city}] = true
		places[jevons.Cell{Level: jevons.Banner, City: city, Banner: banner}] = true
	}
	for cell := range places {
		for _, cell.Category = range basket.Slices() {
			cells = append(cells, cell)
		}
	}
	return cells
}
