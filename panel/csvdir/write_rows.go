package csvdir

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"compress/gzip"

	"github.com/larder-index/larder/internal/atomicfile"
)

// Write writes a table: all columns, the rows in the order they come in. It
// stops at the first error of the rows and returns it.
func Write[T any](w *Writer, t *Table[T], rows iter.Seq2[*T, error]) error {
	if w.tmp == "" {
		return w.fail(errEnded)
	}
	name := t.FileName()
	if w.opts.Gzip {
		name += ".gz"
	}
	f, err := os.Create(filepath.Join(w.tmp, name))
	if err != nil {
		return w.fail(fmt.Errorf("%s: %w", name, atomicfile.Bare(err)))
	}
	defer f.Close()
	if err := encodeFile(f, w.opts.Gzip, t, rows); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
	}
	return nil
}

func encodeFile[T any](out io.Writer, compress bool, t *Table[T], rows iter.Seq2[*T, error]) error {
	if !compress {
		return encode(out, t, rows)
	}
	gz := gzip.NewWriter(out)
	if err := encode(gz, t, rows); err != nil {
		return err
	}
	if err := gz.Close(); err != nil {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
	}
	return nil
}

// WriteSorted writes a table from a slice, in the table's own order. Of an
// optional table without rows it writes no file.
func WriteSorted[T any](w *Writer, t *Table[T], rows []T) error {
	if t.optional && len(rows) == 0 {
		return nil
	}
	t = t.needed(rows)
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
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
	}
	columns, count := t.filed(), 0
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
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("csvdir: %s: %w", t.FileName(), atomicfile.Bare(err))
	}
	return nil
}
