package offers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	unitext "golang.org/x/text/encoding/unicode"

	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// entry is a file, in an archive or not.
type entry struct {
	name string // its path, through the archives that it is in
	open func() (io.ReadCloser, error)
}

// maxNested bounds an archive in an archive, which is held in memory.
const maxNested = 256 << 20

// walk calls visit with the files of one folder at a time: of the folders and archives
// among the given, and of those in them.
func walk(files []string, visit func(folder []entry) error) error {
	var list []entry
	for _, root := range files {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (name == root || !strings.HasPrefix(d.Name(), ".")) {
				open := func() (io.ReadCloser, error) { return os.Open(name) }
				list = append(list, entry{filepath.ToSlash(name), open})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return byFolder(list, visit)
}

// byFolder calls visit with the files of archives among the entries, then with the others.
func byFolder(list []entry, visit func(folder []entry) error) error {
	folders := map[string][]entry{}
	for _, e := range list {
		inner, archive, err := e.unzip()
		if archive != nil {
			err = byFolder(inner, visit)
			archive.Close()
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			e.open = func() (io.ReadCloser, error) { return nil, err }
		}
		folders[path.Dir(e.name)] = append(folders[path.Dir(e.name)], e)
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		if err := visit(folders[name]); err != nil {
			return err
		}
	}
	return nil
}

// unzip returns the files of an archive, which can be read until it is closed; it is nil if the file is no archive.
func (e *entry) unzip() (list []entry, archive io.Closer, err error) {
	f, err := e.open()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if archive == nil {
			f.Close()
		}
	}()
	mark := make([]byte, 4)
	if _, err := io.ReadFull(f, mark); err != nil || string(mark) != "PK\x03\x04" {
		return nil, nil, nil
	}
	var z *zip.Reader
	if file, ok := f.(*os.File); ok {
		info, _ := file.Stat()
		z, err = zip.NewReader(file, info.Size())
	} else {
		data, bad := io.ReadAll(io.MultiReader(bytes.NewReader(mark), io.LimitReader(f, maxNested)))
		if len(data) > maxNested {
			bad = errors.New("is a large archive in an archive: unpack the outer one")
		}
		if bad != nil {
			return nil, nil, bad
		}
		z, err = zip.NewReader(bytes.NewReader(data), int64(len(data)))
	}
	if err != nil {
		return nil, nil, err
	}
	for _, x := range z.File {
		name := e.name + "/" + strings.ToValidUTF8(x.Name, "?")
		if !x.FileInfo().IsDir() && !strings.HasPrefix(path.Base(name), ".") {
			list = append(list, entry{name, x.Open})
		}
	}
	return list, f, nil
}

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

const (
	headSize = 64 << 10 // of a file, by which its form is told
	headRows = 30       // of it, one of which is the header
)

// openTable opens a file, unpacks it if it begins as gz does, and finds its encoding, delimiter and header: those in
// which the mapping's columns are there.
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
	if mark, _ := r.Peek(2); string(mark) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(z, headSize)
	}
	if mark, _ := r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		r.Discard(3)
	}
	head, err := r.Peek(headSize)
	switch start := bytes.TrimSpace(head); {
	case len(start) == 0 && (err == nil || err == io.EOF):
		return nil, errEmpty
	case len(start) == 0:
		return nil, err
	case start[0] == '[':
		return t, t.array(m, start, r)
	}
	near := &misfit{}
	for _, set := range m.charsets(head) {
		decoded, _ := set.NewDecoder().Bytes(head)
		for _, delim := range []byte(",;\t|") {
			for row := range csvdir.Rows(strings.NewReader(string(decoded)), delim, 0) {
				if row.Line > headRows {
					break
				}
				t.line, t.heads = row.Line, slices.Clone(row.Cells)
				for n := len(t.heads); n > 0 && strings.TrimSpace(t.heads[n-1]) == ""; n-- {
					t.heads = t.heads[:n-1]
				}
				missing := t.match(m)
				if missing == nil {
					t.rows = csvdir.Rows(set.NewDecoder().Reader(r), delim, len(t.heads))
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
			if c.table != t.joined {
				continue
			}
			for k := 0; k < len(c.folded) && t.at[i] < 0; k++ {
				t.at[i] = slices.Index(plain, c.folded[k])
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

// charsets returns the encodings that a file may be in, the likeliest first. The one is right
// in which the header has the mapping's columns.
func (m *Mapping) charsets(head []byte) []encoding.Encoding {
	whole := head[:max(0, len(head)-utf8.UTFMax)] // the last character may be cut
	broken := bytes.Count(bytes.ToValidUTF8(whole, []byte{0xff}), []byte{0xff})
	list := []encoding.Encoding{charmap.Windows1252, charmap.Windows1250, charmap.Windows1251}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		return []encoding.Encoding{unitext.UTF16(unitext.LittleEndian, unitext.UseBOM)}
	case broken <= len(head)-utf8.RuneCount(head): // a row that is not UTF-8 is refused by line
		return []encoding.Encoding{encoding.Nop}
	case m.charset != nil:
		return slices.Insert(list, 0, m.charset)
	}
	return list
}

// objects reads an array of objects in JSON.
func objects(r io.Reader) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		d := json.NewDecoder(r)
		d.UseNumber()
		_, err := d.Token()
		for err == nil && d.More() {
			object := map[string]any{}
			if err = d.Decode(&object); err == nil && !yield(object, nil) {
				return
			}
		}
		if err == nil {
			_, err = d.Token()
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// array makes a table of an array of objects in JSON, whose members are told by the first, in the file's head. A row
// is an object, or a price in its list; its line is the object's number.
func (t *table) array(m *Mapping, head []byte, stream io.Reader) error {
	first := map[string]any{}
	for object, err := range objects(bytes.NewReader(head)) {
		if err != nil {
			return fmt.Errorf("is no array of objects: %w", err)
		}
		first = object
		break
	}
	there := func(name string) bool {
		member, _, _ := strings.Cut(name, "[].")
		_, ok := first[member]
		return ok
	}
	for _, c := range m.columns {
		if at := slices.IndexFunc(c.names, there); at >= 0 || c.optional {
			t.heads = append(t.heads, c.names[max(at, 0)])
		}
	}
	if missing := t.match(m); missing != nil {
		return &misfit{missing, slices.Sorted(maps.Keys(first))}
	}
	t.rows = func(yield func(csvdir.Row, error) bool) {
		n := 0
		for object, err := range objects(stream) {
			n++
			if err != nil {
				yield(csvdir.Row{Line: n}, err)
				return
			}
			for _, cells := range t.cut(m, object) {
				if !yield(csvdir.Row{Cells: cells, Line: n}, nil) {
					return
				}
			}
		}
	}
	return nil
}

// cut returns the texts of an object with each of the prices in its list. One that lasts does so until the day before
// the next, or its own day if the good is gone, or else nobody knows.
func (t *table) cut(m *Mapping, object map[string]any) (prices [][]string) {
	list, _ := object[m.list].([]any)
	if len(list) == 0 {
		list = []any{nil}
	}
	for _, x := range list {
		price, _ := x.(map[string]any)
		cells := make([]string, len(t.heads))
		for i, head := range t.heads {
			value := object[head]
			if _, member, ok := strings.Cut(head, "[]."); ok {
				value = price[member]
			}
			if value != nil {
				cells[i] = fmt.Sprint(value)
			}
		}
		prices = append(prices, cells)
	}
	if !m.has("lasts") {
		return prices
	}
	day, until := t.at[m.at["date"]], t.at[m.at["lasts"]]
	slices.SortStableFunc(prices, func(p, q []string) int { return cmp.Compare(dateOf(p[day]), dateOf(q[day])) })
	for i, p := range prices[1:] {
		prices[i][until] = (dateOf(p[day]) - 1).String()
	}
	last := prices[len(prices)-1]
	if gone, ok := m.at["gone"]; ok && last[t.at[gone]] == m.columns[gone].Example {
		last[until] = last[day]
	}
	return prices
}

// dateOf returns a date such as 2026-01-31, or 0.
func dateOf(text string) panel.Date {
	d, _ := panel.ParseDate(text)
	return d
}
