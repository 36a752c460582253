package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/larder-index/larder/internal/atomicfile"
)

// Backup copies the state of a file into the file out, also while a server writes to it, and
// returns how many keys and logged requests the copy has. It is the state of one moment, with all
// that was on disk when Backup was called, and is a state like any other. It gets its name when it
// is verified, in the place of an earlier backup. Any other file at out is refused.
func Backup(ctx context.Context, path, out string) (keys, requests int64, err error) {
	if OnPostgreSQL(path) {
		return 0, 0, atomicfile.Fail("back up state", Name(path), errors.New("it is in a PostgreSQL database"),
			"use PostgreSQL's own pg_dump --format=custom --file=OUT ADDRESS, and pg_restore")
	}
	from := newDB(path, Options{Existing: true})
	defer from.Close() //nolint:errcheck // it was read
	if err := from.connected(ctx); err != nil {
		return 0, 0, err
	}
	if err := from.mayReplace(ctx, out); err != nil {
		return 0, 0, err
	}
	err = atomicfile.Write(out, 0o600, func(w io.Writer) error {
		made := newDB(w.(*os.File).Name(), Options{Existing: true})
		defer made.Close() //nolint:errcheck // it was read
		_, err := from.writer.ExecContext(ctx, "VACUUM INTO $1", made.path)
		if err == nil {
			keys, requests, err = made.verify(ctx)
		}
		return err
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return 0, 0, atomicfile.Fail("back up state", from.path+" to "+out, err, "")
	}
	return keys, requests, nil
}

// connected opens the file, and leaves it as it is.
func (db *DB) connected(ctx context.Context) error {
	err := db.openFile("")
	made := false
	if err == nil {
		made, err = db.made(tx{ctx, db.writer, ""})
	}
	if err == nil && !made {
		err = fmt.Errorf("%w: it is empty", ErrNotState)
	}
	if _, complete := errors.AsType[*atomicfile.Error](err); err != nil && !complete {
		err = db.refuse(err, "")
	}
	return err
}

// mayReplace refuses to write a backup over a file that is no backup: the state itself, one that a
// server uses or used until it was killed, and what is no state.
func (db *DB) mayReplace(ctx context.Context, out string) error {
	there, err := os.Stat(out)
	if err != nil {
		return nil // it is not there, or writing it will say more
	}
	mine, err := os.Stat(db.file)
	if err != nil {
		return atomicfile.Bare(err)
	}
	old := newDB(out, Options{Existing: true, Serve: true})
	defer old.Close() //nolint:errcheck // it was read
	if os.SameFile(mine, there) {
		return old.refuse(errors.New("it is the state itself"), "give another file")
	}
	if wal, err := os.Stat(out + "-wal"); err == nil && wal.Size() > 0 {
		return old.refuse(errors.New("it is no backup: its server runs, or was killed"), "give another file")
	}
	return old.connected(ctx)
}

// verify reads a backup as a state, and checks each page, row and reference.
func (db *DB) verify(ctx context.Context) (keys, requests int64, err error) {
	if err := db.connected(ctx); err != nil {
		return 0, 0, err
	}
	var fault string
	var strays int64
	t := tx{ctx, db.writer, ""}
	if err := t.row(`SELECT (SELECT integrity_check FROM pragma_integrity_check LIMIT 1), (SELECT count(*)
		FROM pragma_foreign_key_check),
		(SELECT count(*) FROM requests)`).Scan(&fault, &strays, &requests); err != nil {
		return 0, 0, err
	}
	if fault != "ok" || strays > 0 {
		return 0, 0, fmt.Errorf("the copy is damaged: %s, %d rows refer to no key; the state may be too", fault, strays)
	}
	all, err := db.Keys(ctx)
	return int64(len(all)), requests, err
}
