package offers

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Guess proposes a mapping for a file in no bundled form: by the names of its columns in five languages, and by the
// values in its first 200 rows, of which the examples are. text is the mapping as ReadMapping reads it. A person has
// to look at it: it may be wrong.
func Guess(file string) (m *Mapping, text []byte, err error) {
	known := form("guess.csv")
	t, err := known.openTable(entry{file, func() (io.ReadCloser, error) { return os.Open(file) }})
	if _, miss := errors.AsType[*misfit](err); miss {
		err = errors.New("has no column named like one of titles, such as title, name or product")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", file, err)
	}
	defer t.Close()
	var b bytes.Buffer
	rows := known.guess(t, filepath.Base(file))
	csv.NewWriter(&b).WriteAll(append([][]string{{"field", "column", "example"}}, rows...))
	text = b.Bytes()
	m, err = ReadMapping(file, &b)
	return m, text, err
}

// guess returns the rows of a mapping for a table: fields, columns and examples.
func (m *Mapping) guess(t *table, name string) (rows [][]string) {
	cells, n := make([][]string, len(t.heads)), 0 // by column
	for row := range t.rows {
		for i := range min(len(row.Cells), len(cells)) {
			if text := strings.TrimSpace(row.Cells[i]); text != "" && row.Line > t.line {
				cells[i] = append(cells[i], text)
			}
		}
		if n++; n > 200 {
			break
		}
	}
	have, taken := map[string]bool{}, make([]bool, len(cells))
	take := func(field string, at int) {
		if text := exampleOf(field, cells[at]); text != "" && !taken[at] && !have[field] {
			rows = append(rows, []string{field, t.heads[at], text})
			have[field], taken[at] = true, true
		}
	}
	for _, c := range m.columns {
		for at, head := range t.heads {
			if slices.ContainsFunc(c.names, func(n string) bool { return folded(n) == folded(head) }) {
				take(c.Field, at)
			}
		}
	}
	mark := ""
	for at, list := range cells {
		take("gtin", at)
		take("date", at)
		if i := slices.IndexFunc(list, marked.MatchString); i >= 0 {
			take("price", at)
			mark = marked.FindStringSubmatch(list[i])[1]
		}
	}
	if mark != "" {
		rows = append(rows, []string{"decimal", "=" + mark, ""})
	}
	if !have["chain"] {
		rows = append(rows, []string{"chain", "=" + cmp.Or(letters.FindString(name), "chain"), ""})
	}
	dated := func(p *regexp.Regexp) bool { return p.MatchString(name) }
	if i := slices.IndexFunc(m.names, dated); i >= 0 && !have["date"] {
		rows = append(rows, []string{"name", m.names[i].String(), name})
	}
	return rows
}

var (
	marked  = regexp.MustCompile(`^\D*\d+([.,])\d\d\D*$`) // an amount with cents
	letters = regexp.MustCompile(`^\p{L}[\p{L} ]*\p{L}`)
)

// exampleOf returns a value that shows what a field is, or "" where not nine of ten values can be of the field.
func exampleOf(field string, values []string) (example string) {
	fit := 0
	for _, v := range values {
		var err error
		switch field {
		case "gtin":
			_, err = basket.ParseGTIN(v)
		case "date":
			_, err = layoutOf(v)
		case "price", "promo", "regular":
			_, err = Money{}.Parse(v)
		}
		if err == nil {
			example = cmp.Or(example, v)
		}
		if err == nil || err == isZero || field == "date" && strings.Trim(v, digits+"/") == "" { // 2/1/2006
			fit++
		}
	}
	if fit*10 < len(values)*9 {
		return ""
	}
	return example
}
