package synth

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel"
)

// event is what a slow reading of the published rule finds: for a listing and
// a pair of sizes, the third row that shows the new size at the stores that
// switched to it, when none of them has gone back by then.
type event struct {
	listing  int64
	old, new int64
	oldUnit  []int64
	newUnit  []int64
}

type switched struct {
	event
	rows   int
	stores map[int64]bool
	back   bool
	done   bool
}

func findEvents(d *Data) []event {
	type state struct {
		size   int64
		price  panel.Price
		active []*switched // events that this store takes part in
	}
	states := map[pair]*state{}
	pairs := map[[3]int64]*switched{}
	var found []event
	for o := range d.Observations() {
		l := d.world.listings[o.Listing-1]
		if d.Products[l.good].PerKg() || o.PackageSize == "" {
			continue
		}
		size := l.size
		switch {
		case d.world.oddRow(o) == strayPack:
			size /= 10
		case l.shrink != nil && o.PackageSize == l.shrink.text:
			size = l.shrink.size
		}
		price := o.Effective
		if o.Regular > 0 && o.RegularSource != panel.AssumedEqual {
			price = o.Regular
		}
		k := pair{o.Listing, o.Store}
		s := states[k]
		if s == nil {
			states[k] = &state{size: size, price: price}
			continue
		}
		for _, e := range s.active {
			if size == e.new {
				e.rows++
			} else if size > e.new {
				e.back = true
			}
		}
		if size < s.size {
			key := [3]int64{o.Listing, s.size, size}
			e := pairs[key]
			if e == nil {
				e = &switched{event: event{listing: o.Listing, old: s.size, new: size}, stores: map[int64]bool{}}
				pairs[key] = e
			}
			if !e.done && !e.stores[o.Store] {
				e.stores[o.Store] = true
				e.rows++
				e.oldUnit, e.newUnit = append(e.oldUnit, int64(s.price)), append(e.newUnit, int64(price))
			}
			s.active = append(s.active, e)
		}
		for _, e := range s.active {
			if e.rows >= 3 && !e.back && !e.done {
				e.done = true
				found = append(found, e.event)
			}
		}
		s.size, s.price = size, price
	}
	return found
}

// grade follows the published table.
func (e event) grade() string {
	median := func(l []int64) float64 {
		slices.Sort(l)
		return float64(l[len(l)/2]+l[(len(l)-1)/2]) / 2
	}
	pct := max(100*float64(e.new-e.old)/float64(e.old), -20)
	u := max(100*(median(e.newUnit)/median(e.oldUnit)-1), -20)
	s := -pct
	switch apart := math.Abs(u - s); {
	case s < 2:
		return "low suspect_tiny"
	case pct == -20:
		return "low suspect_swap"
	case apart <= 15:
		return "high ok"
	case apart <= 30:
		return "medium ok"
	}
	return "low suspect_unit_mismatch"
}

func TestShrinkingPacksGradeAsPlanted(t *testing.T) {
	for _, weeks := range []int{10, 18, 60} {
		for s := uint64(1); s <= 4; s++ {
			d, err := Generate(Config{Seed: s, Through: panel.DateOf(2026, 11, 20), Weeks: weeks})
			if err != nil {
				t.Fatal(err)
			}
			want := map[int64]string{}
			grades := map[string]bool{}
			for _, p := range d.Planted(Shrink) {
				want[p.Listings[0]] = p.Expect
				grades[p.Expect] = true
			}
			if len(grades) != 5 {
				t.Errorf("%d weeks, seed %d: only the grades %v are planted", weeks, s, grades)
			}
			for _, e := range findEvents(d) {
				if got := e.grade(); got != want[e.listing] {
					t.Errorf("%d weeks, seed %d: listing %d from %d to %d is %q, planted as %q", weeks, s, e.listing, e.old, e.new, got, want[e.listing])
				}
				delete(want, e.listing)
			}
			for m, expect := range want {
				t.Errorf("%d weeks, seed %d: listing %d gives no event; it was planted as %q", weeks, s, m, expect)
			}
		}
	}
}

func TestPackTexts(t *testing.T) {
	d, err := Generate(Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, l := range d.world.listings {
		seen[l.sizeText] = true
	}
	// One size in the notations of several banners.
	for _, want := range []string{
		"", "750 g", "750g", "0.75 kg", "750.0g", "750 g (1.65 lb)", "1.89 L", "1.89L", "1890 mL", "1,89 L",
		"12 un", "12 ea", "6 rouleaux", "per kg", "approx. 1.2kg",
	} {
		if !seen[want] {
			t.Errorf("no banner writes %q", want)
		}
	}
	for n, want := range map[int64]string{4540: "4.54", 1000: "1", 2005: "2.005", 454: "0.454"} {
		if got := thousandth(n, false); got != want {
			t.Errorf("thousandth(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestMojibake(t *testing.T) {
	// How browsers show UTF-8 that is declared as windows-1252.
	for text, want := range map[string]string{
		"crème":   "crÃ¨me",
		"à":       "Ã\u00a0",
		"Bœuf":    "BÅ“uf",
		"L’œuf":   "Lâ€™Å“uf",
		"plain 2": "plain 2",
	} {
		if got := mojibake(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestChainsAreInvented(t *testing.T) {
	real := []string{
		"metro", "sobeys", "loblaw", "loblaws", "iga", "maxi", "provigo", "farm boy", "co op", "coop", "longo", "longos",
		"save on", "safeway", "freshco", "food basics", "no frills", "walmart", "costco", "giant tiger", "superstore",
		"zehrs", "fortinos", "valu mart", "thrifty", "urban fare", "t t", "adonis", "super c", "avril", "rachelle",
		"bonichoix", "foodland", "dominion", "pricesmart", "quality foods", "fairway", "buy low", "nesters",
		"whole foods", "galleria", "h mart", "voila", "richelieu", "kim phat", "pusateri", "pusateris", "rabba",
		"couche tard", "colemans", "choices", "sungiven", "freson", "extra foods", "shoppers", "independent",
		"wholesale club", "marche tradition", "lufa", "goodness me", "highland farms", "nations", "oceans",
		"compliments", "selection", "irresistibles", "great value", "president s choice", "no name", "kirkland", "western family",
	}
	var names []string
	for _, c := range chains() {
		names = append(names, c.Key, c.Name, c.Retailer, c.brand)
	}
	names = append(names, nationalBrands...)
	for _, n := range names {
		for _, r := range real {
			if strings.Contains(words(n), words(r)) {
				t.Errorf("%q has the name of the real %q in it", n, r)
			}
		}
	}
}
