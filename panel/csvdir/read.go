package csvdir

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel/record"
)

// Reject is a row that could not be taken.
type Reject struct {
	File   string // its name in the folder
	Line   int    // where the row starts, from 1
	Reason string // what is wrong, with the column, its value and what is accepted
	Text   string // of the row in the file
}

// Reader reads the rows of one table. Use:
//
//	for r.Next() {
//		if reject := r.Reject(); reject != nil {
//			...
//			continue
//		}
//		... r.Record()
//	}
//	if err := r.Err(); err != nil {
//		...
//	}
type Reader[T any] struct {
	name   string
	file   *file
	split  *splitter
	order  []*record.Column[T]
	check  func(r *T, cell func(column string) string) error
	rec    T
	reason string
	err    error
}

// Read starts reading a table of the directory. A missing file has no rows. Close the reader when done.
func Read[T any](d *Dir, t *Table[T]) (*Reader[T], error) {
	name, ok := d.files[t.FileName()]
	if !ok {
		return &Reader[T]{name: t.FileName()}, nil
	}
	f, err := openFile(d.path, name)
	if err != nil {
		return nil, err
	}
	r := &Reader[T]{name: name, file: f, split: newSplitter(f), check: t.check}
	err = readHeader(r.split, name, func(header []string) (err error) {
		r.order, err = t.match(header)
		return err
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	r.split.want = len(r.order)
	return r, nil
}

// Next goes to the next row; false at the end of the file or at an error.
func (r *Reader[T]) Next() bool {
	if r.split == nil || r.err != nil {
		return false
	}
	if !r.split.scan() {
		if r.split.err != nil {
			r.err = readError(r.name, r.split)
		}
		return false
	}
	r.reason = r.split.problem
	var zero T
	r.rec = zero
	if r.reason == "" {
		if err := r.decode(); err != nil {
			r.reason = oneLine(err)
		}
	}
	return true
}

func (r *Reader[T]) decode() error {
	var errs []error
	for i, c := range r.order {
		if c.Instead != "" && r.split.cells[i] == "" {
			continue // check sees that the row has the other column
		}
		if err := c.Parse(&r.rec, r.split.cells[i]); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if r.check != nil {
		return r.check(&r.rec, r.cell)
	}
	return nil
}

// cell returns the current row's cell of a column, which the file must have.
func (r *Reader[T]) cell(column string) string {
	return r.split.cells[slices.IndexFunc(r.order, func(c *record.Column[T]) bool { return c.Name == column })]
}

// oneLine writes joined errors with "; " between.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// Record returns the current row. It is overwritten by Next.
func (r *Reader[T]) Record() *T { return &r.rec }

// File returns the name of the file that is read.
func (r *Reader[T]) File() string { return r.name }

// Line returns the number of the line that the current row starts on.
func (r *Reader[T]) Line() int { return r.split.line }

// Text returns the text of the current row in the file, or the start of a very
// long one.
func (r *Reader[T]) Text() string { return r.split.text }

// Reject returns why the current row can't be taken; nil if it can.
func (r *Reader[T]) Reject() *Reject {
	if r.reason == "" {
		return nil
	}
	return NewReject(r.name, r.split.line, r.reason, r.split.text, r.split.length)
}

// NewReject makes a reject of a row of length bytes. Of a long text it keeps
// only the start, with a note of the length. It shows a byte that is not UTF-8
// as the replacement character. Package sqlite uses it for rows that contradict
// others.
func NewReject(file string, line int, reason, text string, length int) *Reject {
	kept := text[:min(len(text), maxText)]
	s := strings.ToValidUTF8(kept, "\ufffd")
	if length > len(kept) {
		s += fmt.Sprintf("... (%d bytes in all)", length)
	}
	return &Reject{File: file, Line: line, Reason: reason, Text: s}
}

// Offset returns how many bytes of the file on disk are read.
func (r *Reader[T]) Offset() int64 {
	if r.file == nil {
		return 0
	}
	n, _ := r.file.f.Seek(0, io.SeekCurrent)
	return n
}

// Err returns the error that ended the reading early, or nil.
func (r *Reader[T]) Err() error { return r.err }

// Close closes the file.
func (r *Reader[T]) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
