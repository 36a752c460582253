package oracle

import (
	"testing"
	"time"
)

// One product at one store: 2.00, then 2.10. Level 100 * 2.10 / 2.00 = 105,
// change +5, cost the price itself; the same in all three geographies.
func TestOneProductOneStore(t *testing.T) {
	p := newTiny(product(1, "dairy", 0.5))
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 2.00)
	p.price(w1, 1, 1, 2.10)
	rows := p.table()

	// 2 weeks, 3 geographies, headline and dairy.
	want := []Row{
		{City: "", Banner: "", Category: ""},
		{City: "", Banner: "", Category: "dairy"},
		{City: "Toronto", Banner: "", Category: ""},
		{City: "Toronto", Banner: "", Category: "dairy"},
		{City: "Toronto", Banner: "acme", Category: ""},
		{City: "Toronto", Banner: "acme", Category: "dairy"},
	}
	if len(rows) != 12 {
		t.Fatalf("%d rows, want 12", len(rows))
	}
	for i := range rows {
		r, c := &rows[i], want[i%6]
		if r.City != c.City || r.Banner != c.Banner || r.Category != c.Category {
			t.Errorf("row %d is %q %q %q", i, r.City, r.Banner, r.Category)
		}
		if i < 6 {
			wantRow(t, r, 100, 1, 1, null)
			wantCost(t, r, 2.00)
		} else {
			wantRow(t, r, 105, 1, 1, 5)
			wantCost(t, r, 2.10)
		}
		wantChange(t, "mom", r.MoM, null)
		wantChange(t, "yoy", r.YoY, null)
	}
}

func TestRowOrder(t *testing.T) {
	p := newTiny(product(1, "household", 1), product(2, "dairy", 1))
	p.Cities = []City{{"a-slug", "St. John's"}, {"b-slug", "Calgary"}}
	p.Banners = append(p.Banners, Banner{"Zed", true})
	p.stores("a-slug", 1, 1)
	p.stores("b-slug", 2, 1)
	p.Stores = append(p.Stores, Store{3, "Zed", "b-slug", true})
	for store := int64(1); store <= 3; store++ {
		p.price(w0, 1, store, 1)
		p.price(w0, 2, store, 1)
	}
	var got []string
	for _, r := range p.table() {
		if r.Category != "dairy" && r.Category != "household" {
			got = append(got, r.City+"/"+r.Banner)
		} else if r.City == "" {
			got = append(got, r.Category)
		}
	}
	// "Z" comes before "a" in byte order.
	want := []string{"/", "dairy", "household", "Calgary/", "St. John's/",
		"Calgary/Zed", "Calgary/acme", "St. John's/acme"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// A week is published from Monday 00:00 in Toronto, 04:00 UTC in summer.
func TestOpenWeekIsNotPublished(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 1)
	p.price(w1, 1, 1, 1)
	for now, weeks := range map[string]int{
		"2026-07-20T03:59:59Z": 0,
		"2026-07-20T04:00:00Z": 1,
		"2026-07-27T03:59:59Z": 1,
		"2026-07-27T04:00:00Z": 2,
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if rows := Table(&p.Data, Options{Now: at}); len(rows) != 6*weeks {
			t.Errorf("at %s: %d rows, want %d weeks of 6", now, len(rows), weeks)
		}
	}
}

// Ten stores: relatives 1/2, eight times 1.1, and 4. One is dropped at each
// end, so the level is 110 and the cost exp(mean ln 1.1) = 1.10.
func TestTrimTenStores(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 10)
	for store := int64(1); store <= 10; store++ {
		p.price(w0, 1, store, 1)
	}
	p.price(w1, 1, 1, 4)
	for store := int64(2); store <= 9; store++ {
		p.price(w1, 1, store, 1.1)
	}
	p.price(w1, 1, 10, 0.5)
	r := headline(p.table(), w1)
	wantRow(t, r, 110, 1, 1, 10)
	wantCost(t, r, 1.10)

	// Untrimmed: exp((ln 0.5 + 8 ln 1.1 + ln 4) / 10) = (2 * 1.1^8)^(1/10);
	// 1.1^8 = 2.14358881, times 2 = 4.28717762, tenth root = 1.15667...
	r = headline(Table(&p.Data, Options{Now: farOff, TrimPercent: new(0)}), w1)
	if r.Index < 115.66 || r.Index > 115.68 {
		t.Errorf("untrimmed level %v, want about 115.67", r.Index)
	}
}

// Nine stores: eight relatives of 1 and one of 512 = 2^9. Nothing is dropped:
// the mean log is 9 ln 2 / 9 = ln 2, the level 200.
func TestNoTrimNineStores(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 9)
	for store := int64(1); store <= 9; store++ {
		p.price(w0, 1, store, 1)
		if store < 9 {
			p.price(w1, 1, store, 1)
		}
	}
	p.price(w1, 1, 9, 512)
	r := headline(p.table(), w1)
	wantRow(t, r, 200, 1, 1, 100)
	wantCost(t, r, 2)
}

// Dairy: product 1 (weight 3) rises 8-fold, product 2 (weight 1) 128-fold,
// product 5 (weight 4) is missing in w1. In units of ln 2, rho =
// (3*3 + 1*7) / 4 = 4: level 1600. Meat: product 3 (weight 24) stays: 100.
// Pantry: product 4 (weight 100) is missing, so the category drops out.
// Headline: V_dairy = 3+1+4 = 8, V_meat = 24: (8*4 + 24*0) / 32 = 1: level 200.
// (With the matched weights only it would be 4*4 / 28, unweighted 4 / 2.)
// Matched: 3 of 5, exactly 60%.
func TestCategoryAndHeadlineWeights(t *testing.T) {
	p := newTiny(
		product(1, "dairy", 3), product(2, "dairy", 1), product(5, "dairy", 4),
		product(3, "meat", 24), product(4, "pantry", 100))
	p.stores("toronto", 1, 1)
	for id := int64(1); id <= 5; id++ {
		p.price(w0, id, 1, 1)
	}
	p.price(w1, 1, 1, 8)
	p.price(w1, 2, 1, 128)
	p.price(w1, 3, 1, 1)
	rows := p.table()
	wantRow(t, headline(rows, w1), 200, 3, 5, 100)
	wantRow(t, find(rows, w1, "", "", "dairy"), 1600, 2, 3, 1500)
	wantRow(t, find(rows, w1, "", "", "meat"), 100, 1, 1, 0)
	wantRow(t, find(rows, w0, "", "", "pantry"), 100, 1, 1, null)
	wantAbsent(t, find(rows, w1, "", "", "pantry"))
}

// Store 1 carries product 1 twice (relatives 1 and 4, mean log ln 2), store 2
// once (relative 8 = 3 ln 2). Product: (1 + 3) / 2 = 2 ln 2: level 400. (A mean
// over the three series would give (0 + 2 + 3) / 3.) Cost in w1: store 1 has
// mean log of 1 and 4 = ln 2, store 2 ln 8; mean 2 ln 2: 4.00.
func TestSeveralListingsOfOneProduct(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.listing(2, 1)
	p.stores("toronto", 1, 2)
	p.price(w0, 1, 1, 1)
	p.price(w0, 2, 1, 1)
	p.price(w0, 1, 2, 1)
	p.price(w1, 1, 1, 1)
	p.price(w1, 2, 1, 4)
	p.price(w1, 1, 2, 8)
	r := headline(p.table(), w1)
	wantRow(t, r, 400, 1, 1, 300)
	wantCost(t, r, 4)
}

// A listing replaced by another makes no relative: nothing matches in w1.
func TestNoRelativeAcrossASwap(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.listing(2, 1)
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 1)
	p.price(w1, 2, 1, 4)
	rows := p.table()
	wantRow(t, headline(rows, w0), 100, 1, 1, null)
	wantAbsent(t, headline(rows, w1))
}

// 1 and 4 in one week: geometric mean 2.
func TestSeveralObservationsInAWeek(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 1)
	p.priceAt("2026-07-20T12:00:00Z", 1, 1, 1)
	p.priceAt("2026-07-26T12:00:00Z", 1, 1, 4)
	r := headline(p.table(), w1)
	wantRow(t, r, 200, 1, 1, 100)
	wantCost(t, r, 2)
}

// Sunday evening in Toronto is Monday in UTC: the first price belongs to the
// week before the base and plays no part; the last one is the base week's.
func TestSundayEvening(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.priceAt("2026-07-13T02:00:00Z", 1, 1, 50)
	p.priceAt("2026-07-20T02:00:00Z", 1, 1, 2)
	p.price(w1, 1, 1, 3)
	rows := p.table()
	wantRow(t, headline(rows, w0), 100, 1, 1, null)
	wantCost(t, headline(rows, w0), 2)
	wantRow(t, headline(rows, w1), 150, 1, 1, 50)
	wantAbsent(t, headline(rows, "2026-07-12"))
}

// None of these count: a retired listing, an inactive store, an inactive
// product, a banner outside the index, an excluded observation.
func TestWhatDoesNotCount(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.Banners = append(p.Banners, Banner{"outside", false})
	p.Stores = append(p.Stores,
		Store{2, "acme", "toronto", false},
		Store{3, "outside", "toronto", true})
	p.Products = append(p.Products, Product{ID: 2, Category: "dairy", Weight: 1, Active: false})
	p.Listings = append(p.Listings,
		Listing{2, 1, "acme", false}, // retired
		Listing{3, 1, "outside", true},
		Listing{4, 2, "acme", true}) // of the inactive product
	for i, w := range []string{w0, w1} {
		p.price(w, 1, 1, 1)
		wild := float64(1 + 98*i)
		p.price(w, 2, 1, wild)
		p.price(w, 1, 2, wild)
		p.price(w, 3, 3, wild)
		p.price(w, 4, 1, wild)
		p.price(w, 1, 1, wild)
		p.Excluded = map[int64]bool{6: true, 12: true}
	}
	rows := p.table()
	wantRow(t, headline(rows, w1), 100, 1, 1, 0)
	wantCost(t, headline(rows, w1), 1)
	if len(rows) != 12 {
		t.Errorf("%d rows, want 12", len(rows))
	}

	// Let in, the excluded rows give a geometric mean of 1 and 99.
	p.Excluded = nil
	if r := headline(p.table(), w1); r.Index < 994.9 || r.Index > 995 {
		t.Errorf("level %v, want 100 * sqrt(99) = 994.987...", r.Index)
	}
}
