package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

var correctedAt = time.Date(2026, 8, 3, 9, 0, 0, 0, time.UTC)

// intoAs imports a directory, with corrections for the given reason.
func intoAs(t *testing.T, dir, db, reason string) Summary {
	t.Helper()
	s, err := Import(context.Background(), dir, db, ImportOptions{Correct: reason, Now: correctedAt, Detect: shrink.Detect})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A price is sent twice over, by id and without one. Each step is one import into
// the same snapshot: its price, the reason of corrections, what it does, and the
// rows and entries then.
func TestCorrections(t *testing.T) {
	const first, second, third = "4503599627370496", "4503599627370497", "4503599627370498"
	for _, id := range []string{"4", ""} {
		row := func(id, price string) string {
			return id + ",1,1,,," + price + ",,2 L,1,0,,member,MILK 2L,2026-07-22T12:00:00Z,,"
		}
		entry := func(of, by, reason string) string {
			return fmt.Sprintf("1,1,by observation %s: %s,%s,corrected,2026-08-03T09:00:00Z,0", by, reason, of)
		}
		db := imported(t, sound.with(files{"quarantine.csv": "-", "shrink_events.csv": "-"}))
		var rows, entries []string
		rows = append(rows, row("4", "3.59"))
		for _, step := range []struct {
			price, reason, does string
			row, entry          string
		}{
			{"3.59", "", "nothing changed: all 1 rows are there already", "", ""},
			{"3.59", "no", "nothing changed: all 1 rows are there already", "", ""},
			{"359.00", "", "nothing changed: observations 1 rejected", "", ""},
			{"359.00", "typed in cents", "observations 1 corrected", row(first, "359.00"), entry("4", first, "typed in cents")},
			{"359.00", "typed in cents", "nothing changed: all 1 rows are there already", "", ""},
			{"359.00", "", "nothing changed: all 1 rows are there already", "", ""},
			{"3.49", "a typing error", "observations 1 corrected", row(second, "3.49"), entry(first, second, "a typing error")},
			{"3.49", "a typing error", "nothing changed: all 1 rows are there already", "", ""},
			{"3.59", "it is there, and set aside", "nothing changed: all 1 rows are there already", "", ""},
			{"3.48", "the third", "observations 1 corrected", row(third, "3.48"), entry(second, third, "the third")},
		} {
			f := files{"observations.csv": obsHeader + row(id, step.price) + "\n"}
			for name, content := range sound {
				if name != "observations.csv" && name != "quarantine.csv" && name != "shrink_events.csv" {
					f[name] = content[:strings.Index(content, "\n")+1]
				}
			}
			s := intoAs(t, f.write(t), db, step.reason)
			if got := s.String(); got != step.does && !strings.HasPrefix(got, step.does+";") {
				t.Fatalf("id %q, %s: %s, want %s", id, step.price, got, step.does)
			}
			if s.Total().Rejected > 0 && !strings.Contains(s.Reasons[0].First.Reason, `--correct "REASON"`) {
				t.Errorf("no way out is named: %s", s.Reasons[0].First.Reason)
			}
			if step.row != "" {
				rows, entries = append(rows, step.row), append(entries, step.entry)
			}
			out := exported(t, db)
			for _, want := range slices.Concat(rows, entries) {
				if n := strings.Count(out["observations.csv"]+out["quarantine.csv"], "\n"+want+"\n"); n != 1 {
					t.Errorf("id %q, %s: %d times %s", id, step.price, n, want)
				}
			}
			if got := strings.Count(out["observations.csv"], "\n"); got != 4+len(rows) {
				t.Errorf("id %q, %s: %d lines of rows", id, step.price, got)
			}
			if diff := gocmp.Diff(out, exported(t, imported(t, out))); diff != "" {
				t.Errorf("id %q, %s: exported and imported: %s", id, step.price, diff)
			}
			var passing []string
			all := loadAll(t, db)
			for i := range all.Rows.Len() {
				if o := all.Rows.At(i); o.Listing == 1 && o.Store == 1 && o.ObservedAt.Day() == 22 && o.Verdict == panel.Pass {
					passing = append(passing, row(fmt.Sprint(o.ID), o.Effective.String()))
				}
			}
			if newest := rows[len(rows)-1]; len(passing) != 1 || strings.Split(passing[0], ",")[0] != strings.Split(newest, ",")[0] {
				t.Errorf("id %q, %s: passing %q, want %q", id, step.price, passing, newest)
			}
		}
		// A new row without an id gets the next one below the corrections.
		into(t, sound.with(files{"quarantine.csv": "-", "shrink_events.csv": "-", "observations.csv": obsHeader + ",1,1,,,3.39,,2 L,1,0,,,MILK 2L,2026-07-29T12:00:00Z,,\n"}), db)
		if out := exported(t, db)["observations.csv"]; !strings.Contains(out, "\n6,1,1,,,3.39,") {
			t.Errorf("the new row is not 6: %s", out)
		}
	}
}

// Rows that no correction can be made of are refused, also with a reason.
func TestCorrectionsRefused(t *testing.T) {
	twice := sound.add("observations.csv", "8,1,1,,,3.57,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,\n").with(files{"quarantine.csv": "-", "shrink_events.csv": "-"})
	noted := "retailer_product_id,store_id,reason,observation_id,rule\n1,,by hand,4,corrected\n"
	itself := strings.Replace(noted, "by hand", "by observation 4: itself", 1)
	for _, tt := range []struct {
		name, rows, entries string
		want                string
	}{
		{"another store", "5,1,1,,,0.1234,,1 kg,,0,,,,2026-07-22T12:00:00Z,,", "-", "id: the snapshot has observation 5 with another retailer_product_id; observations are never overwritten"},
		{"another time", "4,1,1,,,3.58,,2 L,1,0,,member,MILK 2L,2026-07-22T12:00:01Z,,", "-", "id: the snapshot has observation 4 with another effective_price; observations are never overwritten"},
		{"one of two, without an id", ",1,1,,,3.58,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,", "-", "the snapshot has 2 observations of retailer product 1 at store 1 at that time; give the row the id of the one that it corrects"},
		{"the file has it twice", "4,1,1,,,3.58,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,\n4,1,1,,,3.57,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,", "-", "id: 4 stands in the file before: keep one of the rows"},
		{"the file has it twice, without an id", ",3,3,,,0.2345,,1 kg,,0,,,,2026-07-22T12:00:00Z,,\n,3,3,,,0.3456,,1 kg,,0,,,,2026-07-22T12:00:00Z,,", "-", "the file has another row of retailer product 3 at store 3 at that time: keep one of the rows, or give both an id"},
		{"an entry that names its own row", "4,1,1,,,3.58,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,", itself, "id: observation 4 is corrected, and the snapshot lacks the observation that its quarantine entry names"},
		{"an entry without a correction", "4,1,1,,,3.58,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00Z,,", noted, "id: observation 4 is corrected, and the snapshot lacks the observation that its quarantine entry names"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := imported(t, twice.with(files{"quarantine.csv": tt.entries}))
			f := twice.with(files{"observations.csv": obsHeader + tt.rows + "\n"})
			if s := intoAs(t, f.write(t), db, "why"); s.Total().Rejected != 1 || s.Reasons[0].First.Reason != tt.want {
				t.Errorf("got %v, want %s", s.Reasons, tt.want)
			}
		})
	}
	for reason, want := range map[string]string{" ": "reason: it is blank", "a\nb": "has a line break"} {
		_, err := Import(context.Background(), sound.write(t), filepath.Join(t.TempDir(), "panel.db"), ImportOptions{Correct: reason, Now: correctedAt})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("reason %q: got %v, want %s", reason, err, want)
		}
	}
}

// TestActsAreRows queries what was done to entries: each act is a row with its time, its reason and the ids
// that it is about.
func TestActsAreRows(t *testing.T) {
	db := imported(t, sound)
	intoAs(t, sound.with(files{"observations.csv": strings.Replace(sound["observations.csv"], "3.59", "3.58", 1)}).write(t), db, "a typing error")
	for _, decide := range []func() error{
		func() error { _, err := Lift(t.Context(), db, 1, "fine", operatorTime); return err },
		func() error { _, err := SetAside(t.Context(), db, aside(1, 0, 0, "no"), operatorTime); return err },
	} {
		if err := decide(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := open(db, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var got []string
	c.each("SELECT entry_id, act, reason, observation_id FROM acts ORDER BY id", func(r row) {
		got = append(got, fmt.Sprint([]any(nil), r)[3:])
	})
	want := []string{
		"[2 lifted <nil> <nil>]", "[3 corrected a typing error 4503599627370496]", "[1 lifted fine <nil>]", "[1 restored no <nil>]",
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
