package bulk

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

// Set is the tables of a release.
type Set struct {
	About  *About
	Tables []Table
}

// About says what the files of a release are.
type About struct {
	Release  string    // the name in addresses
	Snapshot string    // hash of the snapshot
	Created  time.Time // when it was released or, without a release log, observed last
	Gate     string    // version of the gate
	Method   string    // version of the method
	Words    *panel.About
}

// metadata returns the pairs that a Parquet file bears.
func (a *About) metadata() [][2]string {
	pairs := [][2]string{
		{"larder.release", a.Release}, {"larder.snapshot", a.Snapshot}, {"larder.gate_version", a.Gate}, {"larder.method_version", a.Method},
		{"larder.source", a.Words.SourceLabel()}, {"larder.licence", a.Words.Terms()},
	}
	if notice := a.Words.Notice(); notice != "" {
		pairs = append(pairs, [2]string{"larder.notice", notice})
	}
	return pairs
}

// unfinished ends the beginning of the name of a folder that is being made.
const unfinished = ".tmp-"

// WriteDir writes a file of each table in each format, a Data Package and the sums into a folder,
// which must not exist or be empty. A failed WriteDir leaves nothing behind.
func (s *Set) WriteDir(dir string, formats ...Format) error {
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if entries, err := os.ReadDir(dir); len(entries) > 0 {
		return errors.New(dir + " is not empty; name a new folder")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+unfinished+rand.Text()[:12])
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return fmt.Errorf("make %s: %w", dir, atomicfile.Bare(err))
	}
	defer os.RemoveAll(tmp) // fails once it is renamed
	var sums []Sum
	file := func(name string, write func(io.Writer) error) error {
		sum, err := writeFile(filepath.Join(tmp, name), write)
		sums = append(sums, sum)
		return err
	}
	for _, t := range s.Tables {
		for _, f := range formats {
			if err := file(t.Name+"."+string(f), func(w io.Writer) error {
				if f == CSV {
					return t.writeCSV(w)
				}
				return t.writeParquet(w, s.About)
			}); err != nil {
				return err
			}
		}
	}
	if err := file(Descriptor, func(w io.Writer) error { return s.writeDescriptor(w, sums) }); err != nil {
		return err
	}
	if err := file(Sums, func(w io.Writer) error { return writeSums(w, sums) }); err != nil {
		return err
	}
	os.Remove(dir) //nolint:errcheck // only an empty folder goes
	return atomicfile.Replace(tmp, dir)
}

// writeFile writes a file to disk and returns its sum.
func writeFile(path string, write func(io.Writer) error) (sum Sum, err error) {
	out, err := os.Create(path)
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(out, h), 1<<20)
	err = errors.Join(write(w), w.Flush(), out.Sync())
	size, failed := out.Seek(0, io.SeekCurrent)
	return Sum{filepath.Base(path), size, hex.EncodeToString(h.Sum(nil))}, errors.Join(err, failed, out.Close())
}
