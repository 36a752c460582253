package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/internal/atomicfile"
)

// work is a change to a snapshot that is being prepared beside it.
type work struct {
	db     string    // the snapshot, links followed
	draft  string    // the copy that is changed
	final  string    // the file to be published
	old    *snapshot // the published snapshot; nil for a new one
	conn   *conn     // on draft, in a transaction
	unlock func()
}

// begin locks the snapshot for writing, clears the leftovers of a killed run,
// and copies the snapshot, or makes an empty one.
func begin(db string) (*work, error) {
	fail := func(err error, hint string) (*work, error) { return nil, atomicfile.Fail("import into", db, err, hint) }
	real, err := filepath.EvalSymlinks(db)
	if err == nil {
		db = real
	} else if info, e := os.Lstat(db); e == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fail(errors.New("it is a link that leads nowhere"), "remove it, or make the file it names possible")
	}
	w := &work{db: db, draft: db + ".draft.tmp", final: db + ".final.tmp"}
	w.unlock, err = atomicfile.Lock(db+".lock", 0o644)
	if errors.Is(err, atomicfile.ErrHeld) {
		err = ErrBusy
	}
	if err != nil {
		return fail(atomicfile.Bare(err), "")
	}
	w.removeDrafts()
	if err := w.start(); err != nil {
		w.abandon()
		return nil, err
	}
	return w, nil
}

// start opens the snapshot, if there is one, and a transaction on its draft.
func (w *work) start() (err error) {
	if _, err := os.Lstat(w.db); err == nil {
		if w.old, err = openWhole(w.db); err != nil {
			return err
		}
	}
	if err := createFile(w.draft, w.db, w.old); err != nil {
		return err
	}
	if w.conn, err = open(w.draft, readWrite); err != nil {
		return atomicfile.Fail("import into", w.db, err, "")
	}
	// The draft needs no protection: it is published only when it is whole,
	// and dropped otherwise.
	w.conn.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
	w.conn.exec("PRAGMA cache_size = -65536")
	if w.old == nil {
		w.conn.exec(schema)
	}
	w.conn.exec("BEGIN")
	return w.conn.err
}

// publish puts the changed snapshot in the place of the old one, as a whole: at
// any moment the file is the one or the other.
func (w *work) publish() error {
	w.conn.exec("COMMIT")
	w.conn.fail(createFile(w.final, w.db, nil))
	w.conn.exec("VACUUM INTO ?", w.final)
	err := w.conn.err
	w.conn.close()
	w.conn = nil
	os.Remove(w.draft)
	if err == nil {
		err = writeSeal(w.final)
	}
	if err == nil {
		if _, bad := Check(w.final); bad != nil {
			err = fmt.Errorf("the new file does not read back: %w", bad)
		}
	}
	if err == nil {
		err = atomicfile.Replace(w.final, w.db)
	}
	if err != nil {
		return atomicfile.Fail("publish snapshot", w.db, err, "")
	}
	return nil
}

// abandon drops all that is not published and releases the snapshot.
func (w *work) abandon() {
	if w.conn != nil {
		w.conn.close()
	}
	if w.old != nil {
		w.old.close()
	}
	w.removeDrafts()
	w.unlock()
}

func (w *work) removeDrafts() {
	for _, path := range []string{w.draft, w.final} {
		for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
			os.Remove(path + suffix)
		}
	}
}

// createFile makes a draft of a snapshot and, if content is set, copies that into it.
func createFile(path, db string, content *snapshot) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, atomicfile.DraftMode(db))
	if err != nil {
		return atomicfile.Bare(err)
	}
	if content != nil {
		var info fs.FileInfo
		if info, err = content.file.Stat(); err == nil {
			_, err = io.Copy(f, io.NewSectionReader(content.file, 0, info.Size()-sealSize))
		}
	}
	return errors.Join(err, f.Close())
}
