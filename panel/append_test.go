package panel

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// same fails if two panels differ in a series, a week, a bit of a price, a count or a word.
func same(t rapid.TB, got, want *Panel) {
	t.Helper()
	if !slices.Equal(got.Series(), want.Series()) || !slices.Equal(got.Weeks(), want.Weeks()) ||
		got.Counts() != want.Counts() || *got.About() != *want.About() {
		t.Fatalf("the panel has %v, %v, %+v, %+v; of all rows it has %v, %v, %+v, %+v", got.Series(), got.Weeks(),
			got.Counts(), got.About(), want.Series(), want.Weeks(), want.Counts(), want.About())
	}
	for k := range want.Weeks() {
		for i, log := range want.LogPrices(k) {
			if math.Float64bits(got.LogPrices(k)[i]) != math.Float64bits(log) {
				t.Fatalf("series %d in week %s: %v, not %v", i, want.Weeks()[k], got.LogPrices(k)[i], log)
			}
		}
	}
}

// TestAppend appends rows in several runs, in the order of their weeks: after each run the panel equals the
// one built of all rows so far, and those before it are as they were. The clock is Tokyo's.
func TestAppend(t *testing.T) {
	tokyo, err := NewCalendar("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	evening := time.Date(2026, 7, 19, 20, 0, 0, 0, time.UTC) // Monday in Tokyo
	row := rapid.Custom(func(r *rapid.T) Observation {
		o := Observation{
			Listing:   rapid.SampledFrom([]int64{1, 2, 4, 5, 6, 5_000_000}).Draw(r, "listing"),
			Store:     rapid.SampledFrom([]int64{1, 2, 5}).Draw(r, "store"),
			Effective: Price(rapid.Int64Range(1, 99_9999).Draw(r, "price")), ObservedAt: evening,
			Verdict: rapid.SampledFrom([]Verdict{Pass, Pass, Quarantined}).Draw(r, "verdict"),
		}
		if o.Listing == 4 {
			o.Store = 4
		}
		return o
	})
	rapid.Check(t, func(r *rapid.T) {
		build := func(rows []Observation) *Panel {
			b := goodBuilder(t)
			b.p.base = Calendar{}.WeekOf(noon)
			b.p.about.calendar, b.weekOf = tokyo, tokyo.Weeks()
			for i := range rows {
				if err := b.Observe(&rows[i]); err != nil {
					r.Fatal(err)
				}
			}
			p, err := b.Build()
			if err != nil {
				r.Fatal(err)
			}
			return p
		}
		var rows []Observation
		panels, lengths, week := []*Panel{build(nil)}, []int{0}, 0
		for range 5 {
			week += rapid.IntRange(0, 1).Draw(r, "weeks later")
			run := rapid.SliceOfN(row, 0, 9).Draw(r, "run")
			for i := range run {
				run[i].ObservedAt = evening.AddDate(0, 0, 7*week).Add(time.Duration(i))
			}
			p, err := panels[len(panels)-1].Append(run)
			if err != nil {
				r.Fatal(err)
			}
			rows = append(rows, run...)
			panels, lengths = append(panels, p), append(lengths, len(rows))
		}
		for i, p := range panels {
			same(r, p, build(rows[:lengths[i]]))
		}
	})
}

func TestAppendRefuses(t *testing.T) {
	b := goodBuilder(t)
	good := Observation{Listing: 2, Store: 1, Effective: 1_0000, ObservedAt: noon}
	if err := b.Observe(&good); err != nil {
		t.Fatal(err)
	}
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	unknown, early, foreign := good, good, good
	unknown.Listing, foreign.Store = 99, 3
	early.ObservedAt = noon.AddDate(0, 0, -7)
	for want, bad := range map[string]Observation{
		"listing 99 at store 1 (number 2 added): listing 99 is unknown": unknown,
		`listing 2 is of banner "x", store 3 of banner "y"`:             foreign,
		"its week, 2026-07-12, is before 2026-07-19":                    early,
	} {
		if _, err := p.Append([]Observation{good, bad}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	for _, p := range []*Panel{nil, {regular: true}} {
		if _, err := p.Append(nil); err == nil {
			t.Error("rows were appended")
		}
	}
}
