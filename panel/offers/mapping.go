package offers

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/larder-index/larder/panel"
)

// Mapping says which column of a file holds what. docs/offers.md lists the fields.
type Mapping struct {
	Name string
	Rows []MappingRow

	columns []column
	at      map[string]int    // columns by field
	fixed   map[string]string // values that all rows have, by field
	tables  []string          // that offers are joined with
	names   []*regexp.Regexp  // of files
	ignored *regexp.Regexp    // names of files without prices; may be nil
	money   Money
	layout  string            // of dates
	since   panel.Date        // of the form
	charset encoding.Encoding // of files whose header does not tell it; may be nil
	list    string            // of an object of JSON, with its prices
}

// MappingRow says where one field of an offer stands, with an example of its value.
type MappingRow struct{ Field, Column, Example string }

// column is a column that a mapping reads.
type column struct {
	MappingRow
	names, folded []string // any of these
	optional      bool
	table         string // joined table that has it; "": the offers
}

var (
	texts  = strings.Fields("chain shop city sku gtin title brand size category size_unit")
	prices = strings.Fields("price promo regular")
	signed = strings.Fields("on_sale out_of_stock gone") // fields that an example says yes of
)

// ReadMapping reads a mapping from CSV with the columns field, column and example, and tests
// it on its own examples.
func ReadMapping(name string, r io.Reader) (*Mapping, error) {
	m := &Mapping{Name: name, at: map[string]int{}, fixed: map[string]string{}}
	rows, err := csv.NewReader(r).ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], []string{"field", "column", "example"})) {
		err = errors.New("the first line is not field,column,example")
	}
	for i := 1; i < len(rows) && err == nil; i++ {
		row := MappingRow{rows[i][0], rows[i][1], rows[i][2]}
		m.Rows = append(m.Rows, row)
		if err = m.add(row); err != nil {
			err = fmt.Errorf("row %d: %s %w", i, row.Field, err)
		}
	}
	for _, c := range m.columns {
		if err == nil && slices.Contains(prices, c.Field) {
			if _, err = m.money.Parse(c.Example); err != nil {
				err = fmt.Errorf("the example of %s %w", c.Field, err)
			}
		}
	}
	switch {
	case err == nil && !(m.has("title") && m.has("price")):
		err = errors.New("needs a row title and a row price")
	case err == nil && m.has("lasts") && m.layout != time.DateOnly:
		err = errors.New("needs dates such as 2026-01-31 for prices that last")
	}
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	return m, nil
}

// has reports whether the mapping says where a field stands, but for patterns of names.
func (m *Mapping) has(field string) bool {
	_, ok := m.at[field]
	return ok || m.fixed[field] != ""
}

func (m *Mapping) add(row MappingRow) (err error) {
	c := column{MappingRow: row}
	text, optional := strings.CutSuffix(row.Column, "?")
	value, fixed := strings.CutPrefix(text, "=")
	if table, name, ok := strings.Cut(value, ":"); ok && slices.Contains(m.tables, table) {
		c.table, value = table, name
	}
	switch known := slices.Concat(texts, prices, signed); {
	case row.Field == "name" || row.Field == "ignore":
		return m.addName(row)
	case value == "" || m.has(row.Field):
		return errors.New("needs one row, with a column or =VALUE")
	case row.Field == "join":
		ours, theirs, _ := strings.Cut(value, "=")
		table, key, ok := strings.Cut(theirs, ":")
		if !ok {
			return errors.New("needs OUR COLUMN=TABLE:KEY COLUMN")
		}
		m.tables = append(m.tables, table)
		c.Field += " " + table
		m.addColumn(c, ours)
		c.table, value = table, key
	case row.Field == "date":
		m.layout, err = layoutOf(cmp.Or(row.Example, value))
	case slices.Contains(signed, row.Field) && row.Example == "":
		err = errors.New("needs as example the text that says yes")
	case fixed && !slices.Contains(known, row.Field):
		err = m.set(row.Field, value)
	case !slices.Contains(known, row.Field):
		err = errNoField
	}
	if fixed {
		m.fixed[row.Field] = value
		return err
	}
	if list, _, ok := strings.Cut(value, "[]."); ok {
		m.list = list
	}
	c.optional = optional
	m.addColumn(c, strings.Split(value, "|")...)
	return err
}

var errNoField = errors.New("is no field, or has not this value; docs/offers.md lists them")

func (m *Mapping) addColumn(c column, names ...string) {
	c.names = names
	for _, name := range names {
		c.folded = append(c.folded, folded(name))
	}
	m.at[c.Field] = len(m.columns) // of a join, the key in the joined table
	m.columns = append(m.columns, c)
}

// set takes what a mapping says of its files as a whole.
func (m *Mapping) set(field, value string) (err error) {
	switch field {
	case "currency":
		m.money.Currency = value
	case "since":
		m.since, err = panel.ParseDate(value)
	case "charset":
		m.charset, err = htmlindex.Get(value)
	default:
		switch field + " " + value {
		case "decimal .", "decimal ,":
			m.money.Mark = value[0]
		case "money cents":
			m.money.Cents = true
		case "lasts until the next":
			m.addColumn(column{MappingRow: MappingRow{Field: "lasts"}, optional: true}, "until")
		default:
			err = errNoField
		}
	}
	return err
}

// addName takes a pattern of file names, whose groups are fields, or year, month and day.
func (m *Mapping) addName(row MappingRow) error {
	pattern, err := regexp.Compile(row.Column)
	switch {
	case err != nil:
		return err
	case !pattern.MatchString(row.Example):
		return fmt.Errorf("finds nothing in its example %q", row.Example)
	case row.Field == "ignore":
		m.ignored = pattern
		return nil
	}
	for _, g := range pattern.SubexpNames()[1:] {
		if !slices.Contains(append([]string{"year", "month", "day"}, texts...), g) {
			return fmt.Errorf("has a group %q, which is no field", g)
		}
	}
	m.names = append(m.names, pattern)
	_, _, err = m.fromName(row.Example)
	return err
}

// fromName returns what patterns find in the name of a file, or else in its whole path. The
// first pattern that finds a field says it.
func (m *Mapping) fromName(file string) (found map[string]string, day panel.Date, err error) {
	file, found = strings.TrimSuffix(file, ".gz"), map[string]string{}
	for _, p := range m.names {
		texts := p.FindStringSubmatch(path.Base(file))
		if texts == nil {
			texts = p.FindStringSubmatch(file)
		}
		for i, text := range texts {
			if group := p.SubexpNames()[i]; found[group] == "" {
				found[group] = strings.TrimSpace(strings.ReplaceAll(text, "_", " "))
			}
		}
	}
	if year := found["year"]; year != "" {
		day, err = panel.ParseDate(fmt.Sprintf("20%s-%02s-%02s", year[len(year)-2:], found["month"], found["day"]))
	}
	return found, day, err
}

// layoutOf returns the one form of dates that the example has.
func layoutOf(example string) (string, error) {
	layouts := []string{time.DateTime, time.RFC3339, "2006-01-02T15:04:05", time.DateOnly, "20060102",
		"2.1.2006 15:04:05", "2.1.2006 15:04", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006"}
	fit := slices.DeleteFunc(slices.Clone(layouts), func(l string) bool {
		_, err := time.Parse(l, example)
		return err != nil
	})
	if len(fit) != 1 {
		return "", fmt.Errorf("needs as example a date of one of the forms %q, with a day above 12", layouts)
	}
	return fit[0], nil
}

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
	why, left := error(nil), 300
	found := map[string]*Mapping{}
	err := walk(files, func(folder []entry) error {
		for _, e := range folder {
			for _, m := range Formats() {
				t, err := m.openTable(e)
				if miss, ok := errors.AsType[*misfit](err); ok {
					err = fmt.Errorf("begins with %.200q", miss.heads)
				}
				if err != nil {
					why = cmp.Or(why, fmt.Errorf("%s %w", e.name, err))
					continue
				}
				t.Close()
				if t.joined == "" {
					found[m.Name] = m
				}
			}
			if left--; left == 0 {
				return errEnough
			}
		}
		return nil
	})
	names := slices.Sorted(maps.Keys(found))
	switch {
	case err != nil && err != errEnough:
		return nil, err
	case len(names) > 1:
		return nil, fmt.Errorf("the files are in the forms %s: read those of each apart", strings.Join(names, " and "))
	case len(names) == 1:
		return found[names[0]], nil
	}
	for _, m := range Formats() {
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("the files are in none of the forms %s: %w", strings.Join(names, ", "),
		cmp.Or(why, errors.New("there is no file")))
}
