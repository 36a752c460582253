package oracle

import (
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
)

// Which row of several serves. Each case sees rows of tern, which also has store
// 20 and another listing of oats, listing 250. The row that serves is told by its
// totals.
func TestChoose(t *testing.T) {
	second := []detail{listing(250)}
	there := []detail{store(20)}
	hour := func(n int) detail { return at(now.Add(time.Duration(n) * time.Hour)) }
	for _, test := range []struct {
		name     string
		see      func(w *tiny)
		total    int64
		adjusted int64
		reason   string
	}{
		{"the latest, not the cheapest", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(2))
			w.see(tern, oats, "2")
		}, 200, 200, ""},
		{"at the same time the higher id", func(w *tiny) {
			w.see(tern, oats, "1")
			w.see(tern, oats, "2")
			w.see(tern, oats, "3", id(-1))
		}, 200, 200, ""},
		{"the latest that passes", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(3))
			w.see(tern, oats, "2", daysAgo(2))
			w.see(tern, oats, "3", fails)
		}, 200, 200, ""},
		{"the latest is dropped: no older one serves", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(2))
			w.see(tern, oats, "2", sale, ends(today-1))
		}, 0, 0, expired},
		{"unapproved rows are none", func(w *tiny) {
			w.Banners[tern-1].Verified = true
			w.see(tern, oats, "1", daysAgo(2), source(panel.Scraped))
			w.see(tern, oats, "2")
		}, 100, 100, ""},
		{"the cheapest of two listings", func(w *tiny) {
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", append(second, daysAgo(5))...)
		}, 100, 100, ""},
		{"the cheapest of two stores", func(w *tiny) {
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", append(there, daysAgo(5))...)
		}, 100, 100, ""},
		{"by what is paid, not by the conditional price", func(w *tiny) {
			w.see(tern, oats, "1", sale, members, regular("3"))
			w.see(tern, oats, "2", second...)
		}, 200, 200, ""},
		{"the standard size before a cheaper line", func(w *tiny) {
			w.see(tern, oats, "3", size("500 g"))
			w.see(tern, oats, "2", append(second, size("250 g"))...)
		}, 300, 300, ""},
		{"an unknown size is as good", func(w *tiny) {
			w.see(tern, oats, "3", size("500 g"))
			w.see(tern, oats, "2", second...)
		}, 200, 200, ""},
		{"1% off is as good; the line is smaller", func(w *tiny) {
			w.see(tern, oats, "3", size("500 g"))
			w.see(tern, oats, "3", append(second, size("495 g"))...)
		}, 297, 300, ""},
		// 400/500 = 1/1.25; 620/500 = 1.24. In grams 400 is nearer.
		{"the nearest in ratio, not in grams", func(w *tiny) {
			w.see(tern, oats, "3", size("400 g"))
			w.see(tern, oats, "2", append(second, size("620 g"))...)
		}, 248, 200, ""},
		// 1.25 both ways: the cheaper line wins, 400 g for 2.40.
		{"equally near on both sides", func(w *tiny) {
			w.see(tern, oats, "2", size("625 g")) // 2.50
			w.see(tern, oats, "3", append(second, size("400 g"))...)
		}, 240, 300, ""},
		{"nearest only of what remains", func(w *tiny) {
			w.see(tern, oats, "3", size("250 g"))
			w.see(tern, oats, "2", append(second, size("500 g"), daysAgo(9))...)
		}, 150, 300, ""},
		// Lines of 2.50 each.
		{"equal lines: the newest", func(w *tiny) {
			w.see(tern, oats, "2", size("625 g"), hour(-30))
			w.see(tern, oats, "3.125", append(second, size("400 g"), hour(-29))...)
		}, 250, 313, ""},
		{"equal lines at one time: the lowest id", func(w *tiny) {
			w.see(tern, oats, "2", size("625 g"), id(5))
			w.see(tern, oats, "3.125", append(second, size("400 g"), id(4))...)
		}, 250, 313, ""},
		// 2.004 and 1.996 both make lines of 2.00: rounded lines are compared.
		{"lines are equal when rounded", func(w *tiny) {
			w.see(tern, oats, "2", size("501 g"), hour(-30)) // 2.004
			w.see(tern, oats, "2.016", append(second, size("495 g"), hour(-29))...)
		}, 200, 202, ""},
		{"a dropped row leaves the others", func(w *tiny) {
			w.see(tern, oats, "1", sale, members)
			w.see(tern, oats, "2", append(second, daysAgo(5))...)
		}, 200, 200, ""},
		{"an uncertain store is not used", func(w *tiny) {
			w.Stores[len(w.Stores)-1].LocationCertain = false
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", there...)
		}, 200, 200, ""},
		{"an inactive store is not used", func(w *tiny) {
			w.Stores[len(w.Stores)-1].Active = false
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", there...)
		}, 200, 200, ""},
		{"a store elsewhere is not used", func(w *tiny) {
			w.Stores[len(w.Stores)-1].City = "moncton"
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", there...)
		}, 200, 200, ""},
		{"a retired listing is not used", func(w *tiny) {
			w.Listings[len(w.Listings)-1].Active = false
			w.see(tern, oats, "2")
			w.see(tern, oats, "1", second...)
		}, 200, 200, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTiny()
			w.listing(250, tern, oats)
			w.store(20, tern)
			test.see(w)
			r := w.compare(t, list(oats, "1"))
			same(t, "reason", test.reason, r.reason(tern, oats))
			if test.reason == "" {
				wantTotals(t, r.of(t, tern), test.total, test.adjusted)
			}
		})
	}
}

// For per-kg goods too, a row of the standard size, or of none, comes before
// one in packs, however cheap.
func TestChooseByWeight(t *testing.T) {
	w := newTiny()
	w.listing(250, tern, fish)
	w.see(tern, fish, "9", size("500 g"))
	w.see(tern, fish, "10", listing(250), size("per kg"))
	r := w.compare(t, list(fish, "1"))
	wantTotals(t, r.of(t, tern), 1000, 1000)
	same(t, "unsupported", []int{}, r.UnsupportedQuantityItemIDs)
}

// The quantity decides between packs: 0.75 kg is three of 250 g and one and a
// half of 500 g, which are cheaper.
func TestQuantityDecides(t *testing.T) {
	w := newTiny()
	w.listing(250, tern, fish)
	w.see(tern, fish, "9", size("500 g"))
	w.see(tern, fish, "10", listing(250), size("250 g"))
	half := w.compare(t, list(fish, "0.5"))
	wantTotals(t, half.of(t, tern), 450, 450)
	same(t, "unsupported", []int{}, half.UnsupportedQuantityItemIDs)
	more := w.compare(t, list(fish, "0.75"))
	wantTotals(t, more.of(t, tern), 750, 750)
	same(t, "unsupported", []int{fish}, more.UnsupportedQuantityItemIDs)
	same(t, "exclusions", "", more.reason(tern, fish))
}
