package httpapi_test

import (
	"testing"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of keys, sessions and limits on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Again(t, "^Test(Scripts|LimitsUnderLoad|SignInsAtOnce)$", "Replaced")
}
