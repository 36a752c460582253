// Package bulk writes whole tables as files: Parquet, and CSV packed by gzip. A Data Package
// describes the files, and a list has their sums. The same rows give the same bytes.
//
// Tables are streams of rows, so a file of any length is written in little memory. A Folder
// keeps the files that were made and makes each of them once.
package bulk

import (
	"io"
	"iter"

	"github.com/larder-index/larder/panel"
)

// Table is a table that can be written as files.
type Table interface {
	// Named returns the table's name, which its files begin with.
	Named() string
	// Write writes the table as a file.
	Write(w io.Writer, format Format, about *About) error
	// schema describes the columns to readers of a Data Package.
	schema() *schema
	title() string
}

// Format is the form of a file, and the end of its name.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv.gz"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Parquet, CSV} }

// Rows is a table with rows of type T.
type Rows[T any] struct {
	Name, Title string
	Columns     []Column[T]
	Key         []string          // the columns that tell rows apart
	Refers      map[string]string // other tables that columns refer to, by their column id
	Sorted      []string          // the columns that rows are in order of
	Nanoseconds bool              // some time is finer than a microsecond
	Each        iter.Seq[*T]      // the rows; one is valid until the next
	// Week returns the week of a row. A Parquet file has a row group for each week. Nil: one for all.
	Week func(*T) panel.Week
}

// Named implements Table.
func (t *Rows[T]) Named() string { return t.Name }

func (t *Rows[T]) title() string { return t.Title }

// Write implements Table.
func (t *Rows[T]) Write(w io.Writer, format Format, about *About) error {
	if format == CSV {
		return t.writeCSV(w)
	}
	return t.writeParquet(w, about)
}
