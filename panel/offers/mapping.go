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
	list    string            // member of JSON items that holds their prices
	lasts   bool              // a price of the list lasts until the next
}

// MappingRow says where one field of an offer stands, with an example of its value.
type MappingRow struct{ Field, Column, Example string }

// column is a column that a mapping reads.
type column struct {
	MappingRow
	names    []string // any of these
	folded   []string
	constant bool // names[0] is the value
	optional bool
	member   bool                 // of the objects in the mapping's list
	table    string               // joined table that has it; "": the offers
	join     string               // joined table that it is the key of
	text     func(*Offer) *string // that it sets; may be nil
}

var texts = map[string]func(o *Offer) *string{
	"chain":    func(o *Offer) *string { return &o.Chain },
	"shop":     func(o *Offer) *string { return &o.Shop },
	"city":     func(o *Offer) *string { return &o.City },
	"sku":      func(o *Offer) *string { return &o.SKU },
	"gtin":     func(o *Offer) *string { return &o.GTIN },
	"title":    func(o *Offer) *string { return &o.Title },
	"brand":    func(o *Offer) *string { return &o.Brand },
	"size":     func(o *Offer) *string { return &o.Size },
	"category": func(o *Offer) *string { return &o.Category },
}

// ReadMapping reads a mapping from CSV with the columns field, column and example, and tests
// it on its own examples.
func ReadMapping(name string, r io.Reader) (*Mapping, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = 3
	rows, err := c.ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], []string{"field", "column", "example"})) {
		err = errors.New("the first line is not field,column,example")
	}
	m := &Mapping{Name: name, at: map[string]int{}}
	for i := 1; i < len(rows) && err == nil; i++ {
		row := MappingRow{rows[i][0], rows[i][1], rows[i][2]}
		if err = m.add(row); err != nil {
			err = fmt.Errorf("line %d: %s %w", i+1, row.Field, err)
		}
		m.Rows = append(m.Rows, row)
	}
	for _, need := range []string{"title", "price"} {
		if _, ok := m.at[need]; !ok && err == nil {
			err = fmt.Errorf("needs a row %s", need)
		}
	}
	for i := range m.columns {
		c := &m.columns[i]
		if table, name, ok := strings.Cut(c.names[0], ":"); ok && slices.Contains(m.tables, table) {
			c.table, c.names[0] = table, name
		}
		for _, n := range c.names {
			c.folded = append(c.folded, fold(n))
		}
		if slices.Contains([]string{"price", "promo", "regular"}, c.Field) && err == nil {
			if _, e := m.money.Parse(c.Example); e != nil {
				err = fmt.Errorf("%s: its example %q %w", c.Field, c.Example, e)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	return m, nil
}

func (m *Mapping) add(row MappingRow) (err error) {
	c := column{MappingRow: row, text: texts[row.Field]}
	text, optional := strings.CutSuffix(row.Column, "?")
	value, constant := strings.CutPrefix(text, "=")
	if list, member, ok := strings.Cut(text, "[]."); ok {
		m.list, value, c.member = list, member, true
	}
	c.constant, c.optional, c.names = constant, optional, strings.Split(value, "|")
	if _, twice := m.at[row.Field]; twice || value == "" {
		return errors.New("needs one row, with a column or =VALUE")
	}
	switch row.Field {
	default:
		if c.text == nil {
			return errors.New("is no field; docs/offers.md lists them")
		}
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
		table, _, ok := strings.Cut(theirs, ":")
		if !ok {
			return errors.New("needs OUR COLUMN=TABLE:KEY COLUMN")
		}
		m.tables = append(m.tables, table)
		m.columns = append(m.columns, column{MappingRow: row, names: []string{ours}, join: table},
			column{MappingRow: row, names: []string{theirs}})
		return nil
	case "currency", "since", "charset", "decimal", "money", "lasts":
		if err = m.set(row.Field, value); !constant {
			err = errors.New("needs =VALUE")
		}
	}
	m.at[row.Field] = len(m.columns)
	m.columns = append(m.columns, c)
	return err
}

// set takes what is so in all files of the form.
func (m *Mapping) set(field, value string) (err error) {
	switch field + " " + value {
	case "decimal .", "decimal ,":
		m.money.Mark = value[0]
	case "money cents":
		m.money.Cents = true
	case "lasts until the next":
		m.lasts = true
	case "currency " + value:
		m.money.Currency = value
	case "since " + value:
		m.since, err = panel.ParseDate(value)
	case "charset " + value:
		m.charset, err = htmlindex.Get(value)
	default:
		err = fmt.Errorf("can't be %q", value)
	}
	return err
}

// addName takes a pattern of file names, whose groups are fields, or year, month and day.
func (m *Mapping) addName(row MappingRow) error {
	pattern, err := regexp.Compile(row.Column)
	if err != nil {
		return err
	}
	for _, g := range pattern.SubexpNames()[1:] {
		if texts[g] == nil && !slices.Contains([]string{"", "year", "month", "day"}, g) {
			return fmt.Errorf("has a group %q, which is no field", g)
		}
	}
	m.names = append(m.names, pattern)
	var o Offer
	one := Mapping{names: m.names[len(m.names)-1:]}
	if day, err := one.fromName(row.Example, &o); err != nil || day == 0 && o == (Offer{}) {
		return fmt.Errorf("finds nothing in its example %q", row.Example)
	}
	return nil
}

// layouts are the forms of dates.
var layouts = []string{"2006-01-02 15:04:05", time.RFC3339, "2006-01-02T15:04:05", time.DateOnly, "20060102",
	"2.1.2006 15:04:05", "2.1.2006 15:04", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006"}

func layoutOf(example string) (string, error) {
	var fit []string
	for _, l := range layouts {
		if _, err := time.Parse(l, example); err == nil {
			fit = append(fit, l)
		}
	}
	if len(fit) != 1 {
		return "", fmt.Errorf("needs as example a date of one of the forms %q, and a day above 12", layouts)
	}
	return fit[0], nil
}
