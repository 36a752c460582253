package csvdir

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/larder-index/larder/internal/atomicfile"
)

// Writer writes the tables of a panel directory.
type Writer struct{ dir string }

// WriteDir makes a panel directory at a new path, or in the place of an empty folder. Any other
// path is an error. fill writes the tables into a hidden folder beside it, which takes its place
// at the end, so nothing can be imported before all is written. WriteDir does not check that all
// required files were.
func WriteDir(dir string, fill func(w *Writer) error) error {
	dir = filepath.Clean(dir)
	// fail puts the name that the caller gave before an error, in place of those of hidden files.
	fail := func(err error) error { return fmt.Errorf("csvdir: %s: %w", dir, atomicfile.Bare(err)) }
	place, err := placeOf(dir)
	if err != nil {
		return fail(err)
	}
	w := &Writer{filepath.Join(filepath.Dir(place), "."+filepath.Base(place)+".tmp-"+rand.Text()[:12])}
	if err := os.Mkdir(w.dir, 0o777); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(w.dir) // it has another name if all went well
	if err := atomicfile.Keep(w.dir, place); err != nil {
		return fail(err)
	}
	if err := fill(w); err != nil {
		return err
	}
	if _, err := os.Lstat(place); err == nil && os.Remove(place) != nil { // only an empty folder goes
		return fail(errors.New("something was put there meanwhile"))
	}
	if err := atomicfile.Replace(w.dir, place); err != nil {
		return fail(err)
	}
	return nil
}

// Path returns where a file is written.
func (w *Writer) Path(name string) string { return filepath.Join(w.dir, name) }

// placeOf returns the absolute path of a folder, links followed. It refuses what is there
// already, but for an empty folder.
func placeOf(dir string) (place string, err error) {
	if place, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if _, err := os.Lstat(place); err != nil {
		info, err := os.Stat(filepath.Dir(place))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("there is no folder %s to make it in", filepath.Dir(dir))
		case err == nil && !info.IsDir():
			return "", fmt.Errorf("%s is a file, not a folder", filepath.Dir(dir))
		}
		return place, nil
	}
	if place, err = filepath.EvalSymlinks(place); errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("it is a symbolic link to something that does not exist")
	}
	info, err := os.Stat(place)
	if err != nil {
		return "", err
	}
	here, _ := os.Stat(".")
	switch entries, err := os.ReadDir(place); {
	case !info.IsDir():
		return "", errors.New("it is a file, not a folder")
	case os.SameFile(here, info):
		return "", errors.New("it is the working folder, which can't be replaced; give a new folder")
	case len(entries) > 0:
		return "", fmt.Errorf("it is not empty (it has %s); give a new or an empty folder", entries[0].Name())
	default:
		return place, err
	}
}

// Write writes a table: all columns that every file has, the rows in the order they come in.
// It stops at the first error of the rows and returns it.
func Write[T any](w *Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	return write(w, t.needed(nil), rows)
}

// WriteWhole is Write with the columns too that files may lack.
func WriteWhole[T any](w *Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	return write(w, t, rows)
}

func write[T any](w *Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	f, err := os.Create(w.Path(t.FileName()))
	if err == nil {
		defer f.Close()
		if err = encode(f, t, rows); err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
	}
	return err
}

// WriteSorted writes a table from a slice, in the table's own order. Of an
// optional table without rows it writes no file.
func WriteSorted[T any](w *Writer, t *Table[T], rows []T) error {
	if t.optional && len(rows) == 0 {
		return nil
	}
	order := make([]*T, len(rows))
	for i := range rows {
		order[i] = &rows[i]
	}
	slices.SortStableFunc(order, t.compare)
	return write(w, t.needed(rows), func(yield func(*T, error) bool) {
		for _, r := range order {
			if !yield(r, nil) {
				return
			}
		}
	})
}

func encode[T any](out io.Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	w, columns, count := bufio.NewWriterSize(out, 1<<16), t.filed(), 0
	b := append([]byte(strings.Join(t.Columns(), ",")), '\n')
	w.Write(b) // the first error stays
	for r, err := range rows {
		if err != nil {
			return err
		}
		count++
		b = b[:0]
		for i, c := range columns {
			if i > 0 {
				b = append(b, ',')
			}
			b = c.Append(b, r)
		}
		b = append(b, '\n')
		if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return fmt.Errorf("csvdir: %s, row %d: a text is not UTF-8 or has a NUL byte: %q", t.FileName(), count, b)
		}
		// A reader takes CRLF for a line end also within quotes, and leaves the LF.
		if bytes.Contains(b, []byte("\r\n")) {
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\r\r\n"))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Flush()
}
