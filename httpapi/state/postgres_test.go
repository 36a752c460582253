package state

import (
	"errors"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of this package on PostgreSQL, but for those about a file.
func TestOnPostgreSQL(t *testing.T) {
	pgtest.Again(t, "^Test", "^Test(Name|RefusedFiles|OpenMakesAPrivateFile|OneServer|Replaced|Backup|OnPostgreSQL)$")
}

// TestOtherVersion opens a database whose tables are of another version.
func TestOtherVersion(t *testing.T) {
	path := statePath(t)
	if !OnPostgreSQL(path) {
		return // TestOnPostgreSQL runs it
	}
	db := open(t, path, Options{})
	must(db.writer.Exec("UPDATE larder_state SET version = version + 1"))
	_, err := Open(t.Context(), path, Options{Now: newClock().now})
	if !errors.Is(err, ErrNotState) || !strings.Contains(err.Error(), "use a newer larder") {
		t.Error(err)
	}
}
