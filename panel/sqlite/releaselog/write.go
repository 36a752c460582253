package releaselog

import (
	"bytes"
	"compress/flate"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/larder-index/larder/internal/atomicfile"
)

const draftSuffix = ".draft.tmp"

// write puts a log in the file's place that has one more release than c. The release
// has its changes and its context; s is the state with it.
func (c *contents) write(path string, r *Release, s *state) error {
	draft := path + draftSuffix
	mode := fs.FileMode(0o644)
	var before []byte
	if c.info != nil {
		var err error
		mode = c.info.Mode().Perm()
		if before, err = os.ReadFile(path); err != nil {
			return atomicfile.Bare(err)
		}
	}
	os.Remove(draft) // a killed run may have left it
	if err := os.WriteFile(draft, before, mode); err != nil {
		return atomicfile.Bare(err)
	}
	defer os.Remove(draft) // fails once it is renamed
	// The draft needs no protection: it takes the file's place only when it is whole.
	db, err := openFile(draft, "mode=rw&_journal_mode=OFF&_synchronous=OFF&_foreign_keys=on")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := errors.Join(c.insert(db, r, s), db.Close()); err != nil {
		return err
	}
	if _, err := Verify(draft, VerifyOptions{}); err != nil {
		return fmt.Errorf("the new log does not read back: %w", err)
	}
	if err := atomicfile.Sync(draft); err != nil {
		return err
	}
	return atomicfile.Replace(draft, path)
}

// insert adds a release with the cells and the context that are new.
func (c *contents) insert(db *sql.DB, r *Release, s *state) error {
	if c.info == nil {
		if _, err := db.Exec(schema); err != nil {
			return fmt.Errorf("releaselog: schema: %w", err)
		}
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // fails after the commit
	for i := len(c.cells); i < len(s.cells); i++ {
		x := s.cells[i]
		if _, err := tx.Exec("INSERT INTO cells VALUES (?, ?, ?, ?, ?)", i+1, x.Level.String(), x.City, x.Banner, x.Category.String()); err != nil {
			return err
		}
	}
	if r.context > len(c.contexts) {
		text, err := deflate(r.Context.encode())
		if err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT INTO contexts VALUES (?, ?)", r.context, text); err != nil {
			return err
		}
	}
	accepted, err := json.Marshal(append([]Accepted{}, r.Accepted...))
	if err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO releases ("+releaseColumns+") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		r.Number, r.At.UnixNano(), r.Snapshot, r.File, r.Gate, r.Method, r.Note, string(accepted), r.Base, r.Through,
		r.context, r.WeeksAdded, r.CellsAdded, r.CellsRevised, r.CellsWithdrawn, unitsOrNil(r.LargestRevision), r.changes, r.Leaf[:], r.Checkpoint); err != nil {
		return err
	}
	return tx.Commit()
}

func deflate(parts ...[]byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	for _, p := range parts {
		if err == nil {
			_, err = w.Write(p)
		}
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// copyFile copies a file, with the permissions of the model if that exists, and syncs the
// copy. A file that was there before is replaced.
func copyFile(from, to, model string) error {
	in, err := os.Open(from)
	if err != nil {
		return atomicfile.Bare(err)
	}
	defer in.Close()
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(model); err == nil {
		mode = info.Mode().Perm()
	}
	os.Remove(to) // a killed run may have left it
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return atomicfile.Bare(err)
	}
	_, err = io.Copy(out, in)
	return atomicfile.Bare(errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()))
}
