package state

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"

	"github.com/larder-index/larder/internal/atomicfile"
	_ "github.com/larder-index/larder/internal/cgo"
)

// Options says how a state is opened.
type Options struct {
	// Now is the clock. It is required.
	Now func() time.Time
	// Serve takes the lock of the one server that a file may have, and allows
	// the calls that only a server may make: Append and Count.
	Serve bool
	// Existing refuses a file that does not exist, instead of making it.
	Existing    bool
	SessionLife time.Duration // of a session; default 12 hours
	LinkLife    time.Duration // of a sign-in link; default 15 minutes
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
	readers *sql.DB
	writer  *writer
	close   func() error
}

// Open opens the state in a file or, with an address such as
// postgres://larder@db.example.org/larder, in a database that servers share. A file that is absent or empty becomes a new
// state, readable by its owner only; one from an older version is brought up to
// date. A database without a state gets its tables. The caller closes it.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.Now == nil {
		return nil, errors.New("state: Options.Now is missing: give it a clock, such as time.Now")
	}
	if now := o.Now(); !storable(now) {
		return nil, fmt.Errorf("state: the clock says %s; set it to a time in the years %d to %d", now.Format(time.RFC3339), firstYear, lastYear)
	}
	if o.SessionLife < 0 || o.LinkLife < 0 {
		return nil, errors.New("state: SessionLife and LinkLife can't be negative")
	}
	o.SessionLife = cmp.Or(o.SessionLife, 12*time.Hour)
	o.LinkLife = cmp.Or(o.LinkLife, 15*time.Minute)
	db := &DB{path: Name(path), options: o}
	open := db.open
	if OnPostgreSQL(path) {
		open = db.openPostgres
	}
	if hint, err := open(ctx, path); err != nil {
		return nil, atomicfile.Fail("open state", db.path, errors.Join(err, db.release()), hint)
	}
	db.close = sync.OnceValue(db.release)
	return db, nil
}

// Close waits for what is being written, then closes the file. Later calls return
// ErrClosed.
func (db *DB) Close() error { return db.close() }

func (db *DB) open(ctx context.Context, _ string) (hint string, err error) {
	db.engine = sqliteEngine
	file, err := db.makeFile()
	db.file = file
	if errors.Is(err, ErrReplaced) {
		return "restart the server, or put its file back", err
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "larder keys create makes a new one", fs.ErrNotExist
		}
		return "", err
	}
	if db.options.Serve {
		if db.unlock, err = lock(file + lockSuffix); err != nil {
			return "stop it first, or give this one a state of its own", err
		}
	}
	w, err := openPool(file, "mode=rw&_busy_timeout=5000&_txlock=immediate&_foreign_keys=on&_synchronous=FULL&_stmt_cache_size=128", 1)
	if err != nil {
		return "", err
	}
	if hint, err := prepare(ctx, w, func() (func(), error) {
		if db.unlock != nil {
			return func() {}, nil
		}
		return lock(file + lockSuffix)
	}); err != nil {
		return hint, errors.Join(err, w.Close())
	}
	if db.options.Serve {
		if err := db.announce(); err != nil {
			return "", errors.Join(err, w.Close())
		}
	}
	db.writer = startWriter(db.engine, w)
	if db.readers, err = openPool(file, "mode=ro&_busy_timeout=5000&_stmt_cache_size=16", 2*max(2, runtime.GOMAXPROCS(0))); err != nil {
		return "", err
	}
	return "", nil
}

// release ends everything that was started. The last connection clears the
// write-ahead log away.
func (db *DB) release() error {
	var errs []error
	if db.writer != nil {
		db.writer.drain()
	}
	if db.readers != nil {
		errs = append(errs, db.readers.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.pool.Close())
	}
	if db.unlock != nil {
		db.unlock()
	}
	return errors.Join(errs...)
}

func openPool(file, parameters string, conns int) (*sql.DB, error) {
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath() + "?" + parameters
	pool, err := sql.Open("sqlite3", dsn)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return pool, nil
}
