package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/mattn/go-sqlite3"

	"github.com/larder-index/larder/internal/atomicfile"
)

// engine keeps a state: SQLite, in a file of one server, or PostgreSQL, for many
// servers. The statements are the same for both; the members hold what differs.
type engine struct {
	postgres bool
	lock     string        // ends a query whose rows are to be changed
	ping     string        // writes what is there already: a transaction without a page would succeed on a full disk
	patience time.Duration // of a query or a transaction; 0: as long as it takes
}

var (
	sqliteEngine = engine{ping: "PRAGMA user_version = " + strconv.Itoa(SchemaVersion)}
	// SQLite has one writer at a time, and needs no lock. In PostgreSQL the lock makes other
	// servers wait for the rows of a key that is being changed.
	postgresEngine = engine{postgres: true, lock: " FOR UPDATE", ping: "UPDATE larder_state SET version = version", patience: 5 * time.Second}
)

// bounded limits how long a query may wait for an engine that is elsewhere.
func (e engine) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if e.patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, e.patience)
}

func (db *DB) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return db.engine.bounded(ctx)
}

// again reports whether the engine asks for a transaction once more: two waited for each
// other, or could not be put in an order.
func (e engine) again(err error) bool {
	return pq.As(err, pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected) != nil
}

// contradicts reports whether a row contradicts the schema.
func (e engine) contradicts(err error) bool {
	if pg, ok := errors.AsType[*pq.Error](err); ok {
		return pg.Code.Class() == pqerror.ClassIntegrityConstraintViolation
	}
	lite, ok := errors.AsType[sqlite3.Error](err)
	return ok && lite.Code == sqlite3.ErrConstraint
}

// gone reports whether PostgreSQL can't be reached, or can't do anything at the moment.
func (e engine) gone(err error) bool {
	if !e.postgres {
		return false
	}
	if pg, ok := errors.AsType[*pq.Error](err); ok {
		switch pg.Code.Class() {
		case "08", "53", "57", "58": // connection, resources, operator, system
			return true
		}
		return pg.Code == "25006" // a standby, which only reads
	}
	for _, lost := range []error{driver.ErrBadConn, sql.ErrConnDone, sql.ErrTxDone, io.EOF, io.ErrUnexpectedEOF, context.DeadlineExceeded} {
		if errors.Is(err, lost) {
			return true
		}
	}
	_, network := errors.AsType[net.Error](err)
	return network
}

// wrap names the state in an error of its engine. An engine that is gone is ErrUnavailable.
func (db *DB) wrap(err error) error {
	if _, ok := errors.AsType[sqlite3.Error](err); ok {
		return atomicfile.Fail("state", db.path, err, "")
	}
	if err != nil && (db.engine.gone(err) || db.engine.again(err)) {
		return atomicfile.Fail("state", db.path, fmt.Errorf("%w: %w", ErrUnavailable, err), "")
	}
	return err
}
