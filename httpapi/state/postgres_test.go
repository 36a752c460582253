package state

import (
	"testing"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of this package on PostgreSQL, but for those about a file.
func TestOnPostgreSQL(t *testing.T) {
	pgtest.Again(t, "^Test", "^Test(Name|RefusedFiles|OpenMakesAPrivateFile|OneServer|Replaced|OnPostgreSQL)$")
}
