package oracle

import "testing"

// 100 products of one category; in w1 60 are still priced, in w2 59.
func TestFloor(t *testing.T) {
	var products []Product
	for id := int64(1); id <= 100; id++ {
		products = append(products, product(id, "pantry", 1))
	}
	p := newTiny(products...)
	p.stores("toronto", 1, 1)
	for id := int64(1); id <= 100; id++ {
		p.price(w0, id, 1, 1)
		if id <= 60 {
			p.price(w1, id, 1, 2)
		}
		if id <= 59 {
			p.price(w2, id, 1, 2)
		}
	}
	rows := p.table()
	wantRow(t, headline(rows, w1), 200, 60, 100, 100)
	wantRow(t, find(rows, w1, "", "", "pantry"), 200, 60, 100, 100)
	wantAbsent(t, headline(rows, w2))
	wantAbsent(t, find(rows, w2, "", "", "pantry"))

	// With a floor of 59% w2 is published as well.
	rows = Table(&p.Data, Options{Now: farOff, FloorPercent: new(59)})
	wantRow(t, headline(rows, w2), 200, 59, 100, 0)
}

// Products priced without a match in the base week do not help the floor.
// Base week: 3 of 5. In w1 all 5 are priced, but of the base's 3 only 2.
func TestFloorCountsMatchedProducts(t *testing.T) {
	p := newTiny(product(1, "dairy", 1), product(2, "dairy", 1), product(3, "dairy", 1),
		product(4, "dairy", 1), product(5, "dairy", 1))
	p.stores("toronto", 1, 2)
	for id := int64(1); id <= 5; id++ {
		if id <= 3 {
			p.price(w0, id, 1, 1)
		}
		if id == 3 {
			p.price(w1, id, 2, 1) // another series
		} else {
			p.price(w1, id, 1, 1)
		}
	}
	rows := p.table()
	wantRow(t, headline(rows, w0), 100, 3, 5, null)
	wantAbsent(t, headline(rows, w1))
}

// Halifax has nothing in the base week, 2 of 4 products in w1 (50%), 3 of 4 in
// w2: its entry week. In w3 all four are priced, the three matched ones a
// tenth dearer.
func TestEntryWeek(t *testing.T) {
	p := newTiny(product(1, "dairy", 1), product(2, "dairy", 1),
		product(3, "meat", 1), product(4, "meat", 1))
	p.stores("toronto", 1, 1)
	p.stores("halifax", 2, 1)
	for _, w := range []string{w0, w1, w2, w3} {
		for id := int64(1); id <= 4; id++ {
			p.price(w, id, 1, 10)
		}
	}
	p.price(w1, 1, 2, 5)
	p.price(w1, 2, 2, 5)
	for id := int64(1); id <= 3; id++ {
		p.price(w2, id, 2, 10)
		p.price(w3, id, 2, 11)
	}
	p.price(w3, 4, 2, 99)
	rows := p.table()
	for _, banner := range []string{"", "acme"} {
		wantAbsent(t, find(rows, w0, "Halifax", banner, ""))
		wantAbsent(t, find(rows, w1, "Halifax", banner, ""))
		wantRow(t, find(rows, w2, "Halifax", banner, ""), 100, 3, 4, null)
		wantRow(t, find(rows, w3, "Halifax", banner, ""), 110, 3, 4, 10)
		for _, w := range []string{w0, w1, w2, w3} {
			wantAbsent(t, find(rows, w, "Halifax", banner, "dairy"))
			wantAbsent(t, find(rows, w, "Halifax", banner, "meat"))
		}
	}
	// Halifax makes no relative to the national base week.
	wantRow(t, headline(rows, w3), 100, 4, 4, 0)
}

// An inactive product does not help a week to be the entry week: w0 has 2 of
// the 5 active products (40%) and an inactive one, w1 has 3 of 5.
func TestEntryWeekCountsActiveProducts(t *testing.T) {
	p := newTiny(product(1, "dairy", 1), product(2, "dairy", 1), product(3, "dairy", 1),
		product(4, "dairy", 1), product(5, "dairy", 1),
		Product{ID: 6, Category: "dairy", Weight: 1, Active: false})
	p.stores("toronto", 1, 1)
	for _, id := range []int64{1, 2, 6} {
		p.price(w0, id, 1, 1)
	}
	for _, id := range []int64{1, 2, 3} {
		p.price(w1, id, 1, 5)
	}
	rows := p.table()
	wantAbsent(t, headline(rows, w0))
	wantRow(t, headline(rows, w1), 100, 3, 5, null)
}

// Prices of the weeks before the base do not make an entry week.
func TestEntryWeekNotBeforeBase(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.price("2026-07-12", 1, 1, 1)
	p.price(w1, 1, 1, 2)
	p.price(w2, 1, 1, 3)
	rows := p.table()
	wantAbsent(t, headline(rows, w0))
	wantRow(t, headline(rows, w1), 100, 1, 1, null)
	wantRow(t, headline(rows, w2), 150, 1, 1, 50)

	rows = Table(&p.Data, Options{Now: farOff, BaseWeek: "2026-07-12"})
	wantRow(t, headline(rows, "2026-07-12"), 100, 1, 1, null)
	wantRow(t, headline(rows, w2), 300, 1, 1, 50)
	wantRow(t, find(rows, w2, "", "", "dairy"), 300, 1, 1, 50)
}

// National prices, one store in each city: product 1 at 2 and 8 (mean 4),
// product 2 at 3 and 12 (6), product 3 at 5 in Toronto only.
// National: 4 + 6 + 5 = 15. Toronto: (2 + 3 + 5) * 15 / 15 = 10.
// Halifax: (8 + 12) * 15 / (4 + 6) = 30.
func TestCostGrossUp(t *testing.T) {
	p := newTiny(product(1, "dairy", 1), product(2, "dairy", 1), product(3, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.stores("halifax", 2, 1)
	p.price(w0, 1, 1, 2)
	p.price(w0, 2, 1, 3)
	p.price(w0, 3, 1, 5)
	p.price(w0, 1, 2, 8)
	p.price(w0, 2, 2, 12)
	rows := p.table()
	for _, category := range []string{"", "dairy"} {
		wantCost(t, find(rows, w0, "", "", category), 15)
		wantCost(t, find(rows, w0, "Toronto", "", category), 10)
		wantCost(t, find(rows, w0, "Halifax", "", category), 30)
		wantCost(t, find(rows, w0, "Halifax", "acme", category), 30)
	}
}

// Cost counts series that have no base price: in w1 product 1 is also sold at
// store 2, new at 9. Price sqrt(4 * 9) = 6; the level is from store 1 alone.
func TestCostIsNotMatched(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 2)
	p.price(w0, 1, 1, 2)
	p.price(w1, 1, 1, 4)
	p.price(w1, 1, 2, 9)
	r := headline(p.table(), w1)
	wantRow(t, r, 200, 1, 1, 100)
	wantCost(t, r, 6)
}
