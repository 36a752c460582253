package sqlite

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel/csvdir"
)

// rejectsFile collects rejects beside their file, which it replaces when all
// are known.
type rejectsFile struct {
	path string
	db   string // the snapshot, of which the file has the mode and owners: rejects hold rows like its own
	file *os.File
	csv  *csv.Writer
	rows int
	more []TableCounts // the rejects that are not listed, by file
}

// maxRejects bounds the rejects that a file lists. Its last lines count the others.
const maxRejects = 10_000

// tmp is the path of the file that rejects are collected in. No other program
// uses the name, so a file there is a killed import's.
func (f *rejectsFile) tmp() string {
	return filepath.Join(filepath.Dir(f.path), "."+filepath.Base(f.path)+".larder-tmp")
}

var rejectsHeader = []string{"file", "line", "reason", "text"}

// check refuses a path with any file but the rejects file of an earlier run.
func (f *rejectsFile) check() error {
	refused := func(why string) error {
		return atomicfile.Fail("write rejects to", f.path, errors.New(why), "name another file")
	}
	if f.path == f.db {
		return refused("it is the snapshot")
	}
	old, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return atomicfile.Fail("write rejects to", f.path, atomicfile.Bare(err), "")
	}
	defer old.Close()
	header := strings.Join(rejectsHeader, ",") + "\n"
	start := make([]byte, len(header))
	if _, err := io.ReadFull(old, start); err != nil || string(start) != header {
		return refused("the file is there already and holds no rejects")
	}
	return nil
}

func (f *rejectsFile) add(r *csvdir.Reject) error {
	if f.file == nil {
		os.Remove(f.tmp())
		var err error
		if f.file, err = os.OpenFile(f.tmp(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, atomicfile.DraftMode(f.db)); err == nil {
			err = atomicfile.Keep(f.tmp(), f.db)
		}
		if err != nil {
			return fmt.Errorf("sqlite: rejects: %w", err)
		}
		f.csv = csv.NewWriter(f.file)
		f.csv.Write(rejectsHeader) //nolint:errcheck // Flush reports it
	}
	f.rows++
	if n := len(f.more); f.rows > maxRejects && (n == 0 || f.more[n-1].Table != r.File) {
		f.more = append(f.more, TableCounts{Table: r.File})
	}
	if n := len(f.more); n > 0 {
		f.more[n-1].Rejected++
		return nil
	}
	if err := f.csv.Write([]string{r.File, strconv.Itoa(r.Line), r.Reason, r.Text}); err != nil {
		return fmt.Errorf("sqlite: rejects: %w", err)
	}
	return nil
}

// publish puts the file in its place; without rejects it removes the one of an
// earlier run.
func (f *rejectsFile) publish() error {
	if f.file == nil {
		os.Remove(f.tmp())
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sqlite: rejects of an earlier run: %w", err)
		}
		return nil
	}
	for _, more := range f.more {
		count := fmt.Sprintf("%d more rows were rejected; mend those above and import again", more.Rejected)
		f.csv.Write([]string{more.Table, "", count, ""}) //nolint:errcheck // Flush reports it
	}
	f.csv.Flush()
	err := errors.Join(f.csv.Error(), f.file.Sync(), f.file.Close())
	f.file = nil
	if err == nil {
		err = atomicfile.Replace(f.tmp(), f.path)
	}
	if err != nil {
		os.Remove(f.tmp())
		return fmt.Errorf("sqlite: rejects: %w", err)
	}
	return nil
}

func (f *rejectsFile) abandon() {
	if f.file != nil {
		f.file.Close()
		os.Remove(f.tmp())
	}
}
