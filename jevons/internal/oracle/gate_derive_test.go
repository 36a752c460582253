package oracle

import "testing"

func TestWrongProduct(t *testing.T) {
	bannerWide := []Entry{{Listing: 10, Rule: WrongProduct}}
	cases := []struct {
		name       string
		one, two   string // the rows of listing 10 at stores 1 and 2
		wantEntry  []Entry
		wantResult string
	}{
		{"half of four", "jmmj", "", bannerWide, "wrong_product wrong_product wrong_product wrong_product"},
		{"less than half of four", "jmmm", "", nil, "identity pass pass pass"},
		{"three rows never", "jjj", "", nil, "identity identity identity"},
		{"two of five", "jjmmm", "", nil, "identity identity pass pass pass"},
		{"three of five", "jjmjm", "", bannerWide, "wrong_product wrong_product wrong_product wrong_product wrong_product"},
		{"four rows at two stores", "jm", "jm", bannerWide, "wrong_product wrong_product wrong_product wrong_product"},
		{"banner-wide alone, though one store has it too", "jjjj", "mm", bannerWide,
			"wrong_product wrong_product wrong_product wrong_product wrong_product wrong_product"},
		{"one store alone", "jjmm", "jmmm", []Entry{{Listing: 10, Store: 1, Rule: WrongProduct}},
			"wrong_product wrong_product wrong_product wrong_product identity pass pass pass"},
		{"three rows at one store never", "jjj", "mmmm", nil, "identity identity identity pass pass pass pass"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := newGated()
			g.titles(10, 1, c.one)
			g.titles(10, 2, c.two)
			g.wantDerived(t, c.wantEntry...)
			g.wantVerdicts(t, c.wantResult)
		})
	}
}

// Another listing of the same product is judged by its own rows.
func TestWrongProductIsOfOneListing(t *testing.T) {
	g := newGated()
	g.titles(10, 1, "jjjj")
	g.titles(11, 1, "mmmj")
	g.wantDerived(t, Entry{Listing: 10, Rule: WrongProduct})
	g.wantVerdicts(t, "wrong_product wrong_product wrong_product wrong_product pass pass pass identity")
}

// The product's median is 1 throughout: five rows of it at store 2.
func TestWrongBasis(t *testing.T) {
	caught := []Entry{{Listing: 20, Store: 1, Rule: WrongBasis}}
	cases := []struct {
		name, series, others string
		want                 []Entry
	}{
		{"exactly 3 times", "3 3 3 3", "1 1 1 1 1", caught},
		{"just under 3 times", "2.9999 2.9999 2.9999 2.9999", "1 1 1 1 1", nil},
		{"exactly 3 times, of which floats make less", "0.3 0.3 0.3 0.3", "0.1 0.1 0.1 0.1 0.1", caught},
		{"exactly 1/3", "1 1 1 1", "3 3 3 3 3", caught},
		{"just over 1/3", "1 1 1 1", "2.9999 2.9999 2.9999 2.9999 2.9999", nil},
		{"exactly 1/3, of which floats make more", "0.1 0.1 0.1 0.1", "0.3 0.3 0.3 0.3 0.3", caught},
		{"three rows never", "9 9 9", "1 1 1 1 1", nil},
		{"even series: (2 + 4) / 2", "1 2 4 5", "1 1 1 1 1", caught},
		{"even series: just under", "1 2 3.9999 5", "1 1 1 1 1", nil},
		{"odd series: the middle one", "1 9 3 9 1", "1 1 1 1 1 1", caught},
		{"even product: (1 + 3) / 2", "6 6 6 6", "1 1 1 1 1 3", caught},
		{"even product: just under", "6 6 6 6", "1 1 1 1 1 3.0001", nil},
		{"the series counts in the product's median", "3 3 3 3", "1 1", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := newGated()
			g.prices(20, 1, c.series)
			g.prices(20, 2, c.others)
			g.wantDerived(t, c.want...)
		})
	}
}

// The product's rows are those of all its listings, at index stores.
func TestWrongBasisMedianOfTheProduct(t *testing.T) {
	t.Run("all listings", func(t *testing.T) {
		g := newGated()
		g.prices(10, 1, "3 3 3 3")
		g.prices(11, 2, "1 1 1 1 1")
		g.wantDerived(t, Entry{Listing: 10, Store: 1, Rule: WrongBasis})
	})
	t.Run("no other product", func(t *testing.T) {
		g := newGated()
		g.prices(10, 1, "3 3 3 3")
		g.prices(20, 1, "1 1 1 1 1")
		g.wantDerived(t)
	})
	t.Run("a series at another store is judged by it, and is not in it", func(t *testing.T) {
		g := newGated()
		g.prices(20, 9, "3 3 3 3") // the median of all five rows would be 3
		g.prices(20, 1, "1")
		g.wantDerived(t, Entry{Listing: 20, Store: 9, Rule: WrongBasis})
		g.wantVerdicts(t, "wrong_basis wrong_basis wrong_basis wrong_basis pass")
	})
	t.Run("none", func(t *testing.T) {
		g := newGated()
		g.prices(20, 9, "3 3 3 3 1 1 1")
		g.wantDerived(t)
	})
}

// Without store 1 the median would be 4, and store 2 at 3 times of it.
func TestNotIterated(t *testing.T) {
	g := newGated()
	g.prices(20, 1, "33 33 33 33") // the median is (10 + 12) / 2
	g.prices(20, 2, "12 12 12 12")
	g.prices(20, 3, "4 4 4 4 4 4 4 10")
	g.wantDerived(t, Entry{Listing: 20, Store: 1, Rule: WrongBasis})
}

// 2.2046 * 0.98 = 2.160508 and * 1.02 = 2.248692. Of a median of 2204.6 the
// other bounds are 0.98 * 1000 and 1.02 * 1000.
func TestWrongBasisRow(t *testing.T) {
	cases := []struct {
		name, others, price string
		want                bool
	}{
		{"2.2046", "10000 10000 10000 10000", "22046", true},
		{"on the lower bound", "1000 1000 1000 1000", "2160.508", true},
		{"under it", "1000 1000 1000 1000", "2160.5079", false},
		{"on the upper bound", "1000 1000 1000 1000", "2248.692", true},
		{"over it", "1000 1000 1000 1000", "2248.6921", false},
		{"1/2.2046", "2.2046 2.2046 2.2046 2.2046", "1", true},
		{"on its lower bound", "2204.6 2204.6 2204.6 2204.6", "980", true},
		{"under its lower bound", "2204.6 2204.6 2204.6 2204.6", "979.9999", false},
		{"on its upper bound", "2204.6 2204.6 2204.6 2204.6", "1020", true},
		{"over its upper bound", "2204.6 2204.6 2204.6 2204.6", "1020.0001", false},
		{"four rows, even: (9 + 11) / 2", "9 11 1", "22.046", true},
		{"three rows never", "10 10", "22.046", false},
		{"four times", "1 1 1 1", "4", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, store := range []int64{1, 9} { // of an index banner, or not
				g := newGated()
				g.prices(30, store, c.others)
				id := g.row(30, store, c.price, "")
				var want []Entry
				if c.want {
					want = []Entry{{Listing: 30, Store: store, Observation: id, Rule: WrongBasisRow}}
				}
				g.wantDerived(t, want...)
			}
		})
	}
}

func TestWrongBasisRowVerdicts(t *testing.T) {
	g := newGated()
	g.prices(30, 1, "10 10 22 10 10 4.5 10")
	g.wantDerived(t,
		Entry{Listing: 30, Store: 1, Observation: 3, Rule: WrongBasisRow},
		Entry{Listing: 30, Store: 1, Observation: 6, Rule: WrongBasisRow})
	g.wantVerdicts(t, "pass pass wrong_basis_row pass pass wrong_basis_row pass")
}

func TestWrongBasisRowIsForPerKgProducts(t *testing.T) {
	g := newGated()
	g.prices(20, 1, "10 10 10 10 22.046")
	g.wantDerived(t)
}

// Every series has its own median.
func TestWrongBasisRowIsWithinASeries(t *testing.T) {
	g := newGated()
	g.prices(30, 1, "10 10 10 10")
	g.prices(30, 2, "22 22 22 22")
	g.wantDerived(t)
}

// Rule 3 leaves out the series that rule 2 catches; one of which the operator
// has released the entry is not caught.
func TestWrongBasisRowLeavesOutWrongBasis(t *testing.T) {
	for _, released := range []bool{false, true} {
		g := newGated()
		g.prices(30, 1, "30 30 30 30 66.138")
		g.prices(30, 2, "10 10 10 10 10 10")
		want := Entry{Listing: 30, Store: 1, Rule: WrongBasis}
		if released {
			g.entry(30, 1, 0, WrongBasis, true)
			want = Entry{Listing: 30, Store: 1, Observation: 5, Rule: WrongBasisRow}
		}
		g.wantDerived(t, want)
	}
}
