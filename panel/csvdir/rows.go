package csvdir

import "io"

// Rows reads the rows of a table that another program wrote, in UTF-8 with any delimiter.
// It is lenient to quotes, and a row that can't be cut costs its first line.
type Rows struct{ s *splitter }

// NewRows returns the rows of a stream. want is how many cells a row has, 0 for any number.
func NewRows(r io.Reader, delim byte, want int) *Rows {
	s := newSplitter(r)
	s.delim, s.want, s.loose = string(delim), want, true
	s.csv.Comma, s.csv.LazyQuotes, s.csv.TrimLeadingSpace = rune(delim), true, delim != '\t'
	return &Rows{s}
}

// Next goes to the next row that is not an empty line.
func (r *Rows) Next() bool { return r.s.scan() }

// Cells returns the cells of the row until Next, or why it can't be cut.
func (r *Rows) Cells() (cells []string, problem string) { return r.s.cells, r.s.problem }

// Line returns the number of the row's first line.
func (r *Rows) Line() int { return r.s.line }

// Text returns the row as it is in the stream; of a long one the start.
func (r *Rows) Text() string { return r.s.text }

// Err returns what ended the rows early.
func (r *Rows) Err() error { return r.s.err }
