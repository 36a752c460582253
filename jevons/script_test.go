package jevons_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestScripts runs the cases in testdata: prices by week, and what the index makes of them.
// testdata/README.md says how to write one.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\ncase ")[1:] {
			name, lines, _ := strings.Cut(part, "\n")
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { runScript(t, lines) })
		}
	}
}

// script is a case: what it has collected, and the tables of it.
type script struct {
	*testing.T
	data     oracle.Data
	options  jevons.Options
	section  string
	columns  []string // of the eval at hand
	cell     jevons.Cell
	computed bool
	tables   map[string]*jevons.Table
	coverage map[string]jevons.CoverageCell // by week and cell
}

func runScript(t *testing.T, lines string) {
	s := &script{T: t, tables: map[string]*jevons.Table{}, coverage: map[string]jevons.CoverageCell{}}
	s.data.Excluded = map[int64]bool{}
	for lines := bufio.NewScanner(strings.NewReader(lines)); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case line[0] != ' ':
			s.begin(words)
		case s.section == "products":
			s.data.Products = append(s.data.Products, oracle.Product{ID: int64(s.int(words[0])), Category: words[1], Weight: s.float(words[2]), Active: true})
		case s.section == "stores":
			s.addStore(int64(s.int(words[0])), words[1], words[2])
		case s.section == "prices":
			s.addPrices(words[0], words[1:])
		case s.columns == nil:
			s.columns = words
		default:
			if got := s.row(s.int(words[0])); !slices.Equal(got, words) {
				t.Errorf("%s, %s\n got %s\nwant %s", s.section, strings.Join(s.columns, " "), strings.Join(got, " "), strings.Join(words, " "))
			}
		}
	}
}

func (s *script) int(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		s.Fatal(err)
	}
	return n
}

func (s *script) float(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		s.Fatal(err)
	}
	return v
}

// begin begins a section, or sets an option.
func (s *script) begin(words []string) {
	s.section = strings.Join(words, " ")
	switch words[0] {
	case "products", "stores", "prices":
	case "trim":
		s.options.Trim = jevons.Percent(s.int(words[1]))
	case "floor":
		s.options.Floor = jevons.Percent(s.int(words[1]))
	case "base":
		s.options.Base = panel.DefaultBaseWeek.Add(s.int(words[1]))
	case "eval":
		s.columns, s.cell = nil, s.cellOf(words[1:])
		s.compute()
	default:
		s.Fatalf("no such line: %s", s.section)
	}
}

// cellOf reads a cell, such as "dairy", "dairy Alma" or "regular dairy Alma tern".
func (s *script) cellOf(words []string) (c jevons.Cell) {
	if words[0] == jevons.RegularSeries {
		words = words[1:]
	}
	category, err := basket.Categories(nil).Parse(words[0])
	if err != nil {
		s.Fatal(err)
	}
	words = append(words, "", "")
	return jevons.Cell{Level: jevons.LevelOf(words[1], words[2]), City: words[1], Banner: words[2], Category: category}
}

func (s *script) addStore(id int64, banner, city string) {
	if !slices.ContainsFunc(s.data.Banners, func(b oracle.Banner) bool { return b.Key == banner }) {
		s.data.Banners = append(s.data.Banners, oracle.Banner{Key: banner, InIndex: true})
	}
	if !slices.ContainsFunc(s.data.Cities, func(c oracle.City) bool { return c.Name == city }) {
		s.data.Cities = append(s.data.Cities, oracle.City{Slug: strings.ToLower(city), Name: city})
	}
	s.data.Stores = append(s.data.Stores, oracle.Store{ID: id, Banner: banner, City: strings.ToLower(city), Active: true})
}

// addPrices adds those of PRODUCT@STORE, one for each week. Each product has one listing at
// each banner, and as many more as it is named with a prime.
func (s *script) addPrices(of string, prices []string) {
	if s.data.Stores == nil {
		s.addStore(1, "tern", "Alma")
	}
	product, store, found := strings.Cut(of, "@")
	if !found {
		store = "1"
	}
	at := s.data.Stores[slices.IndexFunc(s.data.Stores, func(x oracle.Store) bool { return x.ID == int64(s.int(store)) })]
	id := int64(s.int(strings.TrimRight(product, "'")))
	listing := 1000*id + 100*int64(strings.Count(product, "'")) + int64(slices.IndexFunc(s.data.Banners, func(b oracle.Banner) bool { return b.Key == at.Banner }))
	if !slices.ContainsFunc(s.data.Listings, func(l oracle.Listing) bool { return l.ID == listing }) {
		s.data.Listings = append(s.data.Listings, oracle.Listing{ID: listing, ProductID: id, Banner: at.Banner, Active: true})
	}
	week := 0
	for _, text := range prices {
		text, times, several := strings.Cut(text, "*")
		if !several {
			times = "1"
		}
		for range s.int(times) {
			o := oracle.Observation{
				ID: int64(1 + len(s.data.Observations)), ListingID: listing, StoreID: at.ID,
				ObservedAt: panel.DefaultBaseWeek.Add(week).String() + "T12:00:00Z",
			}
			week++
			if text == "_" {
				continue
			}
			price, regular, sale := strings.Cut(text, "s")
			if regular != "" {
				o.RegularPrice = s.float(regular)
			}
			o.OnSale, s.data.Excluded[o.ID] = sale, strings.HasPrefix(price, "x")
			o.EffectivePrice = s.float(strings.TrimPrefix(price, "x"))
			s.data.Observations = append(s.data.Observations, o)
		}
	}
}

// compute makes all tables of the case.
func (s *script) compute() {
	if s.computed {
		return
	}
	s.computed = true
	must := func(t *jevons.Table, err error) *jevons.Table {
		if err != nil {
			s.Fatal(err)
		}
		return t
	}
	p := buildPanel(s, &s.data)
	rows := buildRows(s, &s.data, p)
	s.tables[jevons.RegularSeries] = must(jevons.Regular(p, rows, s.options))
	s.options.Quality = true
	v2 := must(jevons.Compute(p, s.options))
	for c := range jevons.NewCoverage(rows, v2).Cells(jevons.Filter{}, v2.Options.Through) {
		s.coverage[fmt.Sprint(c.Week, *c.Cell)] = c
	}
	full, err := v2.WithContributions(v2.Rows)
	s.tables["v2"] = must(&jevons.Table{Rows: full}, err)
}

// row returns the figures of a week as a script has them.
func (s *script) row(week int) []string {
	date := panel.DefaultBaseWeek.Add(week)
	series := strings.Fields(s.section)[1]
	if s.tables[series] == nil {
		series = "v2"
	}
	r, c := s.tables[series].Find(date, s.cell), s.coverage[fmt.Sprint(date, s.cell)]
	got := []string{strconv.Itoa(week)}
	for _, name := range s.columns[1:] {
		text := "-"
		switch {
		case name == "reason" && c.Reason != "":
			text = c.Reason
		case name == "missing" && len(c.Unmatched) > 0:
			var list []string
			for _, u := range c.Unmatched {
				list = append(list, fmt.Sprint(u.Product, ":", u.Reason))
			}
			text = strings.Join(list, ",")
		case name == "reason" || name == "missing":
		case name == "matched":
			text = fmt.Sprintf("%d/%d", c.ItemCount, c.TotalItems)
		case r == nil:
		case name == "base":
			text = fmt.Sprint(int(r.Base-panel.DefaultBaseWeek) / 7)
		case name == "parts":
			var list []string
			for _, p := range r.Extra.Contributions {
				of := p.Category.String()
				if p.Product != 0 {
					of = fmt.Sprint(p.Product)
				}
				list = append(list, strings.TrimSuffix(fmt.Sprint(of, ":", p.Level, "/", p.WoW), "/"))
			}
			text = strings.Join(list, ",")
		default:
			columns := append(table.Columns(&panel.About{}), table.QualityColumns()...)
			i := slices.IndexFunc(columns, func(c table.Column) bool { return c.Name == name })
			if i < 0 {
				s.Fatalf("no such column: %s", name)
			}
			if value := columns[i].AppendText(nil, r); len(value) > 0 {
				text = string(value)
			}
		}
		got = append(got, text)
	}
	return got
}
