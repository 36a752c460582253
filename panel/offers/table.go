package offers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/larder-index/larder/panel/csvdir"
)

// table is an opened file in a mapping's form, after its header.
type table struct {
	io.Closer
	rows
	name   string
	before int      // rows before the header
	heads  []string // the header; of JSON the members that are read
	joined string   // name of the joined table that the file is; "": of offers
	at     []int    // of the mapping's columns in a row; -1: not there
}

// rows are those of a table, as of [csvdir.Rows].
type rows interface {
	Next() bool
	Cells() (cells []string, problem string)
	Line() int
	Text() string
	Err() error
}

// misfit says why a file is not in a mapping's form.
type misfit struct {
	missing []string // columns
	heads   []string // what the file has instead
}

func (e *misfit) Error() string {
	return fmt.Sprintf("has no column %s; it begins with %.200q", strings.Join(e.missing, ", no "), e.heads)
}

const headSize = 64 << 10 // of a file, by which its form is told

// openTable opens a file, and finds its form.
func (m *Mapping) openTable(e entry) (*table, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	t := &table{Closer: f, name: e.name}
	if err := t.find(m, e, bufio.NewReaderSize(f, headSize)); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func (t *table) find(m *Mapping, e entry, r *bufio.Reader) error {
	head, err := r.Peek(headSize)
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		r = bufio.NewReaderSize(z, headSize)
		head, _ = r.Peek(headSize)
	}
	if len(bytes.TrimSpace(head)) == 0 {
		if err == nil || err == io.EOF {
			err = isEmpty
		}
		return err
	}
	near := &misfit{}
	for _, set := range m.charsets(head) {
		decoded, _ := set.NewDecoder().Bytes(head)
		text, stream := strings.TrimPrefix(string(decoded), "\ufeff"), set.NewDecoder().Reader(r)
		if !strings.Contains(text, "\n") {
			text, stream = strings.ReplaceAll(text, "\r", "\n"), returns{stream}
		}
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			return t.array(m, e, text, stream)
		}
		for _, delim := range []byte(",;\t|") {
			if delim != ',' && !strings.Contains(text, string(delim)) {
				continue
			}
			first := csvdir.NewRows(strings.NewReader(text), delim, 0)
			for t.before = 0; t.before < 30 && first.Next(); t.before++ {
				cells, _ := first.Cells()
				t.heads = slices.Clone(cells)
				for n := len(t.heads); n > 0 && strings.TrimSpace(t.heads[n-1]) == ""; n-- {
					t.heads = t.heads[:n-1]
				}
				missing := t.match(m)
				if missing == nil {
					t.rows = csvdir.NewRows(stream, delim, len(t.heads))
					for t.Line() < first.Line() && t.Next() {
					}
					return nil
				}
				if near.missing == nil || len(missing) < len(near.missing) {
					near = &misfit{missing, t.heads}
				}
			}
		}
	}
	return near
}

// match finds the columns of the offers, or else of a joined table, in the header. It returns
// those that offers must have and are not there.
func (t *table) match(m *Mapping) (missing []string) {
	folded := make([]string, len(t.heads))
	for i, h := range t.heads {
		folded[i] = fold(h)
	}
	for _, t.joined = range append([]string{""}, m.tables...) {
		fits := true
		t.at = make([]int, len(m.columns))
		for i := range m.columns {
			c := &m.columns[i]
			t.at[i] = -1
			if c.table != t.joined || c.constant {
				continue
			}
			for k := 0; k < len(c.folded) && t.at[i] < 0; k++ {
				t.at[i] = slices.Index(folded, c.folded[k])
			}
			if t.at[i] < 0 && !c.optional {
				fits = false
				if t.joined == "" {
					missing = append(missing, strings.Join(c.names, " or "))
				}
			}
		}
		if fits {
			return nil
		}
	}
	return missing
}

// returns reads lines that end in a carriage return alone.
type returns struct{ io.Reader }

func (r returns) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	copy(p, bytes.ReplaceAll(p[:n], []byte{'\r'}, []byte{'\n'}))
	return n, err
}

// charsets returns the encodings that a file may be in, the likeliest first. The one is right
// in which the header has the mapping's columns.
func (m *Mapping) charsets(head []byte) []encoding.Encoding {
	nuls := bytes.Count(head, []byte{0})
	whole := head[:max(0, len(head)-utf8.UTFMax)] // the last character may be cut
	broken := bytes.Count(bytes.ToValidUTF8(whole, []byte{0xff}), []byte{0xff})
	switch {
	case bytes.HasPrefix(head, []byte("\xfe\xff")) || nuls > len(head)/8 && head[0] == 0:
		return []encoding.Encoding{unicode.UTF16(unicode.BigEndian, unicode.UseBOM)}
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || nuls > len(head)/8:
		return []encoding.Encoding{unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}
	case broken <= len(head)-utf8.RuneCount(head): // a row that is not UTF-8 is refused by line
		return []encoding.Encoding{encoding.Nop}
	}
	list := []encoding.Encoding{charmap.Windows1252, charmap.Windows1250, charmap.Windows1251}
	if m.charset != nil {
		list = slices.Insert(list, 0, m.charset)
	}
	return list
}
