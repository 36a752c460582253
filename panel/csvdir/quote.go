package csvdir

import "bytes"

const (
	neverClosed = `a quote is opened and never closed; write a quote within a quoted cell as ""`
	strayQuote  = `a quote stands in a cell that is not quoted; put the whole cell in quotes and double the quotes within`
	afterQuote  = `text follows a closing quote; write a quote within a quoted cell as ""`
)

// scanQuoted cuts a record with quotes, whose first line has n bytes. Quoted
// cells keep every byte, line ends included. Whatever is wrong with a record of
// several lines, only its first line is rejected: its quote most likely should
// have been closed there, and the next lines are rows of their own. False: the
// stream broke off within the record.
func (s *splitter) scanQuoted(n int) bool {
	for s.end-s.pos <= n+maxQuoted && !s.eof {
		s.fill()
	}
	window := s.buf[s.pos:min(s.end, s.pos+max(n+1, maxQuoted))]
	s.cells, s.scratch = s.cells[:0], s.scratch[:0]
	for at := 0; ; {
		cell, after, problem := s.cell(window, at)
		switch {
		case problem == neverClosed && s.err != nil:
			return false
		case problem != "":
			s.text, s.length = trimCR(window[:n]), len(trimCR(window[:n]))
			s.problem = problem
			s.advance(n, 1)
			return true
		}
		s.cells = append(s.cells, cell)
		if after < len(window) && window[after] == ',' {
			at = after + 1
			continue
		}
		return s.endQuoted(window, n, after)
	}
}

// endQuoted takes the record that ends at the given place, unless it has
// several lines and the wrong number of cells.
func (s *splitter) endQuoted(window []byte, n, end int) bool {
	lines := 1 + bytes.Count(window[:end], []byte{'\n'})
	s.checkCount()
	if s.problem != "" && lines > 1 {
		s.problem, lines, end = neverClosed, 1, n
	}
	s.text = trimCR(window[:end])
	s.length = len(s.text)
	s.advance(end, lines)
	return true
}

// cell returns the cell that starts at the given place and the place after it:
// that of a comma, of the line end or of the end of the stream.
func (s *splitter) cell(window []byte, at int) (cell []byte, after int, problem string) {
	rest := window[at:]
	if len(rest) == 0 || rest[0] != '"' {
		n := bytes.IndexAny(rest, ",\n")
		if n < 0 {
			if n = len(rest); !s.whole(window) {
				return nil, 0, neverClosed
			}
		}
		cell = rest[:n]
		if n == len(rest) || rest[n] == '\n' {
			cell = trimCR(cell)
		}
		if bytes.IndexByte(cell, '"') >= 0 {
			return nil, 0, strayQuote
		}
		return cell, at + n, ""
	}
	start, from := 1, len(s.scratch)
	for i := start; ; {
		q := bytes.IndexByte(rest[i:], '"')
		if q < 0 || (i+q+1 == len(rest) && !s.whole(window)) {
			return nil, 0, neverClosed
		}
		i += q + 1
		if i < len(rest) && rest[i] == '"' { // "" stands for one
			s.scratch = append(s.scratch, rest[start:i]...)
			i++
			start = i
			continue
		}
		cell = rest[start : i-1]
		if len(s.scratch) > from {
			s.scratch = append(s.scratch, cell...)
			cell = s.scratch[from:]
		}
		if i < len(rest) && rest[i] == '\r' {
			if i+1 == len(rest) || rest[i+1] == '\n' {
				i++
			}
		}
		if i < len(rest) && rest[i] != ',' && rest[i] != '\n' {
			return nil, 0, afterQuote
		}
		return cell, at + i, ""
	}
}

// whole reports whether the window reaches to the end of the stream.
func (s *splitter) whole(window []byte) bool { return s.eof && s.pos+len(window) == s.end }
