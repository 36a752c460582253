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

// table is an opened file in a mapping's form.
type table struct {
	entry
	io.Closer
	text   io.Reader    // in UTF-8
	rows   *csvdir.Rows // nil: an array of JSON
	header string
	before int      // rows before it
	joined string   // name of the joined table that the file is; "": of offers
	heads  []string // cells of the header
	at     []int    // of the mapping's columns in a row; -1: not there
	delim  byte
}

// misfit says why a file is not in a mapping's form.
type misfit struct {
	missing []string // columns
	heads   []string // what the file has instead
}

func (e *misfit) Error() string {
	return fmt.Sprintf("has no column %s; it begins with %.200q", strings.Join(e.missing, ", no "), e.heads)
}

// headSize is how much of a file its form is told by.
const headSize = 64 << 10

// openTable opens a file, and finds its form.
func (m *Mapping) openTable(e entry) (*table, error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f, headSize)
	head, err := r.Peek(headSize)
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		var z *gzip.Reader
		if z, err = gzip.NewReader(r); err == nil {
			r = bufio.NewReaderSize(z, headSize)
			head, err = r.Peek(headSize)
		}
	}
	if len(bytes.TrimSpace(head)) == 0 {
		f.Close()
		if err == nil || err == io.EOF {
			err = errEmpty
		}
		return nil, err
	}
	var near *misfit
	for _, set := range m.charsets(head) {
		text, _ := set.NewDecoder().Bytes(head)
		t := &table{entry: e, Closer: f}
		miss := t.find(m, strings.TrimPrefix(string(text), "\ufeff"))
		if miss == nil {
			t.text = set.NewDecoder().Reader(r)
			if !bytes.Contains(text, []byte{'\n'}) {
				t.text = returns{t.text}
			}
			return t, t.start(m)
		}
		if near == nil || len(miss.missing) < len(near.missing) {
			near = miss
		}
	}
	f.Close()
	return nil, near
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
	broken := bytes.Count(bytes.ToValidUTF8(head[:max(0, len(head)-utf8.UTFMax)], []byte{0xff}), []byte{0xff})
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

// find sets what the first lines of a file tell of its form.
func (t *table) find(m *Mapping, text string) (near *misfit) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		return t.findJSON(m, text)
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for _, t.header = range lines[:min(len(lines), 30)] {
		for _, t.delim = range []byte(",;\t|") {
			t.heads = strings.Split(t.header, string(t.delim))
			for _, t.joined = range append([]string{""}, m.tables...) {
				missing := t.match(m)
				if missing == nil {
					return nil
				}
				if t.joined == "" && (near == nil || len(missing) < len(near.missing)) {
					near = &misfit{missing, t.heads}
				}
			}
		}
	}
	return near
}

// start goes to the first row after the header.
func (t *table) start(m *Mapping) error {
	if t.delim == 0 {
		return nil
	}
	want := len(t.heads)
	for want > 0 && strings.TrimSpace(t.heads[want-1]) == "" {
		want--
	}
	t.rows = csvdir.NewRows(t.text, t.delim, want)
	for t.rows.Next() && t.rows.Text() != t.header {
		t.before++
	}
	cells, _ := t.rows.Cells()
	t.heads = slices.Clone(cells)
	if missing := t.match(m); missing != nil {
		t.Close()
		return &misfit{missing, t.heads}
	}
	return nil
}

// match finds the columns in the header, and returns those that must be there and are not.
func (t *table) match(m *Mapping) (missing []string) {
	folded := make([]string, len(t.heads))
	for i, h := range t.heads {
		folded[i] = fold(h)
	}
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
		if t.at[i] < 0 && !c.optional || m.list != "" {
			missing = append(missing, strings.Join(c.names, " or "))
		}
	}
	return missing
}
