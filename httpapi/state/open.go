package state

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
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

	turn    chan struct{}            // whoever takes its element may write, and then gives it back
	refused map[int64]refusals       // by key; this and the next for whoever has the turn
	used    map[usedSecret]time.Time // the last use that is kept

	mu      sync.Mutex
	waiting []*request // to be logged
}

// Open opens the state in a file or, with an address such as
// postgres://larder@db.example.org/larder, in a database that servers share. A file that is
// absent or empty becomes a new state, readable by its owner only. A database without a state
// gets its tables. A state of a version before is brought up to date; servers of that version go
// on beside it in a database. The caller closes it.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if now := o.Now(); !storable(now) {
		return nil, fmt.Errorf("state: the clock says %s; set it to a time in the years %d to %d", now.Format(time.RFC3339), firstYear, lastYear)
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
		turn: make(chan struct{}, 1), refused: map[int64]refusals{}, used: map[usedSecret]time.Time{},
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
const SchemaVersion = 5

// oldestVersion is that of the oldest larder whose servers may share a database with this one's.
const oldestVersion = 4

// steps are the statements that bring a state from a version to the next one, the first from
// firstVersion. A step only adds what its version needs: servers of the version before go on
// beside it. What a version no longer uses, the step after it takes away, and oldestVersion
// then is that version.
var steps = [...]string{
	"", // version 4 had no refusals, and version 5 has them where version 3 had
	schemaSQL[strings.Index(schemaSQL, "CREATE TABLE IF NOT EXISTS refusals"):],
}

// firstVersion is the oldest version that is brought up to date.
const firstVersion = SchemaVersion - len(steps)

// A new schema may wait for transactions of others, and may have to go through a long log. It asks
// for a lock only briefly, since other servers queue behind it, and asks often.
const (
	lockPatience    = 500 * time.Millisecond
	upgradePatience = 10 * time.Minute
)

var attempts = 100 // to open a state; others may be doing the same. Of a locked database they take a minute

func (db *DB) prepare(ctx context.Context) error {
	const pause = 20 * time.Millisecond
	for n := 0; ; n++ {
		err := db.tryPrepare(ctx)
		lite, _ := errors.AsType[sqlite3.Error](err)
		locked := code(err) == "55P03"
		busy := lite.Code == sqlite3.ErrBusy || lite.Code == sqlite3.ErrLocked || contradicts(err) || locked
		switch {
		case locked && n == attempts:
			return db.refuse(fmt.Errorf("its tables have to be changed, and are locked %s", db.lockedBy()), "end that transaction, then try again")
		case !busy || n == attempts:
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
	asking, cancel := db.engine.bounded(ctx)
	defer cancel()
	outside := tx{asking, db.writer, ""}
	version, err := db.version(outside)
	if err != nil {
		return err
	}
	if !db.engine.postgres {
		var mode string
		if err := outside.row("PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
			return err
		}
		if mode != "wal" {
			return fmt.Errorf("its file system has no shared memory for a write-ahead log (journal mode %s); keep it on a local disk", mode)
		}
		for _, suffix := range []string{"-wal", "-shm"} { // SQLite lets root alone give them the group
			atomicfile.Keep(db.file+suffix, db.file) //nolint:errcheck // then those who made them have to
		}
	}
	if version == SchemaVersion {
		return nil
	}
	if version != 0 && !db.engine.postgres && db.unlock == nil { // a server of the older version would not know the new schema
		unlock, err := lock(db.file)
		if err != nil {
			return db.refuse(err, "stop it: this larder has to upgrade the file")
		}
		defer unlock()
	}
	making, cancel := context.WithTimeout(ctx, upgradePatience)
	defer cancel()
	return db.transact(making, db.makeTables)
}

// makeTables makes the tables or brings them up to date, unless another one was faster.
func (db *DB) makeTables(t tx) error {
	if db.engine.postgres {
		if _, err := t.exec(postgresVersion); err != nil {
			return err
		}
	}
	version, err := db.version(t)
	if err != nil || version == SchemaVersion {
		return err
	}
	statements := schemaSQL
	if version != 0 {
		statements = strings.Join(steps[version-firstVersion:], "\n")
	}
	if db.engine.postgres {
		statements = postgresWords.Replace(statements)
	}
	if _, err = t.exec(statements + "\n" + db.engine.mark); err != nil && db.engine.postgres {
		return fmt.Errorf("make the tables, for which a database or a schema of its own (?search_path=) is best: %w", err)
	}
	return err
}

// version returns the version of a state's schema, or 0 where nothing is yet. A newer one that
// this larder may use counts as its own.
func (db *DB) version(t tx) (version int, err error) {
	var id, oldest, tables int64
	err = t.row(db.engine.version+t.lock).Scan(&id, &oldest, &version, &tables)
	switch lite, _ := errors.AsType[sqlite3.Error](err); {
	case lite.Code == sqlite3.ErrNotADB:
		return 0, fmt.Errorf("%w: it is no SQLite file", ErrNotState)
	case err != nil && code(err) != "42P01": // there is no such table
		return 0, err
	case id == 0 && version == 0 && tables == 0:
		if db.engine.postgres && db.options.Existing {
			return 0, db.refuse(errors.New("the database has no state"), "larder keys create makes one")
		}
		return 0, nil
	case id != applicationID:
		return 0, db.refuse(fmt.Errorf("%w: its application_id is %#08x, not %#08x", ErrNotState, id, applicationID),
			"give a file that larder keys create made, or one that does not exist")
	case oldest > SchemaVersion:
		return 0, db.refuse(fmt.Errorf("%w: its schema version is %d, this larder knows %d", ErrNotState, version, SchemaVersion), "use a newer larder")
	case version < firstVersion:
		return 0, db.refuse(fmt.Errorf("%w: its schema version is %d", ErrNotState, version),
			"restore it from a copy, or open a version 1 or 2 once with the larder before this one")
	}
	return min(version, SchemaVersion), nil
}
