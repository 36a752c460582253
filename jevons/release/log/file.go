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
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
)

// ErrVersion is returned for a log with another schema version.
var ErrVersion = errors.New("the release log has another schema version")

var errNotLog = errors.New("not a release log")

//go:embed schema.sql
var schema string

const (
	applicationID = 0x4C524C47 // "LRLG", as schema.sql sets it
	schemaVersion = 4
)

// last returns the newest release, or nil.
func (l *Log) last() *Release {
	if len(l.releases) == 0 {
		return nil
	}
	return &l.releases[len(l.releases)-1]
}

// Open reads a log. The error is errNotLog, ErrVersion or one of the file system.
func Open(path string) (*Log, error) {
	fail := func(err error, hint string) (*Log, error) {
		return nil, atomicfile.Fail("open release log", path, err, hint)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(fs.ErrNotExist, "larder release makes it")
	case err != nil:
		return fail(atomicfile.Bare(err), "")
	case !info.Mode().IsRegular():
		return fail(fmt.Errorf("%w: it is no regular file", errNotLog), "")
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
	err = db.QueryRow("SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").
		Scan(&id, &version)
	switch {
	case err != nil:
		return fail(fmt.Errorf("%w: %w", errNotLog, err), "")
	case id != applicationID:
		return fail(fmt.Errorf("%w: its application_id is %#08x, not %#08x", errNotLog, id, applicationID),
			"give a file that larder release made")
	case version != schemaVersion:
		return fail(fmt.Errorf("%w: it has %d, this larder reads %d", ErrVersion, version, schemaVersion),
			"use the larder that wrote it, or keep it and begin a new log by releasing the snapshot in service")
	}
	l := &Log{path: path, info: info}
	if err := l.readReleases(db); err != nil {
		return fail(err, "put a backup in its place")
	}
	return l, nil
}

func openFile(path, parameters string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return sql.Open("sqlite3", "file:"+(&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath()+"?"+parameters)
}

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

func (l *Log) readReleases(db *sql.DB) error {
	contexts := map[string]*Context{}
	err := query(db, "SELECT id, content FROM contexts", func(scan func(...any) error) error {
		var id int64
		var stored []byte
		if err := scan(&id, &stored); err != nil {
			return err
		}
		x, err := decodeContext(stored)
		if err != nil {
			return fmt.Errorf("context %d: %w", id, err)
		}
		contexts[x.hash()] = x
		return nil
	})
	if err != nil {
		return err
	}
	const all = "SELECT number, leaf, hash, checkpoint, file FROM releases ORDER BY number"
	return query(db, all, func(scan func(...any) error) error {
		var number int
		var text, hash []byte
		var checkpoint, file string
		if err := scan(&number, &text, &hash, &checkpoint, &file); err != nil {
			return err
		}
		id := idOf(len(l.releases) + 1)
		r, err := readHead(bufio.NewReader(flate.NewReader(bytes.NewReader(text))))
		switch {
		case idOf(number) != id:
			return fmt.Errorf("release %s is missing", id)
		case len(hash) != tlog.HashSize:
			return fmt.Errorf("release %s: its leaf is no hash", id)
		case err == nil && r.ID() != id:
			err = fmt.Errorf("it says that it is %q", r.ID())
		}
		if err != nil {
			return fmt.Errorf("release %s: its leaf is damaged: %w", id, err)
		}
		r.text, r.Leaf, r.Checkpoint, r.File = text, tlog.Hash(hash), checkpoint, file
		if r.Context = contexts[r.ContextHash]; r.Context == nil {
			return fmt.Errorf("release %s: there is no context %s", id, r.ContextHash)
		}
		if number == 1 {
			l.origin, _, _ = strings.Cut(checkpoint, "\n")
		}
		l.releases = append(l.releases, *r)
		return nil
	})
}

// write makes the file anew and puts it in the place of the one before, unless check refuses it.
func (l *Log) write(path string, check func(*Log) error) error {
	draft := path + ".draft.tmp"
	if err := os.WriteFile(draft, nil, atomicfile.DraftMode(path)); err != nil {
		return atomicfile.Bare(err)
	}
	defer os.Remove(draft) // fails once it is renamed
	// The draft needs no protection: it takes the file's place only when it is whole.
	db, err := openFile(draft, "mode=rw&_journal_mode=OFF&_synchronous=OFF")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := errors.Join(l.insert(db), db.Close()); err != nil {
		return err
	}
	written, err := Open(draft)
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

func (l *Log) insert(db *sql.DB) error {
	if _, err := db.Exec(schema); err != nil {
		return fmt.Errorf("releaselog: schema: %w", err)
	}
	contexts := map[string]bool{}
	for i := range l.releases {
		r := &l.releases[i]
		if !contexts[r.ContextHash] {
			contexts[r.ContextHash] = true
			_, err := db.Exec("INSERT INTO contexts VALUES (?, ?)", len(contexts), deflate(r.Context.content))
			if err != nil {
				return err
			}
		}
		_, err := db.Exec("INSERT INTO releases (number, leaf, hash, checkpoint, file) VALUES (?, ?, ?, ?, ?)",
			r.Number, r.text, r.Leaf[:], r.Checkpoint, r.File)
		if err != nil {
			return err
		}
	}
	return nil
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
