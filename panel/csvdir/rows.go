package csvdir

import (
	"io"
	"iter"
)

// Row is a row of a table that another program wrote.
type Row struct {
	Cells   []string // until the next row
	Problem string   // why it can't be cut
	Line    int      // its first
	Text    string   // as it is in the stream; of a long row the start
	Last    bool     // it ends its line, and the stream
}

// Rows reads a table that another program wrote, in UTF-8 with any delimiter, but for empty lines. It is lenient to
// quotes, and a row that can't be cut costs its first line. want is how many cells a row has, 0 for any number.
func Rows(r io.Reader, delim byte, want int) iter.Seq2[Row, error] {
	s := newSplitter(r)
	s.delim, s.want, s.loose = string(delim), want, true
	s.csv.Comma, s.csv.LazyQuotes, s.csv.TrimLeadingSpace = rune(delim), true, delim != '\t'
	return func(yield func(Row, error) bool) {
		for s.scan() {
			_, err := s.r.Peek(1)
			if !yield(Row{s.cells, s.problem, s.line, s.text, s.ended && err == io.EOF}, nil) {
				return
			}
		}
		if s.err != nil {
			yield(Row{Line: s.line}, s.err)
		}
	}
}
