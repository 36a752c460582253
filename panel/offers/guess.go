package offers

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
)

// guesses is a mapping with names of columns in five languages.
//
//go:embed guess.csv
var guesses string

// Guess proposes a mapping for a file in no bundled form: by the names of its columns, and by the values in its first
// 200 rows, of which the examples are. text is the mapping as ReadMapping reads it. A person has to look at it: it may
// be wrong.
func Guess(file string) (m *Mapping, text []byte, err error) {
	known, err := ReadMapping("guess", strings.NewReader(guesses))
	if err != nil {
		return nil, nil, err
	}
	stop := walk([]string{file}, func(folder []entry) error {
		name := folder[0].name
		t, open := known.openTable(folder[0])
		if miss := (*misfit)(nil); errors.As(open, &miss) {
			open = errors.New("has no column named like one of titles, such as title, name or product")
		} else if open == nil {
			if _, json := t.rows.(*array); json {
				t.Close()
				open = errors.New("is JSON, whose members are not guessed")
			}
		}
		if open != nil {
			err = fmt.Errorf("%s %w", name, open)
			return errEnough
		}
		defer t.Close()
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Write([]string{"field", "column", "example"})
		for _, r := range known.guess(t) {
			w.Write([]string{r.Field, r.Column, r.Example})
		}
		w.Flush()
		text = slices.Clone(b.Bytes())
		m, err = ReadMapping(path.Base(name), &b)
		return errEnough
	})
	if stop != errEnough {
		err = stop
	}
	return m, text, err
}

// guess returns the rows of a mapping for a table.
func (m *Mapping) guess(t *table) (rows []MappingRow) {
	cells := make([][]string, len(t.heads)) // by column
	for n := 0; n < 200 && t.rows.Next(); n++ {
		row, problem := t.rows.Cells()
		for i := 0; problem == "" && i < min(len(row), len(cells)); i++ {
			if text := strings.TrimSpace(row[i]); text != "" {
				cells[i] = append(cells[i], text)
			}
		}
	}
	have, taken := map[string]bool{}, make([]bool, len(cells))
	take := func(field string, at int) {
		if text := exampleOf(field, cells[at]); text != "" && !taken[at] && !have[field] {
			rows = append(rows, MappingRow{field, t.heads[at], text})
			have[field], taken[at] = true, true
		}
	}
	for i, c := range m.columns {
		if t.at[i] >= 0 {
			take(c.Field, t.at[i])
		}
	}
	mark := ""
	for at, list := range cells {
		take("gtin", at)
		take("date", at)
		if i := slices.IndexFunc(list, marked.MatchString); i >= 0 {
			take("price", at)
			mark = "=" + marked.FindStringSubmatch(list[i])[1]
		}
	}
	name := path.Base(t.name)
	for _, r := range []MappingRow{
		{"decimal", mark, ""}, {"chain", "=" + cmp.Or(letters.FindString(name), "chain"), ""},
		{"name", `(?P<year>20\d\d)[._-]?(?P<month>\d\d)[._-]?(?P<day>\d\d)`, name},
		{"name", `(?P<day>\d\d)[._-]?(?P<month>\d\d)[._-]?(?P<year>20\d\d)`, name},
	} {
		dated := r.Field == "name" && (have["date"] || !regexp.MustCompile(r.Column).MatchString(name))
		if r.Column != "" && !have[r.Field] && !dated {
			rows = append(rows, r)
			have[r.Field] = true
		}
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
		if err == nil && example == "" {
			example = v
		}
		if err == nil || err == isZero || field == "date" && strings.Trim(v, "0123456789/") == "" { // 2/1/2006
			fit++
		}
	}
	if fit*10 < len(values)*9 {
		return ""
	}
	return example
}
