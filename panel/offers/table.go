package offers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	unitext "golang.org/x/text/encoding/unicode"

	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/panel/csvdir"
)

// table is an opened file in a mapping's form.
type table struct {
	io.Closer
	rows   iter.Seq2[csvdir.Row, error] // of the whole file
	name   string
	line   int      // of the header
	heads  []string // the header; of JSON the members that are read
	joined string   // name of the joined table that the file is; "": of offers
	at     []int    // of the mapping's columns in a row; -1: not there
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

// openTable opens a file, unpacks it, and finds its encoding, delimiter and header: those in which the mapping's
// columns are there.
func (m *Mapping) openTable(e entry) (t *table, err error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	t = &table{Closer: f, name: e.name}
	r := bufio.NewReaderSize(f, headSize)
	head, err := r.Peek(headSize)
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(z, headSize)
		head, _ = r.Peek(headSize)
	}
	if len(bytes.TrimSpace(head)) == 0 {
		if err == nil || err == io.EOF {
			err = isEmpty
		}
		return nil, err
	}
	near := &misfit{}
	for _, set := range m.charsets(head) {
		decoded, _ := set.NewDecoder().Bytes(head)
		text, stream := strings.TrimPrefix(string(decoded), "\ufeff"), set.NewDecoder().Reader(r)
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			return t, t.array(m, e, stream)
		}
		if !strings.Contains(text, "\n") {
			text, stream = strings.ReplaceAll(text, "\r", "\n"), returns{stream}
		}
		for _, delim := range []byte(",;\t|") {
			n := 0
			for row := range csvdir.Rows(strings.NewReader(text), delim, 0) {
				if n++; n > 30 {
					break
				}
				t.line, t.heads = row.Line, slices.Clone(row.Cells)
				for n := len(t.heads); n > 0 && strings.TrimSpace(t.heads[n-1]) == ""; n-- {
					t.heads = t.heads[:n-1]
				}
				missing := t.match(m)
				if missing == nil {
					t.rows = csvdir.Rows(stream, delim, len(t.heads))
					return t, nil
				}
				if near.missing == nil || len(missing) < len(near.missing) {
					near = &misfit{missing, t.heads}
				}
			}
		}
	}
	return nil, near
}

// match finds the columns of the offers, or else of a joined table, in the header. It returns
// those that offers must have and are not there.
func (t *table) match(m *Mapping) (missing []string) {
	plain := make([]string, len(t.heads))
	for i, h := range t.heads {
		plain[i] = folded(h)
	}
	for _, t.joined = range append([]string{""}, m.tables...) {
		var lacks []string
		t.at = make([]int, len(m.columns))
		for i, c := range m.columns {
			t.at[i] = -1
			if c.table != t.joined || c.constant {
				continue
			}
			for k := 0; k < len(c.names) && t.at[i] < 0; k++ {
				t.at[i] = slices.Index(plain, folded(c.names[k]))
			}
			if t.at[i] < 0 && !c.optional {
				lacks = append(lacks, strings.Join(c.names, " or "))
			}
		}
		if lacks == nil {
			return nil
		}
		if t.joined == "" {
			missing = lacks
		}
	}
	return missing
}

// folded makes the headings of one column alike that differ in case, accents, spaces or signs.
func folded(s string) string {
	return strings.Join(words(s), "")
}

// words returns the letters and digits of a text, in lower case and without accents.
func words(s string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(fold.Text(s), "đ", "d"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
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
	nuls, mark := bytes.Count(head, []byte{0}), string(head[:min(2, len(head))])
	whole := head[:max(0, len(head)-utf8.UTFMax)] // the last character may be cut
	broken := bytes.Count(bytes.ToValidUTF8(whole, []byte{0xff}), []byte{0xff})
	switch {
	case mark == "\xfe\xff" || mark == "\xff\xfe" || nuls > len(head)/8:
		order := unitext.LittleEndian // unless the mark says another
		if head[0] == 0 {
			order = unitext.BigEndian
		}
		return []encoding.Encoding{unitext.UTF16(order, unitext.UseBOM)}
	case broken <= len(head)-utf8.RuneCount(head): // a row that is not UTF-8 is refused by line
		return []encoding.Encoding{encoding.Nop}
	}
	list := []encoding.Encoding{charmap.Windows1252, charmap.Windows1250, charmap.Windows1251}
	if m.charset != nil {
		list = slices.Insert(list, 0, m.charset)
	}
	return list
}
