package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// TestEventsAreRecordedOnce imports events that are recorded already, in other units or as
// texts. They are not recorded again. An event whose id is taken gets another.
func TestEventsAreRecordedOnce(t *testing.T) {
	rows := obsHeader
	for i, size := range []string{"750 mL", "750 mL", "650 mL", "650 mL", "650 mL"} {
		rows += fmt.Sprintf("%d,1,1,,,3.49,,%s,,0,,,MILK 2L,2026-07-%dT12:00:00Z,,\n", 11+i, size, 15+i)
	}
	events := sound["shrink_events.csv"][:strings.Index(sound["shrink_events.csv"], "\n")+1]
	plain := sound.with(files{"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-"})
	const derived = 3230736841282146 // FNV-1a of "1 750 650": low 52 bits xor high 12
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

// TestLateRowsChangeEvents imports a row of the larger pack after the event that it contradicts. The
// event goes, as if all rows had come at once; one that a file gave stays.
func TestLateRowsChangeEvents(t *testing.T) {
	row := func(id int, size, at string) string {
		return fmt.Sprintf("%d,1,1,,,3.49,,%s,,0,,,MILK 2L,2026-07-%sT12:00:00Z,,\n", id, size, at)
	}
	rows := obsHeader + row(11, "750 mL", "15") + row(12, "750 mL", "16") + row(13, "650 mL", "17") + row(14, "650 mL", "19") + row(15, "650 mL", "20")
	first := sound.with(files{"observations.csv": rows, "quarantine.csv": "-", "shrink_events.csv": "-", "product_specs.csv": "-"})
	db := imported(t, first)
	given := imported(t, exported(t, db))
	if n := len(loadAll(t, db).Events); n != 1 {
		t.Fatalf("%d events before", n)
	}
	late := files{"observations.csv": obsHeader + row(16, "750 mL", "18")}
	if s := into(t, late, db); s.Unshrunk != 1 || !strings.Contains(s.String(), "1 pack no longer found to have shrunk") {
		t.Error(s)
	}
	if s := into(t, late, given); s.Unshrunk != 0 {
		t.Error(s)
	}
	if got, kept := len(loadAll(t, db).Events), len(loadAll(t, given).Events); got != 0 || kept != 1 {
		t.Errorf("%d events that import detected, %d that a file gave", got, kept)
	}
}

// TestSeveralSizes reads the package sizes of listings. Only those of several sizes of a pack can have shrunk.
func TestSeveralSizes(t *testing.T) {
	im := &importer{refs: refs{
		products: map[any]basket.Product{int64(1): {ID: 1, Unit: basket.Gram}, int64(2): {ID: 2, Unit: basket.Gram, SoldBy: basket.ByKilogram}},
		listings: map[any]panel.Listing{int64(1): {ID: 1, ProductID: 1}, int64(2): {ID: 2, ProductID: 2}},
	}}
	for texts, want := range map[string]bool{
		"": false, "750 g": false, "750 g|0.75 kg|5 x 150 g": false, "750 g||fresh|650 mL|12 ct": false,
		"750 g|per kg|/lb|100 g by weight": false, "750 g|650 g": true, "fresh|650 g|750 mL|0,75 kg": true,
	} {
		for listing := range int64(2) {
			labels := []panel.Label{{}}
			for text := range strings.SplitSeq(texts, "|") {
				labels = append(labels, panel.Label{Listing: 1 + listing, PackageSize: text})
			}
			want := want && listing == 0
			if got := im.severalSizes(labels); (len(got) == len(labels)-1) != want || want == (got == nil) {
				t.Errorf("%q of listing %d: %v, want %t", texts, 1+listing, got, want)
			}
		}
	}
}
