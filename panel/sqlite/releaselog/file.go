package releaselog

import (
	"bufio"
	"bytes"
	"compress/flate"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
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
	schemaVersion = 2
	draftSuffix   = ".draft.tmp"
)

// contents is a log in memory. What releases changed stays compressed.
type contents struct {
	info     fs.FileInfo // of the file it was read from
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
	case version > schemaVersion || version < 1:
		return fail(fmt.Errorf("%w: it has %d, this larder reads %d", ErrVersion, version, schemaVersion), "use a newer larder")
	}
	c := &contents{info: info}
	if version == 1 {
		err = c.readVersion1(db)
	} else {
		err = c.readReleases(db)
	}
	if err != nil {
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

// readContexts returns the contexts in the order of their ids.
func readContexts(db *sql.DB) (list []*Context, err error) {
	err = query(db, "SELECT id, content FROM contexts ORDER BY id", func(scan func(...any) error) error {
		var id int
		var stored []byte
		if err := scan(&id, &stored); err != nil {
			return err
		}
		content, err := inflate(stored)
		if err != nil {
			return fmt.Errorf("context %d: %w", id, err)
		}
		x, err := decodeContext(content)
		if err != nil {
			return fmt.Errorf("context %d: %w", id, err)
		}
		if list = append(list, x); id != len(list) {
			return fmt.Errorf("context %d is missing", len(list))
		}
		return nil
	})
	return list, err
}

func (c *contents) readReleases(db *sql.DB) error {
	list, err := readContexts(db)
	if err != nil {
		return err
	}
	contexts := map[string]*Context{}
	for _, x := range list {
		contexts[x.hash()] = x
	}
	return query(db, "SELECT number, leaf, hash, checkpoint, file FROM releases ORDER BY number", func(scan func(...any) error) error {
		var r Release
		var hash []byte
		if err := scan(&r.Number, &r.text, &hash, &r.Checkpoint, &r.File); err != nil {
			return err
		}
		if want := len(c.releases) + 1; r.Number != want {
			return fmt.Errorf("release %s is missing", idOf(want))
		}
		if len(hash) != tlog.HashSize {
			return fmt.Errorf("release %s: its leaf is no hash", r.ID())
		}
		r.Leaf = tlog.Hash(hash)
		leaf := bufio.NewReader(flate.NewReader(bytes.NewReader(r.text)))
		first, err := leaf.ReadString('\n')
		if err != nil || first != firstLine {
			return fmt.Errorf("release %s: its leaf is damaged", r.ID())
		}
		head, err := leaf.ReadBytes('\n')
		if err == nil {
			err = r.readHead(head)
		}
		if err != nil {
			return fmt.Errorf("release %s: its leaf is damaged: %w", r.ID(), err)
		}
		if r.Context = contexts[r.ContextHash]; r.Context == nil {
			return fmt.Errorf("release %s: there is no context %s", r.ID(), r.ContextHash)
		}
		c.releases = append(c.releases, r)
		return nil
	})
}

// write makes the file anew and puts it in the place of the one before, unless check refuses it.
func (c *contents) write(path string, check func(*contents) error) error {
	draft := path + draftSuffix
	mode := fs.FileMode(0o644)
	if c.info != nil {
		mode = c.info.Mode().Perm()
	}
	os.Remove(draft) // a killed run may have left it
	if err := os.WriteFile(draft, nil, mode); err != nil {
		return atomicfile.Bare(err)
	}
	defer os.Remove(draft) // fails once it is renamed
	// The draft needs no protection: it takes the file's place only when it is whole.
	db, err := openFile(draft, "mode=rw&_journal_mode=OFF&_synchronous=OFF")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := errors.Join(c.insert(db), db.Close()); err != nil {
		return err
	}
	written, err := read(draft)
	if err == nil {
		err = check(written)
	}
	if err != nil {
		return fmt.Errorf("the new log does not read back: %w", err)
	}
	if err := atomicfile.Sync(draft); err != nil {
		return err
	}
	return atomicfile.Replace(draft, path)
}

// insert fills an empty file.
func (c *contents) insert(db *sql.DB) error {
	if _, err := db.Exec(schema); err != nil {
		return fmt.Errorf("releaselog: schema: %w", err)
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // fails after the commit
	contexts := map[string]bool{}
	for i := range c.releases {
		r := &c.releases[i]
		if !contexts[r.ContextHash] {
			contexts[r.ContextHash] = true
			if _, err := tx.Exec("INSERT INTO contexts VALUES (?, ?)", len(contexts), deflate(r.Context.content)); err != nil {
				return err
			}
		}
		if _, err := tx.Exec("INSERT INTO releases (number, leaf, hash, checkpoint, file) VALUES (?, ?, ?, ?, ?)",
			r.Number, r.text, r.Leaf[:], r.Checkpoint, r.File); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func deflate(text []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // a level that there is
	w.Write(text)                                      //nolint:errcheck // a buffer takes all
	w.Close()                                          //nolint:errcheck // a buffer takes all
	return b.Bytes()
}

func inflate(stored []byte) ([]byte, error) {
	return io.ReadAll(flate.NewReader(bytes.NewReader(stored)))
}
