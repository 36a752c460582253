package state

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// dump returns all rows of a state.
func dump(t *testing.T, db *DB) string {
	t.Helper()
	var b strings.Builder
	for _, table := range tables {
		rows := must(db.readers.Query("SELECT * FROM " + table + " ORDER BY 1, 2, 3"))
		columns := must(rows.Columns())
		n := 0
		for ; rows.Next(); n++ {
			row, at := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				at[i] = &row[i]
			}
			check(rows.Scan(at...))
			fmt.Fprintln(&b, table, columns, row)
		}
		check(errors.Join(rows.Err(), rows.Close()))
		if n == 0 {
			t.Errorf("%s is empty: nothing would be compared", table)
		}
	}
	return b.String()
}

// TestCopy copies a state from a file into a database. Every row is the same; secrets and sessions hold, and new
// keys go on from the last id. When
// the database is gone, the error names it.
func TestCopy(t *testing.T) {
	t.Parallel()
	clock := newClock()
	from := open(t, filepath.Join(t.TempDir(), "from.db"), Options{Serve: true, Now: clock.now})
	var to *DB
	t.Run("server", func(t *testing.T) { // PostgreSQL ends with it
		database := pgtest.Database(t, pgtest.Start(t, "fsync=off"))
		to = must(Open(t.Context(), database, Options{Serve: true, Now: clock.now}))
		testCopy(t, from, to)
	})
	if to == nil {
		return // there is no PostgreSQL
	}
	defer to.Close()
	if _, _, err := Copy(t.Context(), from, to); !errors.Is(err, ErrUnavailable) ||
		!strings.Contains(err.Error(), to.path) || strings.Contains(err.Error(), from.path) {
		t.Errorf("without PostgreSQL: %v", err)
	}
}

func testCopy(t *testing.T, from, to *DB) {
	k, _ := newKey(t, from, NewKey{Name: "Überall", PerMonth: 100_000})
	disabled, _ := newKey(t, from, NewKey{Tier: Enterprise})
	_, secret := must2(from.RotateKey(t.Context(), k.ID, time.Hour))
	must(from.DisableKey(t.Context(), disabled.ID))
	must2(from.NewLink(t.Context(), k.ID))
	session, _ := must2(from.SignIn(t.Context(), secret))
	const requests = 537
	for i := range requests {
		e := ok(k)
		if e.Query = fmt.Sprintf("n=%d", i); i >= requests-30 {
			e.Status = 429 // beyond the first 20 these share a row
		}
		check(from.Append(t.Context(), e))
	}
	last := ok(k)
	last.Limit = k.Limits.PerMonth
	check(from.Append(t.Context(), last))
	if keys, n, err := Copy(t.Context(), from, to); keys != 2 || n != requests-10+1 || err != nil {
		t.Fatalf("copied %d keys and %d requests, %v", keys, n, err)
	}
	if _, _, err := Copy(t.Context(), from, to); err == nil || !strings.Contains(err.Error(), "it has keys already") {
		t.Errorf("again: %v", err)
	}
	if got, want := dump(t, to), dump(t, from); got != want {
		t.Errorf("copied is\n%.2000s\nwant\n%.2000s", got, want)
	}
	if got, err := to.Lookup(t.Context(), secret); err != nil || got.ID != k.ID || got.Name != "Überall" {
		t.Errorf("the key is %+v, %v", got, err)
	}
	if got, err := to.Session(t.Context(), session); err != nil || got.Key.ID != k.ID {
		t.Errorf("the session is %+v, %v", got, err)
	}
	if next, _ := newKey(t, to, NewKey{}); next.ID != disabled.ID+1 {
		t.Errorf("the next key is %d", next.ID)
	}
	check(to.Append(t.Context(), ok(k)))
}
