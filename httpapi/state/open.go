package state

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/larder-index/larder/internal/atomicfile"
)

// Options says how a state is opened.
type Options struct {
	Now      func() time.Time // the clock; required
	Serve    bool             // take the lock of the one server that a file may have; only a server may Append
	Existing bool             // refuse a file that does not exist, instead of making it
	Patience time.Duration    // how long a call waits for a database; default 5 s
}

// DB is an open state. Its methods may be called from any goroutine. Those that
// write return once what they wrote is on disk; a context that is cancelled
// keeps them from starting, not from finishing.
type DB struct {
	path    string // as it may be shown
	engine  engine
	file    string      // path, absolute, links followed
	opened  os.FileInfo // of file, while serving
	options Options
	unlock  func() // nil unless serving
	closed  atomic.Bool
	readers *sql.DB
	writer  *sql.DB

	turn    chan struct{}      // whoever takes its element may write, and then gives it back
	refused map[int64]refusals // by key; for whoever has the turn

	mu      sync.Mutex
	waiting []*request // to be logged
}

// Open opens the state in a file or, with an address such as
// postgres://larder@db.example.org/larder, in a database that servers share. A file that is
// absent or empty becomes a new state, readable by its owner only. A database without a state
// gets its tables. A state of another version of the schema is refused. The caller closes it.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if now := o.Now(); !storable(now) {
		return nil, fmt.Errorf("state: the clock says %s; set it to a time in the years %d to %d",
			now.Format(time.RFC3339), firstYear, lastYear)
	}
	db := newDB(path, o)
	connect := db.openFile
	if OnPostgreSQL(path) {
		db.engine, connect = postgresEngine, db.openPostgres
		db.engine.patience = cmp.Or(o.Patience, db.engine.patience)
	}
	err := connect(path)
	if err == nil {
		if err = db.prepare(ctx); err == nil {
			return db, nil
		}
	}
	db.Close() //nolint:errcheck // err has the reason
	if _, complete := errors.AsType[*atomicfile.Error](err); !complete {
		err = db.refuse(err, "")
	}
	return nil, err
}

func newDB(path string, o Options) *DB {
	db := &DB{
		path: Name(path), options: o, engine: sqliteEngine,
		turn: make(chan struct{}, 1), refused: map[int64]refusals{},
	}
	db.turn <- struct{}{}
	return db
}

// refuse is the error of opening, with a hint at what to do.
func (db *DB) refuse(err error, hint string) error {
	return atomicfile.Fail("open state", db.path, err, hint)
}

// Close waits for what is being written, then closes the file. Later calls of other methods return
// ErrClosed.
func (db *DB) Close() (err error) {
	if _, open := <-db.turn; !open {
		return nil
	}
	close(db.turn)
	db.closed.Store(true)
	if db.writer != nil { // else Open failed
		err = errors.Join(db.readers.Close(), db.writer.Close()) // the last connection clears the write-ahead log away
	}
	if db.unlock != nil {
		db.unlock()
	}
	return err
}

// pool limits the connections of a pool.
func pool(p *sql.DB, conns int) *sql.DB {
	p.SetMaxOpenConns(conns)
	p.SetMaxIdleConns(conns)
	return p
}

//go:embed schema.sql
var schemaSQL string

const applicationID = 0x4C525354 // "LRST", as schema.sql sets it

// SchemaVersion is the version of the schema that this package reads and writes.
const SchemaVersion = 6

// prepare makes the tables, unless they are there. Others may be doing the same.
func (db *DB) prepare(ctx context.Context) error {
	const attempts, pause = 100, 20 * time.Millisecond
	for n := 0; ; n++ {
		err := db.tryPrepare(ctx)
		lite, _ := errors.AsType[sqlite3.Error](err)
		busy := lite.Code == sqlite3.ErrBusy || lite.Code == sqlite3.ErrLocked || contradicts(err) || exists(err)
		if !busy || n == attempts {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (db *DB) tryPrepare(ctx context.Context) error {
	ctx, cancel := db.engine.bounded(ctx)
	defer cancel()
	outside := tx{ctx, db.writer, ""}
	made, err := db.made(outside)
	if err != nil {
		return err
	}
	if !db.engine.postgres {
		var mode string
		if err := outside.row("PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
			return err
		}
		if mode != "wal" {
			return fmt.Errorf("its file system has no shared memory for a write-ahead log (journal mode %s); "+
				"keep it on a local disk", mode)
		}
		for _, suffix := range []string{"-wal", "-shm"} { // SQLite lets root alone give them the group
			atomicfile.Keep(db.file+suffix, db.file) //nolint:errcheck // then those who made them have to
		}
	}
	if made {
		return nil
	}
	return db.transact(ctx, db.makeTables)
}

// makeTables makes the tables, unless another one was faster.
func (db *DB) makeTables(t tx) error {
	statements := schemaSQL
	if db.engine.postgres {
		if _, err := t.exec(postgresVersion); err != nil {
			return err
		}
		statements = postgresWords.Replace(statements)
	}
	if made, err := db.made(t); made || err != nil {
		return err
	}
	_, err := t.exec(statements + "\n" + db.engine.mark)
	if err != nil && db.engine.postgres {
		return fmt.Errorf(
			"make the tables, for which a database or a schema of its own (?search_path=) is best: %w",
			err,
		)
	}
	return err
}

// made reports whether the state has its tables. It fails for anything but a state of this version.
func (db *DB) made(t tx) (bool, error) {
	var id, version, tables int64
	err := t.row(db.engine.version+t.lock).Scan(&id, &version, &tables)
	switch lite, _ := errors.AsType[sqlite3.Error](err); {
	case lite.Code == sqlite3.ErrNotADB:
		return false, fmt.Errorf("%w: it is no SQLite file", ErrNotState)
	case err != nil && code(err) != "42P01": // there is no such table
		return false, err
	case id == 0 && version == 0 && tables == 0:
		if db.engine.postgres && db.options.Existing {
			return false, db.refuse(errors.New("the database has no state"), "larder keys create makes one")
		}
		return false, nil
	case id != applicationID:
		return false, db.refuse(
			fmt.Errorf("%w: its application_id is %#08x, not %#08x", ErrNotState, id, applicationID),
			"give a file that larder keys create made, or one that does not exist",
		)
	case version != SchemaVersion:
		hint := "use a newer larder"
		if version < SchemaVersion {
			hint = "use the larder that made it, or make a new one"
		}
		return false, db.refuse(
			fmt.Errorf("%w: its schema version is %d, this larder knows %d", ErrNotState, version, SchemaVersion),
			hint,
		)
	}
	return true, nil
}
