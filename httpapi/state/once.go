package state

import (
	"context"
	"time"
)

// CountedOn reports whether a request of a key at an endpoint has counted on the UTC day of a
// moment. An endpoint that is paid for once a day asks before it reserves.
func (db *DB) CountedOn(ctx context.Context, keyID int64, endpoint string, at time.Time) (counted bool, err error) {
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	err = db.readers.QueryRowContext(ctx, "SELECT coalesce(sum(counted), 0) > 0 FROM daily_usage WHERE key_id = $1 AND day = $2 AND endpoint = $3",
		keyID, at.UTC().Format(time.DateOnly), endpoint).Scan(&counted)
	return counted, db.readError(err)
}
