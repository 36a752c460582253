package check

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

// TestWarnings tries each rule at its bound and just short of it.
func TestWarnings(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	seen := new(now.AddDate(0, 0, -10))
	product := func(dropped, rows int) FilteredGroup {
		return FilteredGroup{Name: "1 Milk", Filtered: dropped, Rows: rows, Reason: "quarantined: listed: not ours"}
	}
	for _, x := range []struct {
		code   string
		change func(*Report)
		want   []string
	}{
		{"empty_index", func(r *Report) { r.Weeks.Priced = nil }, []string{"no week has a price that counts in the index"}},
		{"unpriced_base_week", func(r *Report) { r.Weeks.Priced = []panel.Week{week1.Add(1)} },
			[]string{"no price counts in the base week 2026-01-11, so no category can be published"}},
		{"missing_weeks", func(r *Report) { r.Weeks.Missing = []panel.Week{week1.Add(1), week1.Add(2)} },
			[]string{"no price counts in the week 2026-01-18", "no price counts in the week 2026-01-25"}},
		{"attrition", func(r *Report) {
			r.Attrition = &Attrition{Base: 10, Weeks: []WeekOfUse{{Week: week1, Matched: 9}, {Week: week1.Add(1), Matched: 6}}}
		}, []string{"6 of the 10 series of the base week are priced in the week 2026-01-18 (60.0%)"}},
		{"future_rows", func(r *Report) { r.Health.Ahead = 1 }, []string{"1 row dated after 2026-03-20"}},
		{"future_rows", func(r *Report) { r.Health.Ahead = 2 }, []string{"2 rows dated after 2026-03-20"}},
		{"much_filtered", func(r *Report) {
			r.Filtered.Products = []FilteredGroup{product(4, 20), product(3, 20), product(19, 19), product(20, 101)}
		}, []string{"1 Milk: 4 of 20 rows (20.0%); the newest because listed: not ours"}},
		{"collection_stopped", func(r *Report) {
			r.Health.Gaps = []Gap{{From: week1, To: week1, Weeks: 1}, {City: "Halifax", From: week1, To: week1.Add(1), Weeks: 2, Lasting: true}}
		}, []string{"Halifax, all banners: nothing since the week before 2026-01-11 (2 closed weeks)"}},
		{"silent_stores", func(r *Report) {
			r.Health.Places = []PlaceSeen{{"tern", "Halifax", 3, seen, []SilentStore{{1, seen}, {2, nil}}}}
		}, []string{"tern in Halifax: store 1 (last 2026-03-10), store 2 (never)"}},
		{"silent_stores", func(r *Report) {
			r.Health.Places = []PlaceSeen{{"auk", "Halifax", 1, nil, []SilentStore{{1, nil}}}, {"tern", "Halifax", 1, seen, []SilentStore{{2, seen}}}}
		}, []string{"none of the 2 active stores was seen since 2026-03-10"}},
		{"silent_stores", func(r *Report) {
			r.Health.Places = []PlaceSeen{{"auk", "Halifax", 2, nil, []SilentStore{{ID: 1}, {ID: 2}}}}
		}, []string{"none of the 2 active stores was seen: there is no row of theirs"}},
		{"silent_stores", func(r *Report) {
			r.Health.Places = []PlaceSeen{{"auk", "Halifax", 1, nil, []SilentStore{{ID: 1}}}}
		}, []string{"auk in Halifax: store 1 (never)"}},
	} {
		r := &Report{Now: now, Weeks: ReportWeeks{Base: week1, Priced: []panel.Week{week1}}, Filtered: &Filtered{}, Health: &Health{},
			Attrition: &Attrition{Base: 10, Weeks: []WeekOfUse{{Week: week1, Matched: 7}}}}
		if found := findingsOf(r); found != nil {
			t.Errorf("without a reason: %q", found)
		}
		x.change(r)
		if diff := cmp.Diff([]Finding{{x.code, x.want}}, findingsOf(r)); diff != "" {
			t.Errorf("%s: -want +got\n%s", x.code, diff)
		}
	}
}
