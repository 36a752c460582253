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
		rows, err := db.readers.Query("SELECT * FROM " + table + " ORDER BY 1, 2, 3")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for ; rows.Next(); n++ {
			row, at := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				at[i] = &row[i]
			}
			if err := rows.Scan(at...); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, table, columns, row)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			t.Errorf("%s is empty: nothing would be compared", table)
		}
	}
	return b.String()
}

// TestCopy copies a state from a file into a database, and from there into another file. Every row
// is the same, secrets and sessions hold, and new keys go on from the last id.
func TestCopy(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, "fsync=off")
	clock := newClock()
	from := open(t, filepath.Join(t.TempDir(), "from.db"), Options{Serve: true, Now: clock.now})
	k, _ := newKey(t, from, NewKey{Name: "Überall", PerMonth: 100_000})
	disabled, _ := newKey(t, from, NewKey{Tier: Enterprise})
	_, secret, err := from.RotateKey(t.Context(), k.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := from.DisableKey(t.Context(), disabled.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := from.NewLink(t.Context(), k.ID); err != nil {
		t.Fatal(err)
	}
	session, _, err := from.SignIn(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	const requests = 537
	for i := range requests {
		e := ok(k)
		if e.Query = fmt.Sprintf("n=%d", i); i >= requests-30 {
			e.Status = 429 // beyond the first 20 these have no rows
		}
		if err := from.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	const plain, old = "n=0&city=\uFFFD", "n=0&city=\x00"
	if _, err := from.writer.pool.Exec("UPDATE requests SET query = $1 WHERE query = 'n=0'", old); err != nil {
		t.Fatal(err)
	}
	if err := counted(t, from, k, ok(k)); err != nil {
		t.Fatal(err)
	}
	to := open(t, pgtest.Database(t, server), Options{Serve: true, Now: clock.now})
	want := Copied{Keys: 2, Requests: requests - 10 + 1}
	n, err := Copy(t.Context(), from, to)
	if err != nil || n != want {
		t.Fatalf("copied %+v, %v; want %+v", n, err, want)
	}
	if _, err := Copy(t.Context(), from, to); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("again: %v", err)
	}
	before := strings.Replace(dump(t, from), old, plain, 1)
	for _, db := range []*DB{to} {
		if got := dump(t, db); got != before {
			t.Errorf("copied is\n%.2000s\nwant\n%.2000s", got, before)
		}
		if got, err := db.Lookup(t.Context(), secret); err != nil || got.ID != k.ID || got.Name != "Überall" {
			t.Errorf("the key is %+v, %v", got, err)
		}
		if got, err := db.Session(t.Context(), session); err != nil || got.Key.ID != k.ID {
			t.Errorf("the session is %+v, %v", got, err)
		}
		if next, _ := newKey(t, db, NewKey{}); next.ID != disabled.ID+1 {
			t.Errorf("the next key is %d", next.ID)
		}
		if err := db.Append(t.Context(), ok(k)); err != nil {
			t.Error(err)
		}
	}
}
