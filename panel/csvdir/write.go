package csvdir

import (
	"bufio"
	"bytes"
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

	"github.com/klauspost/compress/gzip"
)

// WriteOptions say how a panel directory is written.
type WriteOptions struct {
	Gzip bool // every file as x.csv.gz
}

// Writer writes a panel directory. Nothing is at its place before Commit: the
// files are made in a folder beside it.
type Writer struct {
	dir, tmp string
	opts     WriteOptions
}

// Create starts a panel directory at a place where there is nothing, or an
// empty folder. End it with Commit or Abort.
func Create(dir string, opts WriteOptions) (*Writer, error) {
	dir = filepath.Clean(dir)
	if err := checkEmpty(dir); err != nil {
		return nil, fmt.Errorf("csvdir: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".tmp-*")
	if err != nil {
		return nil, fmt.Errorf("csvdir: %w", err)
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		os.RemoveAll(tmp)
		return nil, fmt.Errorf("csvdir: %w", err)
	}
	return &Writer{dir: dir, tmp: tmp, opts: opts}, nil
}

func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty (it has %s); give a new or an empty folder", dir, entries[0].Name())
	}
	return nil
}

// Commit puts the finished folder in its place.
func (w *Writer) Commit() error {
	if err := os.Remove(w.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.Abort()
		return fmt.Errorf("csvdir: %w", err)
	}
	if err := os.Rename(w.tmp, w.dir); err != nil {
		w.Abort()
		return fmt.Errorf("csvdir: %w", err)
	}
	w.tmp = ""
	return nil
}

// Abort removes what was written. After Commit it does nothing.
func (w *Writer) Abort() {
	if w.tmp != "" {
		os.RemoveAll(w.tmp)
		w.tmp = ""
	}
}

// Write writes a table: all columns, the rows in the order they come in. It
// stops at the first error of the rows and returns it.
func Write[T any](w *Writer, t *Table[T], rows iter.Seq2[*T, error]) (err error) {
	name := t.FileName()
	if w.opts.Gzip {
		name += ".gz"
	}
	f, err := os.Create(filepath.Join(w.tmp, name))
	if err != nil {
		return fmt.Errorf("csvdir: %w", err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("csvdir: %w", e)
		}
	}()
	if !w.opts.Gzip {
		return encode(f, t, rows)
	}
	gz := gzip.NewWriter(f)
	if err := encode(gz, t, rows); err != nil {
		return err
	}
	if err := gz.Close(); err != nil {
		return fmt.Errorf("csvdir: %s: %w", name, err)
	}
	return nil
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
	return Write(w, t, func(yield func(*T, error) bool) {
		for _, r := range order {
			if !yield(r, nil) {
				return
			}
		}
	})
}

func encode[T any](out io.Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	w := bufio.NewWriterSize(out, 1<<16)
	b := append([]byte(strings.Join(t.Columns(), ",")), '\n')
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), err)
	}
	count := 0
	for r, err := range rows {
		if err != nil {
			return err
		}
		count++
		b = b[:0]
		for i := range t.columns {
			if i > 0 {
				b = append(b, ',')
			}
			b = t.columns[i].encode(b, r)
		}
		b = append(b, '\n')
		if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return fmt.Errorf("csvdir: %s, row %d: a text is not UTF-8 or has a NUL byte: %q", t.FileName(), count, b)
		}
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("csvdir: %s: %w", t.FileName(), err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), err)
	}
	return nil
}

// appendText appends a text cell, quoted if it must be.
func appendText(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
