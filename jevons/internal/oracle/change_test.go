package oracle

import "testing"

// Two stores at 1.00 in the base week. w1: 1.00 and 4.00, level
// 100 * sqrt(4) = 200. w2: store 1 at 1.10 only, level 110. The published
// levels fall by 45%; on the same composition, store 1, they rise by 10%.
func TestSameCompositionAgainstRatio(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 2)
	p.price(w0, 1, 1, 1)
	p.price(w0, 1, 2, 1)
	p.price(w1, 1, 1, 1)
	p.price(w1, 1, 2, 4)
	p.price(w2, 1, 1, 1.1)
	rows := p.table()
	wantRow(t, headline(rows, w2), 110, 1, 1, 10)
	wantRow(t, find(rows, w2, "", "", "dairy"), 110, 1, 1, -45)
}

// The composition must hold in the base week too: store 3 is new in w1 and
// doubles in w2; store 1 does not move.
func TestSameCompositionNeedsTheBase(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 3)
	for _, w := range []string{w0, w1, w2} {
		p.price(w, 1, 1, 1)
	}
	p.price(w1, 1, 3, 1)
	p.price(w2, 1, 3, 2)
	wantRow(t, headline(p.table(), w2), 100, 1, 1, 0)
}

// w1 has store 1 alone, w2 store 2 alone, both matched with the base: levels
// 200 and 300, but no series in all three weeks. No headline change; the
// category's is the ratio.
func TestHeadlineWoWUnderTheFloor(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 2)
	p.price(w0, 1, 1, 1)
	p.price(w0, 1, 2, 1)
	p.price(w1, 1, 1, 2)
	p.price(w2, 1, 2, 3)
	rows := p.table()
	wantRow(t, headline(rows, w2), 300, 1, 1, null)
	wantRow(t, find(rows, w2, "", "", "dairy"), 300, 1, 1, 50)
}

// The change's floor is exact: five products, in all three weeks 3 of them
// (60%), then in w3 against w2 only 2.
func TestHeadlineWoWFloorExact(t *testing.T) {
	var products []Product
	for id := int64(1); id <= 5; id++ {
		products = append(products, product(id, "dairy", 1))
	}
	p := newTiny(products...)
	p.stores("toronto", 1, 1)
	priced := map[string][]int64{
		w0: {1, 2, 3, 4, 5},
		w1: {1, 2, 3, 4},
		w2: {1, 2, 3, 5}, // with w1: 1, 2, 3
		w3: {2, 3, 4},    // with w2: 2, 3
	}
	for w, ids := range priced {
		for _, id := range ids {
			p.price(w, id, 1, 1)
		}
	}
	rows := p.table()
	wantRow(t, headline(rows, w1), 100, 4, 5, 0)
	wantRow(t, headline(rows, w2), 100, 4, 5, 0)
	wantRow(t, headline(rows, w3), 100, 3, 5, null)
	wantRow(t, find(rows, w3, "", "", "dairy"), 100, 3, 5, 0)
}

// Nothing is priced in w1. In w2 the headline compares with w0, its previous
// published week; the category has no row 7 days earlier.
func TestGap(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 4)
	p.price(w2, 1, 1, 5)
	p.price(w3, 1, 1, 4)
	rows := p.table()
	wantAbsent(t, headline(rows, w1))
	wantRow(t, headline(rows, w2), 125, 1, 1, 25)
	wantRow(t, find(rows, w2, "", "", "dairy"), 125, 1, 1, null)
	wantRow(t, headline(rows, w3), 100, 1, 1, -20)
	wantRow(t, find(rows, w3, "", "", "dairy"), 100, 1, 1, -20)
}

// w4 is 28 days after w0, w5 after w1, which is missing.
func TestMonthAndYear(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	year := "2027-07-18" // 364 days after w0
	p.price(w0, 1, 1, 1)
	p.price(w2, 1, 1, 1)
	p.price(w3, 1, 1, 1)
	p.price(w4, 1, 1, 1.03)
	p.price(w5, 1, 1, 1.05)
	p.price(year, 1, 1, 1.07)
	rows := p.table()
	for _, category := range []string{"", "dairy"} {
		at := func(w string) *Row { return find(rows, w, "", "", category) }
		wantChange(t, "mom w3", at(w3).MoM, null)
		wantChange(t, "mom w4", at(w4).MoM, 3)
		wantChange(t, "mom w5", at(w5).MoM, null)
		wantChange(t, "yoy w5", at(w5).YoY, null)
		wantChange(t, "mom year", at(year).MoM, null)
		wantChange(t, "yoy year", at(year).YoY, 7)
	}
}

// Levels are rounded before their ratio is taken: 1/3 and 1/7 of the base
// price are 33.3333 and 14.2857; (142857 - 333333) * 100 / 333333 =
// -57.14285714..., published -57.1429, which the headline has as
// 100 * (3/7 - 1) = -57.142857...
func TestRatioOfRoundedLevels(t *testing.T) {
	p := newTiny(product(1, "dairy", 1))
	p.stores("toronto", 1, 1)
	p.price(w0, 1, 1, 2100)
	p.price(w1, 1, 1, 700)
	p.price(w2, 1, 1, 300)
	p.price(w3, 1, 1, 0.7) // level 0.0333..., published 0.0333
	p.price(w4, 1, 1, 0.3) // level 0.0142857..., published 0.0143
	rows := p.table()
	wantRow(t, headline(rows, w2), 14.2857, 1, 1, -57.1429)
	wantRow(t, find(rows, w2, "", "", "dairy"), 14.2857, 1, 1, -57.1429)
	// (143 - 333) * 100 / 333 = -57.05705...
	wantRow(t, headline(rows, w4), 0.0143, 1, 1, -57.1429)
	wantRow(t, find(rows, w4, "", "", "dairy"), 0.0143, 1, 1, -57.0571)
}
