package releaselog

import (
	"bytes"
	"compress/flate"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

var (
	// ErrNotLog is returned for a file that is no release log.
	ErrNotLog = errors.New("not a release log")
	// ErrVersion is returned for a log with another schema version.
	ErrVersion = errors.New("the release log has another schema version")
)

//go:embed schema.sql
var schema string

const (
	applicationID = 0x4C524C47 // "LRLG", as schema.sql sets it

	// SchemaVersion is the version of the schema that this package reads and writes.
	SchemaVersion = 1
)

// contents is a log in memory. Changes stay compressed.
type contents struct {
	info     fs.FileInfo // of the file it was read from
	cells    []*jevons.Cell
	contexts []*Context // by id, from 1
	releases []Release
}

// last returns the newest release, or nil.
func (c *contents) last() *Release {
	if len(c.releases) == 0 {
		return nil
	}
	return &c.releases[len(c.releases)-1]
}

func (c *contents) leaves() []tlog.Hash {
	leaves := make([]tlog.Hash, len(c.releases))
	for i := range c.releases {
		leaves[i] = c.releases[i].Leaf
	}
	return leaves
}

// read reads a log. The file is replaced as a whole and never changed, so what is open
// stays as it is.
func read(path string) (*contents, error) {
	fail := func(err error, hint string) (*contents, error) {
		return nil, atomicfile.Fail("open release log", path, err, hint)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(fs.ErrNotExist, "larder release makes it")
	}
	if err != nil {
		return fail(atomicfile.Bare(err), "")
	}
	if !info.Mode().IsRegular() {
		return fail(fmt.Errorf("%w: it is no regular file", ErrNotLog), "")
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(path + suffix); err == nil {
			return fail(fmt.Errorf("another program opened it for writing: %s%s lies beside it", path, suffix),
				"end that program, then run larder releases verify on a copy from before")
		}
	}
	db, err := openFile(path, "mode=ro&immutable=1")
	if err != nil {
		return fail(err, "")
	}
	defer db.Close()
	var id, version int64
	err = db.QueryRow("SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)").Scan(&id, &version)
	switch {
	case err != nil:
		return fail(fmt.Errorf("%w: %w", ErrNotLog, err), "")
	case id != applicationID:
		return fail(fmt.Errorf("%w: its application_id is %#08x, not %#08x", ErrNotLog, id, applicationID), "give a file that larder release made")
	case version != SchemaVersion:
		return fail(fmt.Errorf("%w: it has %d, this larder reads %d", ErrVersion, version, SchemaVersion), "use a newer larder")
	}
	c := &contents{info: info}
	if err := errors.Join(c.readCells(db), c.readContexts(db)); err != nil {
		return fail(err, "put a backup in its place")
	}
	if err := c.readReleases(db); err != nil {
		return fail(err, "put a backup in its place")
	}
	return c, nil
}

func openFile(path, parameters string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return sql.Open("sqlite3", "file:"+(&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath()+"?"+parameters)
}

// query calls each for every row of a result.
func query(db *sql.DB, text string, each func(scan func(...any) error) error) error {
	rows, err := db.Query(text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (c *contents) readCells(db *sql.DB) error {
	return query(db, "SELECT id, level, city, banner, category FROM cells ORDER BY id", func(scan func(...any) error) error {
		var id int
		var level, category string
		cell := &jevons.Cell{}
		if err := scan(&id, &level, &cell.City, &cell.Banner, &category); err != nil {
			return err
		}
		var err1, err2 error
		cell.Level, err1 = jevons.ParseLevel(level)
		cell.Category, err2 = basket.ParseCategory(category)
		c.cells = append(c.cells, cell)
		if id != len(c.cells) {
			err1 = fmt.Errorf("cell %d is missing", len(c.cells))
		}
		return errors.Join(err1, err2)
	})
}

func (c *contents) readContexts(db *sql.DB) error {
	return query(db, "SELECT id, content FROM contexts ORDER BY id", func(scan func(...any) error) error {
		var id int
		var stored []byte
		if err := scan(&id, &stored); err != nil {
			return err
		}
		text, err := io.ReadAll(flate.NewReader(bytes.NewReader(stored)))
		if err != nil {
			return fmt.Errorf("context %d: %w", id, err)
		}
		x, err := decodeContext(text)
		if err != nil {
			return fmt.Errorf("context %d: %w", id, err)
		}
		if c.contexts = append(c.contexts, x); id != len(c.contexts) {
			return fmt.Errorf("context %d is missing", len(c.contexts))
		}
		return nil
	})
}

const releaseColumns = `number, released_at, snapshot, file, gate_version, method_version, note, accepted, base_week, through,
	context, weeks_added, cells_added, cells_revised, cells_withdrawn, largest_revision, changes, leaf, checkpoint`

func (c *contents) readReleases(db *sql.DB) error {
	return query(db, "SELECT "+releaseColumns+" FROM releases ORDER BY number", func(scan func(...any) error) error {
		var r Release
		var at int64
		var accepted string
		var leaf []byte
		var largest sql.NullInt64
		if err := scan(&r.Number, &at, &r.Snapshot, &r.File, &r.Gate, &r.Method, &r.Note, &accepted, &r.Base, &r.Through,
			&r.context, &r.WeeksAdded, &r.CellsAdded, &r.CellsRevised, &r.CellsWithdrawn, &largest, &r.changes, &leaf, &r.Checkpoint); err != nil {
			return err
		}
		r.At = time.Unix(0, at).UTC()
		if largest.Valid {
			r.LargestRevision = panel.FixedOf(largest.Int64)
		}
		if want := len(c.releases) + 1; r.Number != want {
			return fmt.Errorf("release %s is missing", idOf(want))
		}
		if err := json.Unmarshal([]byte(accepted), &r.Accepted); err != nil {
			return fmt.Errorf("release %s: accepted: %w", r.ID(), err)
		}
		if len(leaf) != tlog.HashSize {
			return fmt.Errorf("release %s: its leaf is no hash", r.ID())
		}
		r.Leaf = tlog.Hash(leaf)
		if r.context < 1 || r.context > len(c.contexts) {
			return fmt.Errorf("release %s: there is no context %d", r.ID(), r.context)
		}
		r.Context = c.contexts[r.context-1]
		c.releases = append(c.releases, r)
		return nil
	})
}
