package shrink_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

const listing = 7

var yogurt = basket.Product{
	ID: 1, Name: "Yogurt", Category: "dairy", StandardSize: 750, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true,
}

var start = time.Date(2026, 7, 13, 12, 0, 0, 0, time.UTC)

// row is one row of a hand-made panel, day days after the start.
func row(id, store int64, day int, size, price string) panel.Observation {
	p, err := panel.ParsePrice(price)
	if err != nil {
		panic(err)
	}
	return panel.Observation{
		ID: id, Listing: listing, Store: store, PackageSize: size, Effective: p, ObservedAt: start.AddDate(0, 0, day),
	}
}

// shuffled returns the rows in another order.
func shuffled(seed uint64, rows []panel.Observation) []panel.Observation {
	rows = slices.Clone(rows)
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// randomRows is a small panel in which packs change all the time. It has sizes
// in several notations, texts without a size, ties in time, and regular prices of
// every source.
func randomRows(seed uint64) (basket.Product, []panel.Observation) {
	r := rand.New(rand.NewPCG(seed, 5))
	texts := []string{
		"500 g", "0.5 kg", "500g (17.6 oz)", "450 g", "450g", "5 x 90 g", "400 g", "333.3 g", "~400 g", "350 - 450 g", "1 lb",
		"", "Fresh", "10 Pack 76 g", "per kg", "400 g by weight", "500 mL", "12 ct", "6 bagels, 450 g", "0,499999 kg",
	}
	texts = texts[:3+r.IntN(len(texts)-2)]
	p := yogurt
	p.StandardSize = []float64{750, 0.1, 333.3, 3}[r.IntN(4)]
	p.Unit = []basket.Unit{basket.Gram, basket.Gram, basket.Gram, basket.Count}[r.IntN(4)]
	n, stores := 3+r.IntN(40), 1+r.IntN(4)
	ids := r.Perm(n)
	rows := make([]panel.Observation, n)
	text := ""
	for i := range rows {
		if i == 0 || r.IntN(3) == 0 {
			text = texts[r.IntN(len(texts))]
		}
		rows[i] = panel.Observation{
			ID: int64(1 + ids[i]), Listing: int64(1 + seed), Store: int64(1 + r.IntN(stores)), PackageSize: text,
			Effective: panel.Price(1 + r.IntN(90_000)), Verdict: panel.Verdict(r.IntN(3)),
			ObservedAt: start.Add(time.Duration(r.IntN(n)) * time.Hour),
		}
		if r.IntN(2) == 0 {
			rows[i].Regular = rows[i].Effective + panel.Price(r.IntN(9000))
			rows[i].RegularSource = panel.RegularSource(r.IntN(4))
		}
	}
	return p, rows
}

// TestWhatChangesNoEvent shows that the order of the rows, their verdicts and
// later rows change no event.
func TestWhatChangesNoEvent(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		p, rows := randomRows(seed)
		whole := shrink.Detect(p, listing, rows)
		same := func(change string, rows []panel.Observation, want []panel.ShrinkEvent) {
			t.Helper()
			kept := slices.Clone(rows)
			if d := gocmp.Diff(want, shrink.Detect(p, listing, rows)); d != "" {
				t.Fatalf("seed %d, %s (-want +got):\n%s", seed, change, d)
			}
			if !slices.Equal(kept, rows) {
				t.Fatalf("seed %d: the rows were changed", seed)
			}
		}
		judged, nameless := slices.Clone(rows), slices.Clone(rows)
		for i := range rows {
			judged[i].Verdict = panel.Quarantined
			nameless[i].ID = 0 // callers need no ids
		}
		same("another order", shuffled(seed, rows), whole)
		same("all quarantined", judged, whole)
		same("another order, no ids", shuffled(seed, nameless), shrink.Detect(p, listing, nameless))
		for hour := range 40 {
			until := start.Add(time.Duration(hour) * time.Hour)
			early := slices.DeleteFunc(slices.Clone(rows), func(o panel.Observation) bool { return o.ObservedAt.After(until) })
			var want []panel.ShrinkEvent
			for _, e := range whole {
				if !e.DetectedAt.After(until) {
					want = append(want, e)
				}
			}
			same("the first hours", early, want)
		}
	}
}

// rollOut is a simulated listing with one row for each store and week.
type rollOut struct {
	seed          uint64
	stores, weeks int
	old, new      int // grams
	from, span    int // the weeks in which stores switch
	misread       float64
	misreads      []float64 // factors of the size, drawn at random
}

// rows returns the rows in the order of time and how many sizes were misread.
// The shelf price moves by a cent or two only, so the price on the basis of the
// standard size rises as the pack shrinks.
func (c rollOut) rows() (rows []panel.Observation, misread int) {
	r := rand.New(rand.NewPCG(c.seed, 11))
	text := map[int]string{c.old: strconv.Itoa(c.old) + " g", c.new: strconv.Itoa(c.new) + " g"}
	for s := range c.stores {
		at := c.from + r.IntN(max(1, c.span))
		shelf := 500 + r.IntN(60) // cents
		for week := range c.weeks {
			size := c.old
			if week >= at {
				size = c.new
			}
			shelf += r.IntN(3) - 1
			o := panel.Observation{
				Listing: listing, Store: int64(s + 1), PackageSize: text[size],
				Effective:  panel.Price(shelf * 100 * int(yogurt.StandardSize) / size),
				ObservedAt: start.Add(time.Duration(7*24*3600*week+r.IntN(5*24*3600)) * time.Second),
			}
			if r.Float64() < c.misread {
				misread++
				o.PackageSize = strconv.FormatFloat(float64(size)*c.misreads[r.IntN(len(c.misreads))], 'g', 4, 64) + " g"
			}
			rows = append(rows, o)
		}
	}
	slices.SortFunc(rows, func(a, b panel.Observation) int {
		return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.Store, b.Store))
	})
	for i := range rows {
		rows[i].ID = int64(1000 + 2*i)
	}
	return rows, misread
}

// Misread sizes, as factors of the right one.
var (
	tooSmall   = []float64{0.1, 0.5, 0.8, 0.9}
	tooLarge   = []float64{1.25, 1.5, 2, 10}
	bitLarger  = []float64{1.04, 1.1, 1.2}
	anyMisread = slices.Concat(tooSmall, tooLarge, bitLarger)
)

// TestMisreadSizes counts the events of a thousand listings of 30 stores and 26
// weeks with one size in a hundred misread. Either the pack never changes, or it
// shrinks, and every roll-out must be found. docs/shrinkflation.md states these
// counts.
func TestMisreadSizes(t *testing.T) {
	for _, c := range []struct {
		name    string
		factors []float64
		new     int
		want    [3]int // events graded high, medium, low; of a roll-out its own only
	}{
		{"too small", tooSmall, 750, [3]int{2, 0, 5}},
		{"too large", tooLarge, 750, [3]int{0, 0, 90}},
		{"a bit too large", bitLarger, 750, [3]int{62, 27, 0}},
		{"any", anyMisread, 750, [3]int{15, 5, 39}},
		{"any, among roll-outs", anyMisread, 650, [3]int{1000, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got [3]int
			misread, all := 0, 0
			for seed := range uint64(1000) {
				r := rollOut{seed: seed, stores: 30, weeks: 26, old: 750, new: c.new, from: 99, misread: 0.01, misreads: c.factors}
				if c.new != r.old {
					r.from, r.span = 10, 2+int(seed%7)
				}
				rows, n := r.rows()
				misread, all = misread+n, all+len(rows)
				for _, e := range shrink.Detect(yogurt, listing, rows) {
					if c.new == r.old || e.OldSize == float64(r.old) && e.NewSize == float64(r.new) {
						grade, _ := shrink.Grade(&e)
						got[grade]++
					}
				}
			}
			if got != c.want {
				t.Errorf("%d of %d sizes misread: events graded high, medium, low are %v, want %v", misread, all, got, c.want)
			}
		})
	}
}
