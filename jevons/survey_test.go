package jevons_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// surveyWeek is the week whose rows are compared: the second after the base week.
var surveyWeek = panel.DefaultBaseWeek.Add(2)

var surveyCells = map[string]jevons.Cell{
	"nation":       {Level: jevons.National},
	"nation dairy": {Level: jevons.National, Category: basket.Categories(nil).Of("dairy")},
	"nation meat":  {Level: jevons.National, Category: basket.Categories(nil).Of("meat")},
	"Alma":         {Level: jevons.City, City: "Alma"},
	"b0 in Alma":   {Level: jevons.Banner, City: "Alma", Banner: "b0"},
	"Zed":          {Level: jevons.City, City: "Zed"},
	"Zed bakery":   {Level: jevons.City, City: "Zed", Category: basket.Categories(nil).Of("bakery")},
	"b1 in Zed":    {Level: jevons.Banner, City: "Zed", Banner: "b1"},
}

// TestEqualsSurvey compares leave-one-outs, standard errors and intervals with
// those of R's survey package, to 1e-9. testdata/survey/jackknife.csv has its
// figures; "make survey" makes them anew. Prices rise a hundred thousandfold, so
// that four published decimals are enough for that.
func TestEqualsSurvey(t *testing.T) {
	d := surveyData()
	if path := os.Getenv("LARDER_SURVEY_INPUT"); path != "" {
		if err := os.WriteFile(path, surveyInput(t, d), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open("../testdata/survey/jackknife.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for name, row := range surveyRows(t, d) {
		q := row.Extra.Quality
		level := number(row.Index)
		if spread := math.Log(number(q.High) / level); q.High.Valid != (row.Cell.Category == basket.Overall) || math.Abs(math.Log(level/number(q.Low))-spread) > 1e-9 {
			t.Errorf("%s: the interval is %s to %s around %s", name, q.Low, q.High, row.Index)
		}
		got[name+",level,se"] = number(q.SE) / level
		got[name+",level,df"] = q.DF.Float64()
		got[name+",level,t"] = math.Log(number(q.High)/level) / (number(q.SE) / level)
		if q.SEWoW.Valid {
			got[name+",wow,se"] = number(q.SEWoW) / (100 + number(row.WoW))
		}
	}
	for _, maker := range surveyMakers(d) {
		without := *d
		without.Observations = slices.DeleteFunc(slices.Clone(d.Observations), func(o oracle.Observation) bool {
			return surveyMaker(o.ListingID/10) == maker
		})
		for name, row := range surveyRows(t, &without) {
			got[fmt.Sprintf("%s,level,without %d", name, maker)] = math.Log(number(row.Index) / 100)
			if row.Extra.Quality.SEWoW.Valid {
				got[fmt.Sprintf("%s,wow,without %d", name, maker)] = math.Log1p(number(row.WoW) / 100)
			}
		}
	}
	if len(want) < 150 {
		t.Errorf("%d figures only", len(want))
	}
	for _, w := range want[1:] {
		key := strings.Join(w[:3], ",")
		value, err := strconv.ParseFloat(w[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if have, ok := got[key]; !ok || math.Abs(have-value) > 1e-9 {
			t.Errorf("%s: %.12f, survey has %s", key, have, w[3])
		}
	}
}

func number(v panel.Fixed) float64 {
	f, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// surveyMaker is the first product of the maker of a product: 2 and 3 have one, and 8, 10 and 12.
func surveyMaker(id int64) int64 {
	switch id {
	case 3:
		return 2
	case 10, 12:
		return 8
	}
	return id
}

func surveyMakers(d *oracle.Data) (makers []int64) {
	for _, p := range d.Products {
		if surveyMaker(p.ID) == p.ID {
			makers = append(makers, p.ID)
		}
	}
	return makers
}

// surveyData has three categories of 7, 6 and 5 products at 17 stores, so that
// the trim drops relatives in Zed and in the nation. One product is not priced
// in the last week, and one only in Zed. The digits of listing ids before the
// last name the product.
func surveyData() *oracle.Data {
	r := rand.New(rand.NewPCG(16, 12))
	d := &oracle.Data{
		Cities:  []oracle.City{{Slug: "a", Name: "Alma"}, {Slug: "z", Name: "Zed"}},
		Banners: []oracle.Banner{{Key: "b0", InIndex: true}, {Key: "b1", InIndex: true}},
	}
	for s := range int64(17) {
		city := "z"
		if s%4 == 0 {
			city = "a"
		}
		d.Stores = append(d.Stores, oracle.Store{ID: 1 + s, Banner: d.Banners[s%3%2].Key, City: city, Active: true})
	}
	for id := int64(1); id <= 18; id++ {
		category := basket.Categories(nil).Slugs()[0]
		switch {
		case id > 13:
			category = basket.Categories(nil).Slugs()[2]
		case id > 7:
			category = basket.Categories(nil).Slugs()[1]
		}
		d.Products = append(d.Products, oracle.Product{ID: id, Category: category, Weight: float64(10+r.IntN(90)) / 1000, Active: true})
		shift := 0.4 * r.NormFloat64()
		for b, n := range d.Banners {
			d.Listings = append(d.Listings, oracle.Listing{
				ID: 10*id + int64(b), ProductID: id, Banner: n.Key, Brand: fmt.Sprint("maker ", surveyMaker(id)), Active: true,
			})
		}
		for _, s := range d.Stores {
			for week, usual := range []float64{0.02, 0.03, 4000} {
				if id == 5 && week == 2 || id == 9 && s.City == "a" {
					continue
				}
				price := usual * math.Exp(float64(week)*shift/2+0.1*r.NormFloat64())
				d.Observations = append(d.Observations, oracle.Observation{
					ID: int64(1 + len(d.Observations)), ListingID: 10*id + (s.ID-1)%3%2, StoreID: s.ID, EffectivePrice: float64(units(price)) / 10_000,
					ObservedAt: panel.DefaultBaseWeek.Add(week).String() + "T12:00:00Z",
				})
			}
		}
	}
	return d
}

// surveyRows is the rows of the cells in the last week.
func surveyRows(t *testing.T, d *oracle.Data) map[string]*jevons.Row {
	t.Helper()
	table, err := jevons.Compute(buildPanel(t, d), jevons.Options{Quality: true, Floor: jevons.Percent(50)})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*jevons.Row{}
	for name, cell := range surveyCells {
		if rows[name] = table.Find(surveyWeek, cell); rows[name] == nil {
			t.Fatalf("%s is not published", name)
		}
	}
	return rows
}

// surveyInput is the products behind the rows, as the script reads them.
func surveyInput(t *testing.T, d *oracle.Data) []byte {
	t.Helper()
	p := buildPanel(t, d)
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	weights := map[string]float64{}
	for _, product := range p.Products() {
		weights[product.Category] += product.Weight
	}
	out := []byte("cell,measure,product,maker,category,category_weight,weight,rho\n")
	add := func(cell, measure string, x basket.Product, relative float64) {
		out = fmt.Appendf(out, "%s,%s,%d,%d,%s,%.17g,%.17g,%.17g\n", cell, measure, x.ID, surveyMaker(int64(x.ID)), x.Category, weights[x.Category], x.Weight, math.Log(relative))
	}
	for _, name := range slices.Sorted(maps.Keys(surveyCells)) {
		cell := surveyCells[name]
		e, err := table.Explain(surveyWeek, cell)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Since.Products {
			if c.Relative > 0 {
				add(name, "level", c.Product, c.Relative)
			}
		}
		if cell.Category != basket.Overall {
			continue
		}
		for _, c := range e.WoW.Products {
			if c.Relative > 0 && c.Before > 0 {
				add(name, "wow", c.Product, c.Relative/c.Before)
			}
		}
	}
	return out
}
