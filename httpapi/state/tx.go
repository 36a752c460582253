package state

import (
	"context"
	"database/sql"
	"strconv"
)

// tx is the writer's transaction, as a change sees it.
type tx struct{ conn *sql.Conn }

func (t tx) exec(query string, args ...any) (changed int64, err error) {
	r, err := t.conn.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t tx) row(query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(context.Background(), query, args...)
}

// write carries out a change and returns what it returned. What is nested in
// the change's transaction was either all done or not at all.
func write[T any](ctx context.Context, db *DB, f func(tx) (T, error)) (T, error) {
	var result, none T
	err := db.writer.do(ctx, &op{change: func(t tx) (err error) {
		result, err = f(t)
		return err
	}})
	if err != nil {
		return none, db.wrap(err)
	}
	return result, nil
}

// Ping reports whether the state can be written to now. It writes what is there
// already: a transaction without any page would succeed on a full disk.
func (db *DB) Ping(ctx context.Context) error {
	_, err := write(ctx, db, func(t tx) (int64, error) {
		return t.exec("PRAGMA user_version = " + strconv.Itoa(SchemaVersion))
	})
	return err
}
