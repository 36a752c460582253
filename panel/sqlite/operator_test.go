package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

var operatorTime = time.Date(2026, 11, 21, 7, 0, 0, 5e8, panel.Calendar{}.Zone())

// aside is an entry for SetAside.
func aside(listing, store, observation int64, reason string) panel.Quarantine {
	return panel.Quarantine{Listing: listing, Store: store, Observation: observation, Reason: reason}
}

func TestSetAside(t *testing.T) {
	for _, tt := range []struct {
		name string
		give panel.Quarantine
		want panel.Quarantine // except its time
	}{
		{"a listing", aside(3, 0, 0, " pears\t"), panel.Quarantine{ID: 3, Listing: 3, Reason: "pears"}},
		{"at a store", aside(1, 1, 0, "case; not pack"), panel.Quarantine{ID: 3, Listing: 1, Store: 1, Reason: "case; not pack"}},
		{"one row", aside(1, 0, 1, "typo"), panel.Quarantine{ID: 3, Listing: 1, Store: 1, Observation: 1, Reason: "typo"}},
		{"one row, its store named", aside(1, 1, 1, "typo"), panel.Quarantine{ID: 3, Listing: 1, Store: 1, Observation: 1, Reason: "typo"}},
		{"a row that another rule let go", aside(1, 0, 4, "per lb after all"), panel.Quarantine{ID: 3, Listing: 1, Store: 1, Observation: 4, Reason: "per lb after all"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := imported(t, sound)
			got, err := SetAside(t.Context(), db, tt.give, operatorTime)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.FoundAt = operatorTime.UTC()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("returned: %s", diff)
			}
			stored := loadAll(t, db).Quarantine
			if diff := cmp.Diff(tt.want, stored[len(stored)-1]); diff != "" || len(stored) != 3 {
				t.Errorf("%d stored: %s", len(stored), diff)
			}
			onlyFile(t, db)
		})
	}
}

func TestOperatorIsRefused(t *testing.T) {
	add := func(e panel.Quarantine) func(context.Context, string) error {
		return func(ctx context.Context, db string) error {
			_, err := SetAside(ctx, db, e, operatorTime)
			return err
		}
	}
	release := func(id int64, reason string) func(context.Context, string) error {
		return func(ctx context.Context, db string) error {
			_, err := Lift(ctx, db, id, reason, operatorTime)
			return err
		}
	}
	derived := aside(1, 0, 0, "no")
	derived.Rule = panel.WrongBasis
	for _, tt := range []struct {
		name string
		do   func(context.Context, string) error
		want string
	}{
		{"unknown listing", add(aside(9, 0, 0, "no")), "listing: the snapshot has no retailer product 9"},
		{"everything", add(aside(0, 0, 0, "no")), "it would set every row aside; name a listing, product, banner, store, city or day"},
		{"a row without its listing", add(aside(0, 0, 1, "no")), "an entry for one observation names its listing"},
		{"a row and a day", add(panel.Quarantine{Listing: 1, Observation: 1, To: 1, Reason: "no"}), "an entry for one observation names its listing"},
		{"no such day", add(panel.Quarantine{Listing: 1, From: 2, To: 1, Reason: "no"}), "from 1970-01-03 is after to 1970-01-02"},
		{"unknown product", add(panel.Quarantine{Product: 9, Reason: "no"}), "product: the snapshot has no product 9"},
		{"another product's listing", add(panel.Quarantine{Product: 2, Listing: 1, Reason: "no"}), "product: retailer product 1 is of product 1"},
		{"unknown banner", add(panel.Quarantine{Banner: "no", Reason: "no"}), `banner: the snapshot has no banner "no"`},
		{"another banner's listing", add(panel.Quarantine{Banner: "mart", Listing: 1, Reason: "no"}), `banner: retailer product 1 is of banner "shop"`},
		{"another banner's place", add(panel.Quarantine{Banner: "mart", Store: 1, Reason: "no"}), `store: store 1 is of banner "shop", the entry of "mart"`},
		{"unknown city", add(panel.Quarantine{City: "no", Reason: "no"}), `city: the snapshot has no city "no"`},
		{"another city's store", add(panel.Quarantine{City: "st-there", Store: 1, Reason: "no"}), `city: store 1 is in "here"`},
		{"unknown store", add(aside(1, 9, 0, "no")), "store: the snapshot has no store 9"},
		{"another banner's store", add(aside(1, 2, 0, "no")), `store: store 2 is of banner "mart", retailer product 1 of "shop"`},
		{"unknown row", add(aside(1, 0, 99, "no")), "observation: the snapshot has no observation 99"},
		{"another listing's row", add(aside(1, 0, 5, "no")), "observation: observation 5 is of retailer product 3 at store 3"},
		{"a row of another store", add(aside(1, 3, 1, "no")), "observation: observation 1 is of retailer product 1 at store 1"},
		{"in force", add(aside(1, 0, 0, "no")), "entry 1 sets this aside already (looks wrong, see list)"},
		{"another rule", add(derived), "rule: wrong_basis entries are derived on import; an operator's entry is listed"},
		{"no reason", add(aside(3, 0, 0, "")), "reason: it is blank"},
		{"blank reason", release(1, " \t\u00a0"), "reason: it is blank"},
		{"two lines", release(1, "yes\nno"), "reason: \"yes\\nno\" has a line break"},
		{"two paragraphs", release(1, "yes\u2029no"), "has a line break"},
		{"terminal codes", add(aside(3, 0, 0, "\x1b[2J")), "has a line break or another control character"},
		{"no text", release(1, "\xff"), "reason: it is no UTF-8 text"},
		{"a long story", release(1, strings.Repeat("a", maxNote+1)), "reason: it has 1001 bytes; at most 1000 are kept"},
		{"unknown entry", release(7, "fine"), "the quarantine has no entry 7"},
		{"released", release(2, "fine"), "entry 2 is lifted already (per lb)"},
		{"before all panels", func(ctx context.Context, db string) error {
			_, err := Lift(ctx, db, 1, "fine", time.Time{})
			return err
		}, "now: 0001-01-01T00:00:00Z is not in the years 1970 to 2199"},
		{"interrupted", func(ctx context.Context, db string) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return release(1, "fine")(ctx, db)
		}, context.Canceled.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := imported(t, sound)
			before := content(t, db)
			if err := tt.do(t.Context(), db); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if content(t, db) != before {
				t.Error("the snapshot was changed")
			}
			onlyFile(t, db)
		})
	}
}

func TestOperatorNeedsTheSnapshotAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(db string) (mend func(), err error)
		want  error
		text  string
	}{
		"an import runs": {func(db string) (func(), error) { return atomicfile.Lock(db+".lock", 0o644) }, ErrBusy, "change the quarantine of "},
		"there is none":  {func(db string) (func(), error) { return func() {}, os.Remove(db) }, fs.ErrNotExist, "file does not exist"},
		"it is damaged": {func(db string) (func(), error) {
			text := []byte(content(t, db))
			text[len(text)-1] ^= 1
			return func() {}, os.WriteFile(db, text, 0o644)
		}, ErrChanged, ""},
	} {
		t.Run(name, func(t *testing.T) {
			db := imported(t, sound)
			mend, err := tt.spoil(db)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(db)
			_, err1 := SetAside(t.Context(), db, aside(3, 0, 0, "pears"), operatorTime)
			_, err2 := Lift(t.Context(), db, 1, "fine", operatorTime)
			for _, err := range []error{err1, err2} {
				if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) || !strings.Contains(err.Error(), db) {
					t.Errorf("got %v, want %v with %q", err, tt.want, tt.text)
				}
			}
			mend()
			if after, _ := os.ReadFile(db); string(after) != string(before) {
				t.Error("the snapshot was changed")
			}
			onlyFile(t, db)
		})
	}
}
