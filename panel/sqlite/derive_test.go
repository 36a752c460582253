package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/shrink"
)

// An event that is recorded already, in whatever unit or only as texts, is not
// recorded again; one whose id is taken gets another.
func TestEventsAreRecordedOnce(t *testing.T) {
	rows := obsHeader
	for i, size := range []string{"750 mL", "750 mL", "650 mL", "650 mL", "650 mL"} {
		rows += fmt.Sprintf("%d,1,1,,,3.49,,%s,,0,,,MILK 2L,2026-07-%dT12:00:00Z,,\n", 11+i, size, 15+i)
	}
	events := sound["shrink_events.csv"][:strings.Index(sound["shrink_events.csv"], "\n")+1]
	plain := sound.with(files{"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-"})
	derived := shrink.EventID(1, 750, 650)
	for _, tt := range []struct {
		name, events string
		want         []int64
	}{
		{"none yet", "", []int64{derived}},
		{"recorded", "7,1,,,750,650,mL,-13.3333,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded in litres", "7,1,,,0.75,0.65,L,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded as texts", "7,1,750 mL,0.65 L,,,,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"recorded without a unit", "7,1,,,750,650,,,,,,,2026-07-20T12:00:00Z,\n", []int64{7}},
		{"of other sizes", "7,1,,,750,700,mL,,,,,,2026-07-20T12:00:00Z,\n", []int64{7, derived}},
		{"of another label", "7,2,,,750,650,mL,,,,,,2026-07-20T12:00:00Z,\n", []int64{7, derived}},
		{"its id is taken", fmt.Sprintf("%d,1,,,1,0.5,L,,,,,,2026-07-20T12:00:00Z,\n", derived), []int64{derived, derived + 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := plain
			if tt.events != "" {
				f = plain.with(files{"shrink_events.csv": events + tt.events})
			}
			var got []int64
			for _, e := range loadAll(t, imported(t, f)).Events {
				got = append(got, e.ID)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("events %v, want %v", got, tt.want)
			}
		})
	}
}

// What was derived from the rows is not derived anew when they are exported and
// imported, nor when something else about the panel changes.
func TestDerivedOnceOnly(t *testing.T) {
	rows := obsHeader
	id := 10
	add := func(listing, store int, price string, n int) {
		for range n {
			id++
			rows += fmt.Sprintf("%d,%d,%d,,,%s,,,,0,,,,2026-07-15T12:%02d:00Z,,\n", id, listing, store, price, id)
		}
	}
	// The median is 10.00; with the rows of 31.00 left out it would be 9.00, and
	// 29.00 more than three times that.
	add(1, 1, "10.00", 2)
	add(1, 3, "9.00", 7)
	add(4, 1, "29.00", 4)
	add(4, 3, "31.00", 4)
	f := sound.with(files{
		"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-",
		"stores.csv":            strings.Replace(sound["stores.csv"], "3,shop,st-there,0,1", "3,shop,st-there,1,1", 1),
		"retailer_products.csv": sound["retailer_products.csv"] + "4,1,shop,,MILK TOO,,,1\n",
	})
	db := imported(t, f)
	first := loadAll(t, db).Quarantine
	if len(first) == 0 {
		t.Fatal("nothing is derived: it tests nothing")
	}
	again := loadAll(t, imported(t, exported(t, db))).Quarantine
	if diff := gocmp.Diff(first, again); diff != "" {
		t.Errorf("exported and imported: %s", diff)
	}
	s := into(t, f.with(files{"cities.csv": strings.Replace(sound["cities.csv"], "Here", "Over here", 1)}), db)
	if s.Quarantined != 0 || s.Total().Updated != 1 || !s.Changed {
		t.Errorf("a city is renamed: %s", s)
	}
	if diff := gocmp.Diff(first, loadAll(t, db).Quarantine); diff != "" {
		t.Errorf("a city is renamed: %s", diff)
	}
}
