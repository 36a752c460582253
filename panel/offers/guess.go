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
	rows, have, mark := [][]string{{"field", "column", "example"}}, map[string]bool{}, ""
	cells := t.sample()
	take := func(field string, at int) {
		example := exampleOf(field, cells[at])
		if example == "" || have[field] {
			return
		}
		rows, have[field], cells[at] = append(rows, []string{field, t.heads[at], example}), true, nil
		if found := marked.FindStringSubmatch(example); found != nil && slices.Contains(prices, field) {
			mark = found[1]
		}
	}
	for i, c := range known.columns {
		if t.at[i] >= 0 {
			take(c.Field, t.at[i])
		}
	}
	for at := range cells {
		take("gtin", at)
		take("date", at)
		if slices.ContainsFunc(cells[at], marked.MatchString) {
			take("price", at)
		}
	}
	if mark != "" {
		rows = append(rows, []string{"decimal", "=" + mark, ""})
	}
	name := filepath.Base(file)
	if !have["chain"] {
		rows = append(rows, []string{"chain", "=" + cmp.Or(letters.FindString(name), "chain"), ""})
	}
	dated := func(p *regexp.Regexp) bool { return p.MatchString(name) }
	if i := slices.IndexFunc(known.names, dated); i >= 0 && !have["date"] {
		rows = append(rows, []string{"name", known.names[i].String(), name})
	}
	var b bytes.Buffer
	csv.NewWriter(&b).WriteAll(rows)
	text = b.Bytes()
	m, err = ReadMapping(file, &b)
	return m, text, err
}

var (
	marked  = regexp.MustCompile(`^\D*\d+([.,])\d\d\D*$`) // an amount with cents
	letters = regexp.MustCompile(`^\p{L}[\p{L} ]*\p{L}`)
)

// sample returns the values that a table has in its first rows, by column.
func (t *table) sample() [][]string {
	cells, n := make([][]string, len(t.heads)), 0
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
	return cells
}

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
		if err == nil || err == errZero || field == "date" && strings.Trim(v, digits+"/") == "" { // 2/1/2006
			fit++
		}
	}
	if fit*10 < len(values)*9 {
		return ""
	}
	return example
}
