package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestTimeZone imports rows beside Tokyo's Monday 00:00 to 09:00, which is Sunday in UTC, with the setting and before
// it. A new time zone judges all rows anew, so both ways give the same snapshot.
func TestTimeZone(t *testing.T) {
	zone := files{"settings.csv": "key,value\nbase_week,2026-07-12\ntime_zone,Asia/Tokyo\n"}
	rows := obsHeader
	for id, at := range []string{"12T14:59:59Z", "12T15:00:00Z", "12T23:59:59Z", "19T14:59:59Z", "19T15:00:00Z"} {
		rows += fmt.Sprintf("%d,1,1,,,3.49,,2 L,1,0,,,MILK 2L,2026-07-%s,,\n", id+10, at)
	}
	// A price of cents for dollars. In Tokyo an operator's entry covers it, so none is derived.
	rows += "20,1,1,,,0.03,,2 L,1,0,,,MILK 2L,2026-07-19T16:00:00Z,,\n"
	before := sound.with(files{
		"settings.csv": "key,value\nbase_week,2026-07-12\n", "observations.csv": rows,
		"quarantine.csv": "retailer_product_id,store_id,reason,product_id,from\n,,from Monday on,1,2026-07-20\n", "shrink_events.csv": "-", "index_v1.csv": "-",
	})
	told := func(db string) string {
		all, err := LoadAll(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(all.Panel.Weeks(), all.Panel.Counts(), all.Panel.LogPrices(0))
		for _, e := range all.Quarantine {
			if !e.Released { // else it was withdrawn
				text += fmt.Sprintf("\n%d %s %s %s", e.Listing, e.Rule, e.FoundAt, e.Reason)
			}
		}
		return text
	}
	db := filepath.Join(t.TempDir(), "panel.db")
	into(t, before, db)
	canadian := told(db)
	into(t, before.with(zone), db)
	changed, fresh := told(db), told(imported(t, before.with(zone)))
	if changed != fresh || !strings.HasPrefix(fresh, "[2026-07-12 2026-07-19] {6 ") || !strings.HasPrefix(canadian, "[2026-07-12 2026-07-19] {6 ") || canadian == fresh {
		t.Errorf("changed:\n%s\nimported anew:\n%s\nin Toronto:\n%s", changed, fresh, canadian)
	}
}
