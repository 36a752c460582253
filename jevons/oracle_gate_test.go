package jevons_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestGateEqualsOracle compares verdicts and derived entries on random panels
// that are mostly wrong: titles and sizes that fail, prices on either side of
// every bound, entries of all kinds, released, withdrawn, confirmed or none of these.
func TestGateEqualsOracle(t *testing.T) {
	derived, dated := map[string]int{}, map[time.Time]int{}
	for seed := range uint64(400) {
		d := randomGated(seed)
		want := oracle.Gate(d)
		g, entries := fastGate(t, d)
		var got, wanted []string
		for _, e := range entries {
			got = append(got, fmt.Sprintf("%s %d/%d/%d %s", e.Rule, e.Listing, e.Store, e.Observation, e.FoundAt.UTC()))
			derived[e.Rule.String()]++
			dated[e.FoundAt]++
		}
		for _, e := range want.Derived {
			wanted = append(wanted, fmt.Sprintf("%s %d/%d/%d %s", e.Rule, e.Listing, e.Store, e.Observation, e.FoundAt.UTC()))
		}
		slices.Sort(got)
		slices.Sort(wanted)
		if diff := gocmp.Diff(wanted, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for _, o := range d.Data.Observations {
			seen := d.Seen[o.ID]
			label := panel.Label{Listing: o.ListingID, ScrapedName: seen.Title, PackageSize: seen.Size}
			j := g.ForLabel(label).Judge(o.StoreID, o.ID, seenAt(o))
			if want := want.Verdicts[o.ID]; j.Verdict.String() != want.Verdict || (j.Misfit != "") != (want.Failure != "") {
				t.Fatalf("seed %d, observation %d (%q, %q): %s (%s), want %+v", seed, o.ID, seen.Title, seen.Size, j.Verdict, j, want)
			}
		}
	}
	for _, rule := range panel.QuarantineRules[panel.WrongProduct:panel.Corrected] {
		if derived[rule] < 50 {
			t.Errorf("%s was derived %d times only", rule, derived[rule])
		}
	}
	if len(dated) < 4 {
		t.Errorf("entries were found at %d times only", len(dated))
	}
}

// fastGate returns the gate with the entries of the data and those derived.
func fastGate(t *testing.T, d *oracle.GateData) (*panel.Gate, []panel.Quarantine) {
	t.Helper()
	p := buildPanel(t, d.Data)
	products, banners, stores, listings := slices.Clone(p.Products()), p.Banners(), p.Stores(), p.Listings()
	for i := range products {
		x := &products[i]
		if x.Unit = d.Unit[x.ID]; d.PerKg[x.ID] {
			x.SoldBy = basket.ByKilogram
		}
	}
	var specs []basket.Spec
	for id, s := range d.Specs {
		x := basket.Spec{ProductID: id, Require: s.Require, Forbid: s.Forbid}
		if s.Min != nil {
			x.MinSize, _ = s.Min.Float64()
		}
		if s.Max != nil {
			x.MaxSize, _ = s.Max.Float64()
		}
		specs = append(specs, x)
	}
	var entries []panel.Quarantine
	for _, e := range d.Entries {
		x := panel.Quarantine{
			Listing: e.Listing, Store: e.Store, Observation: e.Observation, Released: e.Released,
			City: e.City, Banner: e.Banner, Product: e.Product, From: dateOf(e.From), To: dateOf(e.To),
			Rule: panel.QuarantineRule(slices.Index(panel.QuarantineRules[:], e.Rule)),
		}
		if e.Withdrawn {
			x.WithdrawnAt = time.Unix(1, 0)
		}
		if e.Confirmed {
			x.ConfirmedAt = time.Unix(1, 0)
		}
		entries = append(entries, x)
	}
	g := panel.NewGate(panel.Calendar{}, products, stores, listings, specs, entries)
	run := panel.NewDerivation(panel.Calendar{}, banners, stores)
	for _, o := range d.Data.Observations {
		seen := d.Seen[o.ID]
		row := panel.Observation{Listing: o.ListingID, ScrapedName: seen.Title, PackageSize: seen.Size}
		units := new(big.Rat).Mul(seen.Price, big.NewRat(10_000, 1))
		run.Add(g.ForLabel(row.Label()), o.StoreID, o.ID, panel.Price(units.Num().Int64()), seenAt(o))
	}
	found := run.Entries()
	entries = slices.DeleteFunc(entries, func(e panel.Quarantine) bool { return e.Derived() })
	return panel.NewGate(panel.Calendar{}, products, stores, listings, specs, append(entries, found...)), found
}

// seenAt returns the time of an observation.
func seenAt(o oracle.Observation) time.Time {
	at, err := time.Parse(time.RFC3339, o.ObservedAt)
	if err != nil {
		panic(err)
	}
	return at
}

// dateOf reads a date; "" is none.
func dateOf(text string) panel.Date {
	if text == "" {
		return 0
	}
	d, err := panel.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// randomGated makes a small panel to be judged.
func randomGated(seed uint64) *oracle.GateData {
	r := rand.New(rand.NewPCG(seed, 8))
	chance := func(percent int) bool { return r.IntN(100) < percent }
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	titles := []string{
		"", "Lait 2 %", "MILK", "Milkshake", "milk chocolate", "Chocolat au lait", "LaÃ®t frais", "lait; d'avoine",
		"Ice milk", "ice cold milk", "cream ice", "Crème glacée au lait",
	}
	sizes := []string{
		"", "2 L", "2000 mL", "4 x 500 mL", "1 L", "1.5L", "1499 mL", "1500 mL", "4 L", "4001 mL", "2 kg", "per kg", "/lb",
		"error", "500 g", "12 un", "approx. 1.2kg", "0.5 - 1.5 kg", "1200 g",
	}
	terms := []string{"milk", "lait", "Crème", "ice milk", "chocolate", "avoine", "d avoine", "ice cream"}
	d := &oracle.GateData{
		Data: &oracle.Data{
			Cities:  []oracle.City{{Slug: "c", Name: "C"}, {Slug: "d", Name: "D"}},
			Banners: []oracle.Banner{{Key: "in", InIndex: true}, {Key: "on", InIndex: true}, {Key: "out"}},
		},
		Unit: map[int64]basket.Unit{}, PerKg: map[int64]bool{}, Specs: map[int64]oracle.Spec{}, Seen: map[int64]oracle.Seen{},
	}
	for id := int64(1); id <= 3; id++ {
		d.Data.Products = append(d.Data.Products, oracle.Product{ID: id, Category: "dairy", Weight: 1, Active: !chance(5)})
		d.Unit[id] = []basket.Unit{basket.Gram, basket.Millilitre, basket.Count}[r.IntN(3)]
		d.PerKg[id] = chance(50)
		if chance(70) {
			var s oracle.Spec
			for range r.IntN(3) {
				s.Require = append(s.Require, []string{pick(terms), pick(terms)})
			}
			for range r.IntN(3) {
				s.Forbid = append(s.Forbid, pick(terms))
			}
			if chance(40) {
				s.Min = big.NewRat(1500, 1)
			}
			if chance(40) {
				s.Max = big.NewRat(4000, 1)
			}
			d.Specs[id] = s
		}
	}
	for id := int64(1); id <= 6; id++ {
		d.Data.Stores = append(d.Data.Stores, oracle.Store{ID: id, Banner: d.Data.Banners[r.IntN(3)].Key, City: pick([]string{"c", "d"}), Active: !chance(8)})
	}
	for id := int64(1); id <= 9; id++ {
		d.Data.Listings = append(d.Data.Listings, oracle.Listing{ID: id, ProductID: 1 + id%3, Banner: d.Data.Banners[id/3%3].Key, Active: !chance(8)})
	}
	for _, m := range d.Data.Listings {
		usual := pick(titles)
		for _, s := range d.Data.Stores {
			if s.Banner == m.Banner {
				seeSeries(d, r, m.ID, s.ID, usual, titles, sizes)
			}
		}
	}
	rules := []string{oracle.Listed, oracle.WrongProduct, oracle.WrongBasis, oracle.WrongBasisRow, oracle.WrongScaleRow, oracle.Corrected}
	known := map[oracle.Entry]bool{}
	for range r.IntN(8) {
		o := d.Data.Observations[r.IntN(len(d.Data.Observations))]
		e := oracle.Entry{Listing: o.ListingID, Rule: pick(rules)}
		switch kind := r.IntN(4); {
		case kind == 0 || e.Rule == oracle.Corrected:
			e.Store, e.Observation = o.StoreID, o.ID
		case kind == 1:
			e.Store = o.StoreID
		case kind == 2:
			e = randomSelection(r, o.StoreID)
		}
		if !known[e] {
			known[e] = true
			switch derived := e.Rule != oracle.Listed && e.Rule != oracle.Corrected; {
			case chance(40):
				e.Released = true
				e.Withdrawn = derived && chance(30)
			case derived && chance(40):
				e.Confirmed = true
			}
			d.Entries = append(d.Entries, e)
		}
	}
	return d
}

// randomSelection makes an operator's entry for rows of many listings.
func randomSelection(r *rand.Rand, store int64) oracle.Entry {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	days := []string{"", "2026-07-14", "2026-07-15", "2026-07-16"}
	e := oracle.Entry{
		Rule: oracle.Listed, City: pick("", "", "c", "d"), Banner: pick("", "", "in", "out"), Product: int64(r.IntN(4)),
		From: pick(days...), To: pick(days...),
	}
	if r.IntN(3) == 0 {
		e.Store = store
	}
	return e
}

// seeSeries adds the rows of a series: mostly one price, whole multiples and
// bounds of it among them.
func seeSeries(d *oracle.GateData, r *rand.Rand, listing, store int64, usual string, titles, sizes []string) {
	level := []int64{20_000, 22_046, 44_092, 60_000, 59_999, 20_001, 7_349}[r.IntN(7)]
	ratios := [][2]int64{{1, 1}, {1, 1}, {1, 1}, {3, 1}, {1, 3}, {10_000, 22_046}, {22_046, 10_000}, {9_800, 22_046}, {10_200, 22_046}, {22_046 * 98, 1_000_000}, {22_046 * 102, 1_000_000}, {20, 1}, {1, 20}, {100, 1}}
	for range r.IntN(12) {
		ratio := ratios[cmp.Or(r.IntN(len(ratios)), 1)]
		price := level*ratio[0]/ratio[1] + int64(r.IntN(3)) - 1
		title, size := usual, sizes[r.IntN(len(sizes))]
		if r.IntN(4) == 0 {
			title = titles[r.IntN(len(titles))]
		}
		id := int64(len(d.Data.Observations) + 1)
		d.Data.Observations = append(d.Data.Observations, oracle.Observation{
			ID: id, ListingID: listing, StoreID: store, EffectivePrice: float64(price) / 10_000,
			ObservedAt: []string{"2026-07-15T12:00:00Z", "2026-07-15T03:59:59Z", "2026-07-15T04:00:00Z", "2026-07-16T03:59:59Z", "2026-07-16T04:00:00Z",
				"2026-07-20T03:59:59Z", "2026-07-20T04:00:00Z", "2026-08-05T12:00:00Z", "2026-08-19T12:00:00Z"}[r.IntN(9)],
		})
		d.Seen[id] = oracle.Seen{Title: strings.TrimSpace(title), Size: size, Price: big.NewRat(price, 10_000)}
	}
}
