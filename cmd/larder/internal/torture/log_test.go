//go:build linux && torture

package torture

import (
	"database/sql"
	"errors"
	"net/http"
	"net/url"
	"testing"

	_ "github.com/mattn/go-sqlite3" // to read the log as another program would
)

// logged holds what the state says. It is read without the package that writes it.
type logged struct {
	status           map[string]int // by query; what was not refused by it
	counted, summed  int64          // of the log, of the monthly sums
	requests, inSums int64
	refused          int64 // beyond those with entries of their own
}

func openState(t *testing.T, state string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: state}).EscapedPath()+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// query returns the one value that a query has.
func query(t *testing.T, state, q string) (value string) {
	t.Helper()
	db := openState(t, state)
	defer db.Close()
	if err := db.QueryRow(q).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func readLog(t *testing.T, state string) logged {
	t.Helper()
	db := openState(t, state)
	defer db.Close()
	rows, err := db.Query("SELECT query, status, counted FROM requests")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	in := logged{status: map[string]int{}}
	for rows.Next() {
		var query string
		var status int
		var counted int64
		if err := rows.Scan(&query, &status, &counted); err != nil {
			t.Fatal(err)
		}
		in.status[query] = status
		in.requests++
		in.counted += counted
	}
	counts := db.QueryRow(`SELECT (SELECT coalesce(sum(requests), 0) FROM monthly_usage WHERE status_class = 4) -
		(SELECT count(*) FROM requests WHERE status / 100 = 4)`).Scan(&in.refused)
	in.requests += in.refused
	sums := db.QueryRow("SELECT coalesce(sum(requests), 0), coalesce(sum(counted), 0) FROM monthly_usage").Scan(&in.inSums, &in.summed)
	var intact string
	check := db.QueryRow("PRAGMA integrity_check").Scan(&intact)
	if err := errors.Join(rows.Err(), counts, sums, check); err != nil || intact != "ok" {
		t.Fatalf("the state: %v, %s", err, intact)
	}
	return in
}

// inLog checks that the log has every response that data or a refusal came in,
// that the sums are those of the log, and that 500 is never said of what counts.
// Refusals without an entry are in the sums.
func (r *received) inLog(t *testing.T, state string) logged {
	t.Helper()
	in, missing := readLog(t, state), 0
	uncounted := in.refused
	for query, status := range r.all {
		switch {
		case status == http.StatusInternalServerError || in.status[query] == status:
		case status == http.StatusTooManyRequests && uncounted > 0:
			uncounted--
		default:
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("of %d received responses %d are not in the log", len(r.all), missing)
	}
	if in.counted != in.summed || in.requests != in.inSums {
		t.Errorf("the log has %d requests, %d counted; the sums %d and %d", in.requests, in.counted, in.inSums, in.summed)
	}
	return in
}
