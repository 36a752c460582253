package panel_test

import (
	"errors"
	"iter"
	"math"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

var rowsGate = func(entries ...panel.Quarantine) *panel.Gate {
	products := []basket.Product{{ID: 1, Name: "Milk", Unit: basket.Millilitre, StandardSize: 2000, Active: true}}
	listings := []panel.Listing{{ID: 5, ProductID: 1, Banner: "a", Active: true}, {ID: 6, ProductID: 1, Banner: "a", Active: true}}
	specs := []basket.Spec{{ProductID: 1, Forbid: []string{"oat"}}}
	return panel.NewGate(panel.Calendar{}, products, nil, listings, specs, entries)
}

func sequence(rows []panel.Observation, err error) iter.Seq2[*panel.Observation, error] {
	return func(yield func(*panel.Observation, error) bool) {
		var o panel.Observation // one for all, as readers of files do
		for _, o = range rows {
			if !yield(&o, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// wholeRows have every member set to something that could be lost.
func wholeRows() []panel.Observation {
	at := time.Date(2026, 7, 15, 12, 0, 0, 500, time.UTC)
	return []panel.Observation{
		{ID: 3, Listing: 5, Store: 1, Effective: 30000, ObservedAt: at},
		{ID: 9, Listing: 5, Store: 2, Effective: 1, ObservedAt: at, ScrapedName: "Oat milk", InStock: panel.No, SaleCondition: panel.Member},
		{
			ID: 1, Listing: 6, Store: 1 << 40, Regular: 40000, Sale: 30000, Effective: 35000, UnitPrice: 0.00175, PackageSize: "2 L",
			InStock: panel.Yes, OnSale: true, SaleEndsOn: panel.DateOf(2026, 7, 22), SaleCondition: panel.MultiBuy, ScrapedName: "Lait",
			ObservedAt: at.Add(time.Nanosecond), RegularSource: panel.AssumedEqual, PromoDetail: `{"packagePrice":4}`,
		},
		{ID: 2, Listing: 6, Store: 3, Effective: 35000, ObservedAt: at.Add(time.Hour), SaleEndsOn: -5, RegularSource: panel.Derived},
	}
}

func TestRowsBetween(t *testing.T) {
	given := wholeRows()
	rows, err := panel.NewRows(rowsGate(), sequence(given, nil))
	if err != nil {
		t.Fatal(err)
	}
	at := given[0].ObservedAt
	for _, tt := range []struct {
		from, to time.Time
		lo, hi   int
	}{
		{at.Add(-time.Hour), at, 0, 0},
		{at, at.Add(time.Nanosecond), 0, 2},
		{at.Add(time.Nanosecond), at.Add(2 * time.Nanosecond), 2, 3},
		{at, at.Add(2 * time.Hour), 0, 4},
		{at.Add(2 * time.Hour), at.Add(3 * time.Hour), 4, 4},
		{at.Add(time.Minute), at, 3, 3}, // from after to
		{time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 0, 4},
		{time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 4, 4},
	} {
		if lo, hi := rows.Between(tt.from, tt.to); lo != tt.lo || hi != tt.hi {
			t.Errorf("from %s to %s: rows %d to %d, want %d to %d", tt.from, tt.to, lo, hi, tt.lo, tt.hi)
		}
	}
	empty, err := panel.NewRows(rowsGate(), sequence(nil, nil))
	if lo, hi := empty.Between(at, at.Add(time.Hour)); err != nil || lo != 0 || hi != 0 || empty.Len() != 0 {
		t.Errorf("of no rows: %d to %d, %v", lo, hi, err)
	}
}

func TestRowsReportTheSequencesError(t *testing.T) {
	broken := errors.New("broken")
	if rows, err := panel.NewRows(rowsGate(), sequence(wholeRows(), broken)); !errors.Is(err, broken) || rows != nil {
		t.Errorf("got %v, %v", rows, err)
	}
}

// TestRowsRefuse adds observations that no panel can hold, one member at a time.
func TestRowsRefuse(t *testing.T) {
	for want, change := range map[string]func(o *panel.Observation){
		"effective price -49900 ten-thousandths: not above 0 and up to 10000000.00":                 func(o *panel.Observation) { o.Effective = -49900 },
		"regular price -1 ten-thousandths: not 0 for none, or above 0 and up to 10000000.00":        func(o *panel.Observation) { o.Regular = -1 },
		"sale price 100000000001 ten-thousandths: not 0 for none, or above 0 and up to 10000000.00": func(o *panel.Observation) { o.Sale = 1e11 + 1 },
		"observed at 1754-07-15 12:00:00 +0000 UTC: not in the years 1970 to 2199":                  func(o *panel.Observation) { o.ObservedAt = time.Date(1754, 7, 15, 12, 0, 0, 0, time.UTC) },
		"unit price NaN: not a number from 0":                                                       func(o *panel.Observation) { o.UnitPrice = math.NaN() },
		"unit price +Inf: not a number from 0":                                                      func(o *panel.Observation) { o.UnitPrice = math.Inf(1) },
		"in stock: no such value: 7":                                                                func(o *panel.Observation) { o.InStock = 7 },
		"no such sale condition: 3":                                                                 func(o *panel.Observation) { o.SaleCondition = 3 },
		"no such source of a regular price: 4":                                                      func(o *panel.Observation) { o.RegularSource = 4 },
		"listing 0: not above 0":                                                                    func(o *panel.Observation) { o.Listing = 0 },
		"store -1: not above 0":                                                                     func(o *panel.Observation) { o.Store = -1 },
		"id -1: below 0":                                                                            func(o *panel.Observation) { o.ID = -1 },
	} {
		list := wholeRows()
		change(&list[1])
		rows, err := panel.NewRows(rowsGate(), sequence(list, nil))
		var bad *panel.RecordError
		if !errors.As(err, &bad) || bad.Index != 1 || bad.Err.Error() != want || rows != nil {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
