package offers

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/larder-index/larder/basket"
)

//go:embed formats/*.csv guess.csv
var bundled embed.FS

// Formats returns the bundled mappings, by name.
var Formats = sync.OnceValue(func() (list []*Mapping) {
	files, _ := bundled.ReadDir("formats")
	for _, f := range files {
		list = append(list, form("formats/"+f.Name()))
	}
	return list
})

func form(file string) *Mapping {
	text, _ := bundled.ReadFile(file)
	m, err := ReadMapping(strings.TrimSuffix(path.Base(file), ".csv"), bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	return m
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Detect returns the one bundled mapping that fits files with offers among the first hundreds.
func Detect(files []string) (*Mapping, error) {
	var all, fit []string
	var form *Mapping
	near, fewest, left := errors.New("there is no file"), math.MaxInt, 300
	found := map[*Mapping]bool{}
	err := walk(files, func(folder []entry) error {
		for _, e := range folder {
			for _, m := range Formats() {
				t, err := m.openTable(e)
				miss, _ := errors.AsType[*misfit](err)
				switch {
				case err == nil:
					t.Close()
					found[m] = found[m] || t.joined == ""
				case miss != nil && len(miss.missing) < fewest:
					fewest, near = len(miss.missing), fmt.Errorf("%s is nearest to %s, but %w", e.name, m.Name, err)
				case fewest == math.MaxInt:
					near = fmt.Errorf("%s %w", e.name, err)
				}
			}
			if left--; left == 0 {
				return errEnough
			}
		}
		return nil
	})
	if err != nil && err != errEnough {
		return nil, err
	}
	for _, m := range Formats() {
		all = append(all, m.Name)
		if found[m] {
			form, fit = m, append(fit, m.Name)
		}
	}
	switch len(fit) {
	case 0:
		return nil, fmt.Errorf("the files are in none of the forms %s: %w", strings.Join(all, ", "), near)
	case 1:
		return form, nil
	}
	return nil, fmt.Errorf("the files are in the forms %s: read those of each apart", strings.Join(fit, " and "))
}

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
