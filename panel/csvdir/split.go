package csvdir

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxLine   = 1 << 20  // bytes; a longer line is rejected unread
	maxQuoted = 64 << 10 // bytes of a record of several lines; a quote that is open for longer is never closed
	maxText   = 64 << 10 // bytes that are kept of a rejected record
)

const (
	neverClosed = `a quote is opened and never closed; write a quote within a quoted cell as ""`
	strayQuote  = "a quote stands in a cell that is not quoted; " +
		"put the whole cell in quotes and double the quotes within"
	afterQuote = `text follows a closing quote; write a quote within a quoted cell as ""`
)

// splitter reads the records of a CSV stream. Package encoding/csv cuts the lines
// that have quotes. A record that can't be cut costs its first line, and reading
// goes on at the next one.
type splitter struct {
	r      *bufio.Reader
	csv    *csv.Reader   // cuts records with quotes
	lines  *bufio.Reader // what it reads from
	record bytes.Reader  // the lines of one record
	err    error         // what ended the stream early
	next   int           // number of the next line
	want   int           // cells of a record; 0: any number
	delim  string        // between cells
	loose  bool          // a stray quote stays as it is, and empty cells at the end are no matter

	line    int      // where the record starts, from 1
	text    string   // of the record in the file, without its line end
	ended   bool     // its line has an end
	length  int      // bytes of the whole record; the text of a long one is cut
	cells   []string // nothing if there is a problem
	problem string   // why the record can't be cut; empty if it can
}

func newSplitter(r io.Reader) *splitter {
	size := maxLine + 1
	if short, ok := r.(*strings.Reader); ok {
		size = min(size, short.Len()+1)
	}
	s := &splitter{r: bufio.NewReaderSize(r, size), lines: bufio.NewReader(nil), next: 1, delim: ","}
	s.csv = csv.NewReader(s.lines)
	s.csv.FieldsPerRecord, s.csv.ReuseRecord = -1, true
	if mark, _ := s.r.Peek(len(bom)); bytes.Equal(mark, bom) {
		_, _ = s.r.Discard(len(bom))
	}
	return s
}

var bom = []byte("\xef\xbb\xbf")

// utf16 reports whether a stream that was not read yet begins with the mark of
// UTF-16 text.
func (s *splitter) utf16() bool {
	mark, _ := s.r.Peek(2)
	return string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff"
}

// scan goes to the next record that is not an empty line. It returns false at
// the end of the stream or at its error.
func (s *splitter) scan() bool {
	for s.err == nil {
		s.line, s.problem, s.cells = s.next, "", s.cells[:0]
		line, err := s.r.ReadSlice('\n')
		s.next++
		if s.failed(err) || len(line) == 0 {
			return false
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			s.skipLine(line)
			return s.err == nil
		}
		s.ended = bytes.HasSuffix(line, []byte("\n"))
		if s.text = string(trimEnd(line)); s.text == "" {
			continue
		}
		if strings.IndexByte(s.text, '"') < 0 {
			s.cutPlain()
		} else {
			s.cutQuoted(line)
		}
		s.length = len(s.text)
		s.checkText()
		return s.err == nil
	}
	return false
}

func (s *splitter) skipLine(start []byte) {
	s.text, s.length = string(start[:maxText]), len(start)
	for err := bufio.ErrBufferFull; err != nil; {
		var part []byte
		part, err = s.r.ReadSlice('\n')
		s.length += len(bytes.TrimSuffix(part, []byte("\n")))
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			s.failed(err)
			break
		}
	}
	s.problem = fmt.Sprintf("the line has %d bytes; a line may have %d", s.length, maxLine)
}

// failed notes an error of the stream other than its end.
func (s *splitter) failed(err error) bool {
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		s.err = err
	}
	return s.err != nil
}

func (s *splitter) cutPlain() {
	for rest, more := s.text, true; more; {
		var cell string
		cell, rest, more = strings.Cut(rest, s.delim)
		s.cells = append(s.cells, cell)
	}
	s.checkCount()
}

// cutQuoted cuts a record with quotes that starts with the line. With an odd
// number of quotes it may go on in the lines that follow.
func (s *splitter) cutQuoted(line []byte) {
	first := len(line)
	if bytes.Count(line, []byte{'"'})%2 == 1 {
		line = bytes.Clone(line)
		more, err := s.r.Peek(maxQuoted)
		if s.failed(err) {
			return
		}
		line = append(line, more...)
	}
	s.record.Reset(line)
	s.lines.Reset(&s.record)
	n := -int(s.csv.InputOffset())
	cells, err := s.csv.Read()
	n += int(s.csv.InputOffset())
	s.cells = append(s.cells, cells...)
	s.checkCount()
	switch e, _ := errors.AsType[*csv.ParseError](err); {
	case e != nil && errors.Is(e.Err, csv.ErrBareQuote):
		s.problem = strayQuote
	case e != nil && quoteAt(line, e.Line-e.StartLine, e.Column):
		s.problem = afterQuote
	case e != nil, s.problem != "" && n > first, s.openEnd(line[:n], n > first):
		// Most likely the next lines are rows of their own.
		s.problem = neverClosed
	case n > first:
		s.text = string(trimEnd(line[:n]))
		s.next += strings.Count(s.text, "\n")
		_, _ = s.r.Discard(n - first)
	}
}

// openEnd reports whether loose text ends, or goes on in further lines, within a quoted cell.
func (s *splitter) openEnd(record []byte, further bool) bool {
	return s.loose && bytes.Count(record, []byte{'"'})%2 == 1 && (further || !bytes.HasSuffix(record, []byte{'\n'}))
}

// quoteAt reports whether the byte at a line, counted from 0, and a column, counted from 1, is a quote.
func quoteAt(text []byte, line, column int) bool {
	row := bytes.SplitN(text, []byte("\n"), line+2)[line]
	return column <= len(row) && row[column-1] == '"'
}

func (s *splitter) checkText() {
	if nul := strings.IndexByte(s.text, 0); nul >= 0 {
		s.problem = fmt.Sprintf("byte %d of the row is a NUL byte; text has none", nul+1)
	}
	if utf8.ValidString(s.text) {
		return
	}
	for i := 0; i < len(s.text); {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		i += n
		if r == utf8.RuneError && n == 1 {
			s.problem = fmt.Sprintf("byte %d of the row is not UTF-8 text; save the file as UTF-8", i)
			return
		}
	}
}

func (s *splitter) checkCount() {
	for n := len(s.cells); s.loose && n > s.want && s.want > 0 && s.cells[n-1] == ""; n = len(s.cells) {
		s.cells = s.cells[:n-1]
	}
	if n := len(s.cells); s.want > 0 && n != s.want {
		s.problem = fmt.Sprintf("%d cells; the header has %d columns", n, s.want)
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
