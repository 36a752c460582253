package csvdir

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	maxLine   = 1 << 20  // a longer line is rejected unread
	maxQuoted = 64 << 10 // a record whose quotes stay open past this never closes them
	maxText   = 64 << 10 // of a rejected record's text, this much is kept
)

// splitter cuts a CSV stream into records and cells without holding more of
// it than one record. A record is given as its cells, or as the reason why it
// can't be cut; after a bad one it goes on at the next line, so one broken
// quote never takes the good rows after it along.
type splitter struct {
	r    io.Reader
	buf  []byte
	pos  int // start of what is not given out yet
	end  int // end of what was read
	eof  bool
	err  error // of r, once all before it is given out
	next int   // line number at pos

	line    int      // of the current record, from 1
	text    []byte   // the current record as it stands in the file, without its line end
	length  int      // its full length: text is capped for a line that is too long
	cells   [][]byte // its cells
	problem string   // why it can't be cut; empty if it could
	scratch []byte   // unescaped quoted cells
	want    int      // cells of a record; 0: any number
}

func newSplitter(r io.Reader) *splitter {
	s := &splitter{r: r, buf: make([]byte, 256<<10), next: 1}
	for !s.eof && s.end < len(bom) {
		s.fill()
	}
	if bytes.HasPrefix(s.buf[:s.end], bom) {
		s.pos = len(bom)
	}
	return s
}

var bom = []byte("\xef\xbb\xbf")

// utf16 reports whether the stream, of which nothing is given out yet, begins
// with the mark of UTF-16 text.
func (s *splitter) utf16() bool {
	start := s.buf[:s.end]
	return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}

// fill reads more behind what is there, making room first.
func (s *splitter) fill() {
	if s.pos > 0 && s.end == len(s.buf) {
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	if err != nil {
		s.eof = true
		if err != io.EOF {
			s.err = err
		}
	}
}

// scan goes to the next record that is not an empty line; false at the end of
// the stream or at its error.
func (s *splitter) scan() bool {
	for {
		s.line, s.problem = s.next, ""
		nl, ok := s.lineEnd()
		if !ok {
			return false
		}
		if nl > maxLine {
			s.skipLine()
			return true
		}
		s.text = trimCR(s.buf[s.pos : s.pos+nl])
		s.length = len(s.text)
		if len(s.text) == 0 {
			s.advance(nl, 1)
			continue
		}
		if bytes.IndexByte(s.text, '"') < 0 {
			s.split()
			s.advance(nl, 1)
		} else if !s.scanQuoted(nl) {
			return false
		}
		s.checkText()
		return true
	}
}

// lineEnd returns how many bytes the line at pos has. The end of the stream
// ends a line too. It gives up past maxLine, with a number above it. False:
// there is nothing left, or nothing but an unfinished line before a read error.
func (s *splitter) lineEnd() (int, bool) {
	for searched := 0; ; {
		if i := bytes.IndexByte(s.buf[s.pos+searched:s.end], '\n'); i >= 0 {
			return searched + i, true
		}
		searched = s.end - s.pos
		switch {
		case searched > maxLine:
			return searched, true
		case s.eof:
			return searched, searched > 0 && s.err == nil
		}
		s.fill()
	}
}

// advance moves behind a record of n bytes and its line end.
func (s *splitter) advance(n, lines int) {
	s.pos = min(s.pos+n+1, s.end)
	s.next += lines
}

// skipLine rejects a line of more than maxLine bytes: it reads on to the line's end, keeping no more than the start.
func (s *splitter) skipLine() {
	s.text = append([]byte(nil), s.buf[s.pos:s.pos+maxText]...)
	s.length = 0
	for {
		chunk := s.buf[s.pos:s.end]
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			s.length += i
			s.advance(i, 1)
			break
		}
		s.length += len(chunk)
		s.pos, s.end = 0, 0
		if s.eof {
			s.next++
			break
		}
		s.fill()
	}
	s.problem = fmt.Sprintf("the line has %d bytes; a line may have %d", s.length, maxLine)
}

// checkText rejects a record that is not clean UTF-8 text.
func (s *splitter) checkText() {
	switch {
	case !utf8.Valid(s.text):
		s.problem = fmt.Sprintf("byte %d of the row is not UTF-8 text; save the file as UTF-8", badByte(s.text)+1)
	case bytes.IndexByte(s.text, 0) >= 0:
		s.problem = fmt.Sprintf("byte %d of the row is a NUL byte; text has none", bytes.IndexByte(s.text, 0)+1)
	}
}

func badByte(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// split cuts a record without quotes at its commas.
func (s *splitter) split() {
	cells, start := s.cells[:0], 0
	for i, c := range s.text {
		if c == ',' {
			cells = append(cells, s.text[start:i])
			start = i + 1
		}
	}
	s.cells = append(cells, s.text[start:])
	s.checkCount()
}

func (s *splitter) checkCount() {
	if s.want > 0 && len(s.cells) != s.want {
		s.problem = fmt.Sprintf("%d cells; the header has %d columns", len(s.cells), s.want)
	}
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
