package offers

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
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
	at      map[string]int   // columns by field
	tables  []string         // that offers are joined with
	names   []*regexp.Regexp // of files
	money   Money
	layout  string            // of dates
	since   panel.Date        // of the form
	charset encoding.Encoding // of files whose header does not tell it; may be nil
	list    string            // of an object of JSON, with its prices
	lasts   bool              // a price of the list lasts until the next
}

// MappingRow says where one field of an offer stands, with an example of its value.
type MappingRow struct{ Field, Column, Example string }

// column is a column that a mapping reads.
type column struct {
	MappingRow
	names    []string // any of these
	constant bool     // names[0] is the value
	optional bool
	table    string // joined table that has it; "": the offers
}

var texts = strings.Fields("chain shop city sku gtin title brand size category")

// ReadMapping reads a mapping from CSV with the columns field, column and example, and tests
// it on its own examples.
func ReadMapping(name string, r io.Reader) (*Mapping, error) {
	m := &Mapping{Name: name, at: map[string]int{}}
	rows, err := csv.NewReader(r).ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], []string{"field", "column", "example"})) {
		err = errors.New("the first line is not field,column,example")
	}
	for i := 1; i < len(rows) && err == nil; i++ {
		m.Rows = append(m.Rows, MappingRow{rows[i][0], rows[i][1], rows[i][2]})
		if err = m.add(m.Rows[i-1]); err != nil {
			err = fmt.Errorf("row %d: %s %w", i, rows[i][0], err)
		}
	}
	for _, c := range m.columns {
		if err == nil && slices.Contains([]string{"price", "promo", "regular"}, c.Field) {
			if _, err = m.money.Parse(c.Example); err != nil {
				err = fmt.Errorf("the example of %s %w", c.Field, err)
			}
		}
	}
	_, title := m.at["title"]
	_, price := m.at["price"]
	switch {
	case err == nil && !(title && price):
		err = errors.New("needs a row title and a row price")
	case err == nil && m.lasts && m.layout != time.DateOnly:
		err = errors.New("needs dates such as 2026-01-31 for prices that last")
	}
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	return m, nil
}

func (m *Mapping) add(row MappingRow) (err error) {
	text, optional := strings.CutSuffix(row.Column, "?")
	value, constant := strings.CutPrefix(text, "=")
	c := column{MappingRow: row, constant: constant, optional: optional}
	if table, name, ok := strings.Cut(value, ":"); ok && slices.Contains(m.tables, table) {
		c.table, value = table, name
	}
	if list, _, ok := strings.Cut(value, "[]."); ok {
		m.list = list
	}
	c.names = strings.Split(value, "|")
	if _, twice := m.at[row.Field]; twice || value == "" {
		return errors.New("needs one row, with a column or =VALUE")
	}
	switch row.Field {
	case "size_unit", "price", "promo", "regular":
	case "on_sale", "out_of_stock", "gone":
		if row.Example == "" {
			err = errors.New("needs as example the text that says yes")
		}
	case "date":
		m.layout, err = layoutOf(row.Example)
	case "name":
		return m.addName(row)
	case "join":
		ours, theirs, _ := strings.Cut(value, "=")
		table, key, ok := strings.Cut(theirs, ":")
		if !ok {
			return errors.New("needs OUR COLUMN=TABLE:KEY COLUMN")
		}
		m.tables = append(m.tables, table)
		row.Field += " " + table
		c = column{MappingRow: row, names: []string{key}, table: table}
		m.columns = append(m.columns, column{MappingRow: row, names: []string{ours}})
	case "currency":
		m.money.Currency = value
	case "since":
		m.since, err = panel.ParseDate(value)
	case "charset":
		m.charset, err = htmlindex.Get(value)
	default:
		switch row.Field + " " + value {
		case "decimal .", "decimal ,":
			m.money.Mark = value[0]
		case "money cents":
			m.money.Cents = true
		case "lasts until the next":
			m.lasts = true
			c = column{MappingRow: row, names: []string{"until"}, optional: true}
		default:
			if !slices.Contains(texts, row.Field) {
				err = errors.New("is no field, or has not this value; docs/offers.md lists them")
			}
		}
	}
	m.at[row.Field] = len(m.columns) // of a join, the key in the joined table
	m.columns = append(m.columns, c)
	return err
}

// addName takes a pattern of file names, whose groups are fields, or year, month and day.
func (m *Mapping) addName(row MappingRow) error {
	pattern, err := regexp.Compile(row.Column)
	if err != nil {
		return err
	}
	for _, g := range pattern.SubexpNames()[1:] {
		if !slices.Contains(append([]string{"year", "month", "day"}, texts...), g) {
			return fmt.Errorf("has a group %q, which is no field", g)
		}
	}
	m.names = append(m.names, pattern)
	if found, _, err := (&Mapping{names: m.names[len(m.names)-1:]}).fromName(row.Example); err != nil || found == nil {
		return fmt.Errorf("finds nothing in its example %q", row.Example)
	}
	return nil
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
