package panel

import (
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// A spec with a choice of spellings, a term of two words, and a range.
var testSpec = basket.Spec{
	ProductID: 1, Require: [][]string{{"greek", "grec"}, {"yogurt", "yogourt"}},
	Forbid: []string{"bar", "a boire", "crème"}, MinSize: 450, MaxSize: 1000,
}

func testGate(entries ...Quarantine) *Gate {
	products := []basket.Product{
		{ID: 1, Name: "Yogurt", Category: "dairy", StandardSize: 750, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true},
		{ID: 2, Name: "Eggs", Category: "dairy", StandardSize: 12, Unit: basket.Count, SoldBy: basket.ByPackage, Active: true},
		{ID: 3, Name: "Bags", Category: "dairy", StandardSize: 1, Unit: basket.Count, SoldBy: basket.ByPackage, Active: true},
		{ID: 5, Name: "No spec", Category: "dairy", StandardSize: 1, Unit: basket.Count, SoldBy: basket.ByPackage, Active: true},
	}
	listings := []Listing{{ID: 1, ProductID: 1, Banner: "a", Active: true}, {ID: 2, ProductID: 2, Banner: "a", Active: true}, {ID: 3, ProductID: 3, Banner: "a", Active: true}, {ID: 5, ProductID: 5, Banner: "a", Active: true}}
	specs := []basket.Spec{testSpec, {ProductID: 2, MinSize: 6}, {ProductID: 3, MaxSize: 30}, {ProductID: 9, Forbid: []string{"x"}}}
	return NewGate(Calendar{}, products, []Store{{ID: 7, Banner: "a", City: "here"}, {ID: 8, Banner: "a", City: "there"}}, listings, specs, entries)
}

func TestIdentity(t *testing.T) {
	g := testGate()
	for _, tt := range []struct {
		name, title, size string
		listing           int64
		want              string
	}{
		{"plain", "Greek Yogurt", "750 g", 1, "fits"},
		{"misread title", "Yogourt grec, fraÃ®cheur", "750 g", 1, "fits"},
		{"one group is missing", "Plain Yogurt", "750 g", 1, `the title lacks "greek or grec"`},
		{"a word is not a part of one", "Greek Yogurts", "750 g", 1, `the title lacks "yogurt or yogourt"`},
		{"forbidden", "Greek Yogurt Bar", "750 g", 1, `the title has "bar"`},
		{"a forbidden word is not a part of one", "Greek Yogurt Barista", "750 g", 1, "fits"},
		{"forbidden words in a row", "Yogourt grec à boire", "750 g", 1, `the title has "a boire"`},
		{"forbidden words apart", "Yogourt grec à la fraise à déguster, boire frais", "750 g", 1, "fits"},
		{"terms are folded too", "Yogourt grec CREME", "750 g", 1, `the title has "crème"`},
		{"lower end", "Greek Yogurt", "450 g", 1, "fits"},
		{"below", "Greek Yogurt", "449.9 g", 1, "a package of 449.9 g is below 450"},
		{"upper end", "Greek Yogurt", "1 kg", 1, "fits"},
		{"above", "Greek Yogurt", "1001 g", 1, "a package of 1001 g is above 1000"},
		{"title before size", "Greek Yogurt Bar", "40 g", 1, `the title has "bar"`},
		{"no title", "", "750 g", 1, "fits"},
		{"no title, wrong size", "", "75 g", 1, "a package of 75 g is below 450"},
		{"no size", "Greek Yogurt", "", 1, "fits"},
		{"no readable size", "Greek Yogurt", "$1.86/100g", 1, "fits"},
		{"another unit", "Greek Yogurt", "75 mL", 1, "fits"},
		{"a basis is no package", "Greek Yogurt", "per 100 g", 1, "fits"},
		{"too few", "anything", "4 ct", 2, "a package of 4 is below 6"},
		{"no upper end", "anything", "90 ct", 2, "fits"},
		{"too many", "anything", "31 ct", 3, "a package of 31 is above 30"},
		{"no spec", "Yogurt Bar", "1 g", 5, "fits"},
		{"unknown listing", "Yogurt Bar", "1 g", 4, "fits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Observation{Listing: tt.listing, ScrapedName: tt.title, PackageSize: tt.size}
			j := g.ForLabel(o.Label()).Judge(o.Store, o.ID, o.ObservedAt)
			if got := j.String(); got != tt.want {
				t.Errorf("identity: %s, want %s", got, tt.want)
			}
			if want := tt.want == "fits"; (j.Verdict == Pass) != want || !want && j.Verdict != FailsIdentity {
				t.Errorf("verdict: %s", j.Verdict)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		" -- ":                "",
		"L'Œuf à-la-coque":    " l oeuf a la coque ",
		"yog\u00ADourt\u200B": " yogourt ", // a soft hyphen, a space of no width
		"d\u02BCavoine":       " d avoine ",
		"\xf5ź":               " z ", // an accent after a stray byte
	} {
		if got := words(text); got != want {
			t.Errorf("words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestQuarantine(t *testing.T) {
	everywhere := Quarantine{ID: 1, Listing: 1, Rule: WrongProduct, Reason: "why"}
	there := Quarantine{ID: 2, Listing: 1, Store: 7, Rule: WrongBasis}
	row := Quarantine{ID: 3, Listing: 1, Store: 7, Observation: 100, Rule: WrongBasisRow}
	good := Observation{Listing: 1, Store: 7, ID: 100, ScrapedName: "Greek Yogurt"}
	at := func(text string) Observation { // a row of another listing in the same city
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return Observation{Listing: 2, Store: 7, ID: 100, ObservedAt: at}
	}
	november := []Quarantine{{ID: 9, Banner: "a", From: DateOf(2026, 11, 1), To: DateOf(2026, 11, 1)}}
	for _, tt := range []struct {
		name    string
		entries []Quarantine
		o       Observation
		verdict Verdict
		entry   int64
		rule    string
	}{
		{"none", nil, good, Pass, 0, "fits"},
		{"the row", []Quarantine{row}, good, Quarantined, 3, "wrong_basis_row"},
		{"the widest is named", []Quarantine{row, there, everywhere}, good, Quarantined, 1, "wrong_product"},
		{"a store of that row's number", []Quarantine{row}, Observation{Listing: 1, Store: 100, ID: 7}, Pass, 0, "fits"},
		{"fails both: counts once, as quarantine", []Quarantine{there}, Observation{Listing: 1, Store: 7, ID: 100, ScrapedName: "Bar"}, Quarantined, 2, "wrong_basis"},
		{"a banner before a city before a store", []Quarantine{{ID: 7, Store: 7}, {ID: 8, City: "here"}, {ID: 9, Banner: "a", Rule: Listed}}, good, Quarantined, 9, "listed"},
		{"a city before a store", []Quarantine{there, {ID: 8, City: "here"}}, good, Quarantined, 8, "listed"},
		{"many rows before one", []Quarantine{row, {ID: 8, Store: 7, Rule: WrongBasis, Listing: 1}}, good, Quarantined, 8, "wrong_basis"},
		// 2026-11-01 has 25 hours in Toronto: from 04:00 to 05:00 the next day in UTC.
		{"the day's first moment", november, at("2026-11-01T04:00:00Z"), Quarantined, 9, "listed"},
		{"before it", november, at("2026-11-01T03:59:59.999999999Z"), Pass, 0, "fits"},
		{"its last moment", november, at("2026-11-02T04:59:59.999999999Z"), Quarantined, 9, "listed"},
		{"after it", november, at("2026-11-02T05:00:00Z"), Pass, 0, "fits"},
		{"a listing that nobody knows", []Quarantine{{ID: 9, Listing: 99}}, Observation{Listing: 99}, Pass, 0, "fits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := testGate(tt.entries...)
			j := g.ForLabel(tt.o.Label()).Judge(tt.o.Store, tt.o.ID, tt.o.ObservedAt)
			var entry int64
			if j.Entry != nil {
				entry = j.Entry.ID
			}
			if j.Verdict != tt.verdict || entry != tt.entry || j.Rule() != tt.rule {
				t.Errorf("%s by entry %d, rule %s (%s)", j.Verdict, entry, j.Rule(), j)
			}
		})
	}
	if err := november[0].Check(); err != nil {
		t.Errorf("an entry for one day: %v", err)
	}
	if got, want := testGate(everywhere).ForLabel(good.Label()).Judge(7, 100, time.Time{}).String(), "quarantined: wrong_product: why"; got != want {
		t.Errorf("reason %q, want %q", got, want)
	}
}

func TestRestateRegular(t *testing.T) {
	for _, tt := range []struct {
		name               string
		regular, effective Price
		verified, want     bool
	}{
		{"unknown", 0, 30000, false, false},
		{"equal", 30000, 30000, false, false},
		{"a cent below", 29999, 30000, false, true},
		{"four times", 120000, 30000, false, false},
		{"above four times", 120001, 30000, false, true},
		{"verified, below", 10000, 30000, true, false},
		{"verified, far above", 990000, 30000, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Observation{
				Regular: tt.regular, Effective: tt.effective, Sale: tt.effective, OnSale: true,
				SaleEndsOn: 9, SaleCondition: Member,
			}
			want := o
			if tt.want {
				want = Observation{Regular: tt.effective, Effective: tt.effective}
			}
			if o.RestateRegular(tt.verified); o != want {
				t.Errorf("got %+v, want %+v", o, want)
			}
		})
	}
}
