package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"

	"github.com/larder-index/larder/internal/atomicfile"
)

// engine keeps a state: SQLite, in a file of one server, or PostgreSQL, for many
// servers. The statements are the same for both; the members hold what differs.
type engine struct {
	postgres bool
	lock     string        // ends a query whose rows are to be changed
	mark     string        // notes the schema's version; a transaction without a page would succeed on a full disk
	version  string        // asks for the application's id, the schema's version and whether there are tables
	patience time.Duration // of a call, with its wait for the turn to write; 0: as long as it takes
}

var (
	// SQLite has one writer at a time, and needs no lock.
	sqliteEngine = engine{
		mark: fmt.Sprintf("PRAGMA user_version = %d", SchemaVersion),
		// One statement sees one state of a file that another process may be filling.
		version: `SELECT (SELECT application_id FROM pragma_application_id), user_version,
			(SELECT count(*) FROM sqlite_schema) FROM pragma_user_version`,
	}
	// In PostgreSQL the lock makes other servers wait for the rows of a key that is being changed.
	// The row of larder_state has the version.
	postgresEngine = engine{
		postgres: true, lock: " FOR UPDATE", patience: 5 * time.Second,
		mark: fmt.Sprintf("UPDATE larder_state SET version = %d", SchemaVersion),
		version: fmt.Sprintf("SELECT CASE version WHEN 0 THEN 0 ELSE %d END, version, version FROM larder_state",
			applicationID),
	}
)

// bounded limits how long a call may wait for an engine that is elsewhere.
func (e engine) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if e.patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, e.patience)
}

func code(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

// again reports whether PostgreSQL asks to run a transaction again: two waited for each
// other, or could not be put in an order.
func again(err error) bool {
	return slices.Contains([]string{"40001", "40P01"}, code(err))
}

func contradicts(err error) bool {
	lite, _ := errors.AsType[sqlite3.Error](err)
	return lite.Code == sqlite3.ErrConstraint || strings.HasPrefix(code(err), "23")
}

// exists reports whether PostgreSQL had a table, or the type of its rows, that another server made
// meanwhile.
func exists(err error) bool {
	return slices.Contains([]string{"42P07", "42710"}, code(err))
}

// gone reports whether PostgreSQL can't be reached, or can't do anything at the moment.
func gone(err error) bool {
	if c := code(err); c != "" { // of connection, resources, operator, system, or of a standby, which only reads
		return slices.Contains([]string{"08", "53", "57", "58"}, c[:2]) || c == "25006"
	}
	_, network := errors.AsType[net.Error](err)
	lost := []error{driver.ErrBadConn, sql.ErrConnDone, sql.ErrTxDone, io.EOF, io.ErrUnexpectedEOF,
		context.DeadlineExceeded}
	_, connect := errors.AsType[*pgconn.ConnectError](err)
	return network || connect || pgconn.SafeToRetry(err) ||
		slices.ContainsFunc(lost, func(e error) bool { return errors.Is(err, e) })
}

// wrap names the state in an error of its engine, and in no other. An engine that is gone is
// ErrUnavailable.
func (db *DB) wrap(err error) error {
	if _, ok := errors.AsType[sqlite3.Error](err); ok && !db.engine.postgres {
		return atomicfile.Fail("state", db.path, err, "")
	}
	if db.engine.postgres && (gone(err) || again(err)) {
		return atomicfile.Fail("state", db.path, fmt.Errorf("%w: %w", ErrUnavailable, err), "")
	}
	return err
}

// tx runs statements: in the writer's transaction or, to read, beside it.
type tx struct {
	ctx context.Context
	on  interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
	lock string // ends a query whose rows are to be changed: other servers wait for them
}

// exec runs a statement. Drivers keep what they have prepared, by its text.
func (t tx) exec(query string, args ...any) (changed int64, err error) {
	r, err := t.on.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t tx) row(query string, args ...any) *sql.Row {
	return t.on.QueryRowContext(t.ctx, query, args...)
}

func list[T any](t tx, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := t.on.QueryContext(t.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// read returns what queries find, beside the writer.
func read[T any](ctx context.Context, db *DB, f func(tx) (T, error)) (T, error) {
	if err := db.intact(); err != nil {
		return *new(T), err
	}
	ctx, cancel := db.engine.bounded(ctx)
	defer cancel()
	result, err := f(tx{ctx, db.readers, ""})
	if err != nil && db.closed.Load() { // database/sql has no error value for that
		err = ErrClosed
	}
	return result, db.wrap(err)
}

// write carries out a change in a transaction of its own, and returns its result. Where the engine is
// elsewhere, the wait for the turn counts against its patience.
func write[T any](ctx context.Context, db *DB, f func(tx) (T, error)) (result T, err error) {
	if err := db.intact(); err != nil {
		return result, err
	}
	whole, cancel := db.engine.bounded(context.WithoutCancel(ctx))
	defer cancel()
	select {
	case <-whole.Done():
		return result, db.wrap(whole.Err())
	case _, open := <-db.turn:
		if !open {
			return result, ErrClosed
		}
	}
	defer func() { db.turn <- struct{}{} }()
	if err = ctx.Err(); err == nil {
		err = db.transact(whole, func(t tx) (err error) {
			result, err = f(t)
			return err
		})
	}
	return result, db.wrap(err)
}

// transact runs statements in a transaction, once more if the engine asks for that. Its caller
// has the turn.
func (db *DB) transact(ctx context.Context, f func(tx) error) (err error) {
	for tries := 0; tries == 0 || tries < 5 && again(err); tries++ {
		err = db.try(ctx, f)
	}
	return err
}

func (db *DB) try(ctx context.Context, f func(tx) error) error {
	sqlTx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer sqlTx.Rollback() //nolint:errcheck // it is committed, or there is an error already
	if err := f(tx{ctx, sqlTx, db.engine.lock}); err != nil {
		return err
	}
	return sqlTx.Commit()
}

// Ping reports whether the state can be written now, and whether it is still the
// file at its path (ErrReplaced). It writes a value that is there already.
func (db *DB) Ping(ctx context.Context) error {
	_, err := write(ctx, db, func(t tx) (int64, error) { return t.exec(db.engine.mark) })
	return err
}
