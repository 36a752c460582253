package state

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
)

//go:embed schema.sql
var schemaSQL string

//go:embed upgrade.sql
var upgradeSQL string

//go:embed upgrade3.sql
var upgrade3SQL string

// upgrade returns the statements that turn schema version 1 into version 2. The new
// tables are the last ones of schema.sql.
func upgrade() string {
	before, after, _ := strings.Cut(upgradeSQL, "-- The tables and the view")
	_, tables, _ := strings.Cut(schemaSQL, "-- Refusals")
	return before + "-- Refusals" + tables + "-- The tables and the view" + after
}

const applicationID = 0x4C525354 // "LRST", as schema.sql sets it

// SchemaVersion is the version of the schema that this package reads and writes.
const SchemaVersion = 3

// prepare fills an empty file with the schema and upgrades an older state.
// It leaves any other file alone. An upgrade takes the lock of the file's server,
// because a running server of the older version would not know the new schema.
func prepare(ctx context.Context, db *sql.DB, lock func() (func(), error)) (hint string, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", notState(err)
	}
	defer conn.Close()
	version, hint, err := versionOf(ctx, conn)
	if err != nil {
		return hint, err
	}
	if err := useWAL(ctx, conn); err != nil {
		return "", err
	}
	if version == SchemaVersion {
		return "", nil
	}
	if version != 0 {
		unlock, err := lock()
		if err != nil {
			return "stop it: this larder has to upgrade the file", err
		}
		defer unlock()
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return "", err
	}
	if hint, err = change(ctx, conn); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // err has the reason
		return hint, err
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return "", err
}

// change creates or upgrades the schema in a transaction. It reads the version
// again, because another process may have done either in the meantime.
func change(ctx context.Context, conn *sql.Conn) (hint string, err error) {
	version, hint, err := versionOf(ctx, conn)
	switch {
	case err != nil:
	case version == 0:
		_, err = conn.ExecContext(ctx, schemaSQL)
	case version < SchemaVersion:
		statements := upgrade3SQL
		if version == 1 {
			statements = upgrade() + statements
		}
		if _, err = conn.ExecContext(ctx, statements); err != nil {
			err = fmt.Errorf("upgrade from schema version %d: %w", version, err)
		}
	}
	return hint, err
}

// versionOf returns the version of a state's schema, or 0 for an empty file.
func versionOf(ctx context.Context, conn *sql.Conn) (version int, hint string, err error) {
	var id int64
	var tables int
	// One statement sees one state of a file that another process may be filling.
	err = conn.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables)
	if err != nil {
		return 0, "", notState(err)
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return 0, "", nil
	case id != applicationID:
		return 0, "give a file that larder keys create made, or one that does not exist",
			fmt.Errorf("%w: its application_id is %#08x, not %#08x", ErrNotState, id, applicationID)
	case version > SchemaVersion:
		return 0, "use a newer larder", fmt.Errorf("%w: it has %d, this larder knows %d", ErrVersion, version, SchemaVersion)
	case version < 1:
		return 0, "restore it from a copy", fmt.Errorf("%w: its schema version is %d", ErrNotState, version)
	}
	return version, "", nil
}

// notState separates a file that is not SQLite's from other errors.
func notState(err error) error {
	if e, ok := errors.AsType[sqlite3.Error](err); ok && e.Code == sqlite3.ErrNotADB {
		return fmt.Errorf("%w: it is no SQLite file", ErrNotState)
	}
	return err
}

// useWAL switches the file to a write-ahead log, which the file keeps. SQLite
// does not wait for other processes during the switch, so this function does.
func useWAL(ctx context.Context, conn *sql.Conn) error {
	const attempts, pause = 100, 20 * time.Millisecond
	var mode string
	for attempt := 0; ; attempt++ {
		err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		e, ok := errors.AsType[sqlite3.Error](err)
		busy := ok && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked)
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("its file system has no shared memory for a write-ahead log (journal mode %s); keep it on a local disk", mode)
		case !busy || attempt == attempts:
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
