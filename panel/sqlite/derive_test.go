package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
