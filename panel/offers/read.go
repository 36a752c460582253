// Package offers reads the prices of goods from files as others publish them.
//
// A [Mapping] says which column of a file holds what; it is data. Those of some publications
// are bundled, and [Detect] tells by a file's header which of them it is. [Read] then streams
// an [Offer] for each row, from tables with any usual delimiter and arrays of JSON, in UTF-8,
// UTF-16 or an older encoding, in folders, gz, and zip within zip.
//
// A row is read as it is written, or refused by file and line with a reason: nothing is lost,
// and nothing is guessed. So a price of two readings, in another currency, or without a size
// that it is for is refused. So is a row with a cell too many, or with a quote that has no
// end. [WriteDir] decides what an offer is a price of, and makes a panel directory.
package offers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Offer is the price of a good at a shop on a day, as a file has it.
type Offer struct {
	File               string // for messages; a file in an archive is "archive.zip/folder/file.csv"
	Line               int
	Chain, Shop, City  string      // Shop "": the chain has one price for all its shops
	SKU, GTIN          string      // as written, trimmed, in UTF-8; so are the texts below
	Title, Brand, Size string      // Size: of the pack that Price is for, such as "500 g"
	Category           string      // code or name of the office
	Price              panel.Price // at the till, for this pack
	Regular            panel.Price // price without the promotion; 0: not said
	OnSale             bool
	InStock            panel.Tri
	MultiBuy           bool      // the price holds only for several packs, as in 2/$7.00
	At                 time.Time // of the price; noon where the file has days only
}

// Options say what the files do not.
type Options struct {
	Mapping  *Mapping        // nil: [Detect] finds it
	Calendar panel.Calendar  // that the files' days are of
	Currency string          // of the publication, ISO 4217; "": CAD
	Reject   func(r *Reject) // gets every row and file that is refused; may be nil
}

// Reject is a row that is refused, or a file that is refused from a line on.
type Reject struct {
	File   string
	Line   int    // in an array of JSON the number of the item; 0: the whole file
	Column string // as the file heads it; "": the row as a whole
	Reason string // goes on from "the cell" or "the row", such as "is empty"
	Text   string // of the cell, or the start of the row
}

// Error returns the reason.
func (r *Reject) Error() string { return r.Reason }

// Report counts what became of the rows, those of joined tables and before headers too:
// Rows + Carried = Offers + Rejected + the sum of Skipped.
type Report struct {
	Format   string // name of the mapping
	Files    int    // that hold offers
	Refused  int    // files that were refused, or from a line on
	Rows     int64
	Offers   int64
	Carried  int64 // offers of the days between two changes of a price
	Rejected int64
	Skipped  map[string]int64 // rows that hold no offer by reason, such as "header repeated"
	Dropped  int64            // regular prices that offers go without: they can't be read, or are below the price
}

// Read streams the offers of files in the mapping's form to each; an error of each ends it.
// A folder stands for all files in it and under it. The offer is each's only until it
// returns; its texts may be kept. A bad row or file goes to Options.Reject and reading goes on.
func Read(ctx context.Context, files []string, o Options, each func(*Offer) error) (_ Report, err error) {
	if o.Mapping == nil {
		if o.Mapping, err = Detect(files); err != nil {
			return Report{}, err
		}
	}
	if o.Reject == nil {
		o.Reject = func(*Reject) {}
	}
	r := &reader{Mapping: o.Mapping, Options: o, ctx: ctx, each: each, money: o.Mapping.money}
	r.report = Report{Format: r.Name, Skipped: map[string]int64{}}
	r.money.Currency = cmp.Or(o.Currency, "CAD")
	if c := r.Mapping.money.Currency; c != "" && c != r.money.Currency {
		return r.report, fmt.Errorf("prices of the form %s are in %s, and the publication's currency is %s: "+
			"set currency, or use a mapping of another currency", r.Name, c, r.money.Currency)
	}
	if err = walk(files, r.folder); err == nil && r.report.Files == 0 {
		err = fmt.Errorf("no file is in the form %s%s", r.Name, r.first)
	}
	return r.report, err
}

type reader struct {
	*Mapping
	Options
	ctx    context.Context
	each   func(*Offer) error
	report Report
	first  string // refusal of a file
	money  Money
	joined map[string]map[string][]string // values of joined tables by name and key
	table  *table
	values map[string]string // of the row, by field
	unit   string            // of sizes, from their heading
	day    time.Time         // of the file
	open   []Offer           // whose prices last until its newest day
	newest panel.Date

	current Offer
}

// folder reads the files of a folder, first the tables that offers are joined with.
func (r *reader) folder(list []entry) error {
	r.joined = map[string]map[string][]string{}
	for _, t := range r.tables {
		r.joined[t] = map[string][]string{}
	}
	for pass := min(1, len(r.tables)); pass >= 0; pass-- {
		for _, e := range list {
			if r.ignored != nil && r.ignored.MatchString(e.name) {
				continue
			}
			t, err := r.openTable(e)
			if err != nil {
				if pass == 0 {
					r.refuse(e.name, 0, err)
				}
				continue
			}
			if (t.joined != "") == (pass == 1) {
				err = r.read(t)
			}
			t.Close()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads the rows of a table and counts what becomes of them.
func (r *reader) read(t *table) error {
	if err := r.begin(t); err != nil {
		r.refuse(t.name, 0, err)
		return nil
	}
	for row, err := range t.rows {
		if err != nil {
			r.refuse(t.name, row.Line, fmt.Errorf("breaks off: %w", err))
			break
		}
		if row.Line == t.line {
			continue
		}
		r.report.Rows++
		switch e := r.row(&row).(type) {
		case nil:
		case skip:
			r.report.Skipped[string(e)]++
		case *Reject:
			e.File, e.Line = t.name, row.Line
			if e.Column == "" {
				e.Text = row.Text
			}
			e.Text = e.Text[:min(len(e.Text), 200)]
			r.report.Rejected++
			r.Reject(e)
		default:
			return e
		}
		if r.report.Rows%4096 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
	}
	for i := range r.open {
		if err := r.carry(&r.open[i], r.newest); err != nil {
			return err
		}
	}
	return nil
}

// begin sets what is so in all rows of a file.
func (r *reader) begin(t *table) error {
	named, day, err := r.fromName(t.name)
	r.table, r.values, r.unit = t, named, ""
	r.day, r.open, r.newest = noon(day, r.Calendar), nil, 0
	maps.Copy(r.values, r.fixed)
	switch {
	case t.joined != "":
		return nil
	case err != nil:
		return fmt.Errorf("has in its name a %w", err)
	case day == 0 && !r.has("date"):
		return errors.New("has no date in its name; a row name of the mapping says where one stands")
	case named["chain"] == "" && !r.has("chain"):
		return errors.New("has no chain in its name; put the chain's files in a folder of its name")
	}
	for name, rows := range r.joined {
		if len(rows) == 0 {
			return fmt.Errorf("has no file of %s beside it", name)
		}
	}
	if i, ok := r.at["size"]; ok && t.at[i] >= 0 { // as in net quantity (KG)
		_, r.unit, _ = strings.Cut(strings.TrimSuffix(t.heads[t.at[i]], ")"), "(")
	}
	r.report.Files++
	return nil
}

// noon returns noon of a day.
func noon(day panel.Date, c panel.Calendar) time.Time {
	year, month, d := day.Time(time.UTC).Date()
	return time.Date(year, month, d, 12, 0, 0, 0, c.Zone())
}

// skip says why a row holds no offer, although nothing is wrong with it.
type skip string

func (s skip) Error() string { return string(s) }

// bad says what is wrong with a field of the row, or with the row as a whole.
func (r *reader) bad(field, reason string) error {
	x := &Reject{Reason: reason, Text: r.values[field]}
	for i, at := range r.table.at {
		if c := &r.columns[i]; c.Field == field && at >= 0 {
			x.Column = r.table.heads[at]
		} else if c.Field == field {
			x.Column = cmp.Or(x.Column, c.Column)
		}
	}
	return x
}

// row takes a row.
func (r *reader) row(row *csvdir.Row) error {
	switch {
	case row.Line < r.table.line:
		return skip("before the header")
	case slices.Equal(row.Cells, r.table.heads):
		return skip("header repeated")
	case row.Last && len(row.Cells) == 1 && len(r.table.heads) > 1 && !strings.Contains(row.Text, `"`):
		return skip("footer")
	case row.Problem != "":
		return r.bad("", row.Problem)
	case !slices.ContainsFunc(row.Cells, func(c string) bool { return c != "" }):
		return skip("blank")
	}
	for i, at := range r.table.at {
		if at >= 0 {
			r.values[r.columns[i].Field] = strings.TrimSpace(row.Cells[at])
		}
	}
	if r.table.joined != "" {
		return r.keep()
	}
	if err := r.join(); err != nil {
		return err
	}
	o := &r.current
	if err := r.offer(o, row.Line); err != nil {
		return err
	}
	r.report.Offers++
	if err := r.each(o); err != nil || !r.has("lasts") {
		return err
	}
	r.newest = max(r.newest, r.Calendar.DateIn(o.At))
	until := r.values["lasts"]
	if until == "" {
		r.open = append(r.open, *o)
	}
	return r.carry(o, dateOf(until))
}

// carry hands over an offer for each day after that of its price, up to the last.
func (r *reader) carry(o *Offer, last panel.Date) error {
	for d := r.Calendar.DateIn(o.At) + 1; d <= last; d++ {
		o.At = noon(d, r.Calendar)
		r.report.Carried++
		r.report.Offers++
		if err := r.each(o); err != nil {
			return err
		}
	}
	return nil
}

// refuse tells of a file that can't be read, or not after a line.
func (r *reader) refuse(file string, line int, err error) {
	r.report.Refused++
	r.first = cmp.Or(r.first, fmt.Sprintf(": %s %v", file, err))
	r.Reject(&Reject{File: file, Line: line, Reason: err.Error()})
}

// keep takes a row of a joined table.
func (r *reader) keep() error {
	var values []string
	for _, c := range r.columns {
		if c.table == r.table.joined {
			values = append(values, r.values[c.Field])
		}
	}
	rows, key := r.joined[r.table.joined], "join "+r.table.joined
	if have, ok := rows[r.values[key]]; ok && !slices.Equal(have, values) {
		return r.bad(key, "stands in two rows that differ")
	}
	rows[r.values[key]] = values
	return skip("of a joined table")
}

// join takes the values of joined tables.
func (r *reader) join() error {
	for _, table := range r.tables {
		row, ok := r.joined[table][r.values["join "+table]]
		if !ok {
			return r.bad("join "+table, "is not in the table "+table)
		}
		for _, c := range r.columns {
			if c.table == table {
				r.values[c.Field], row = row[0], row[1:]
			}
		}
	}
	return nil
}

// offer makes an offer of the values of a row.
func (r *reader) offer(o *Offer, line int) (err error) {
	v := r.values
	*o = Offer{
		File: r.table.name, Line: line, Chain: v["chain"], Shop: v["shop"], City: v["city"], SKU: v["sku"],
		GTIN: v["gtin"], Title: v["title"], Brand: v["brand"], Size: v["size"], Category: v["category"],
		At: r.day, OnSale: r.says("on_sale"),
	}
	if r.has("date") {
		if o.At, err = r.time(v["date"]); err != nil {
			return r.bad("date", err.Error())
		}
	}
	letter := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	switch {
	case o.Title == "":
		return r.bad("title", errEmpty.Error())
	case !strings.ContainsFunc(o.Chain, letter) || strings.Contains(o.Chain, "://"):
		return r.bad("chain", "is no name of a chain")
	case r.since != 0 && r.Calendar.DateIn(o.At) < r.since:
		return r.bad("", "is of before "+r.since.String()+", when the form's prices were in another currency")
	}
	unit := cmp.Or(r.unit, v["size_unit"])
	if unit != "" && o.Size != "" && strings.Trim(o.Size, digits+".,") == "" {
		o.Size += " " + unit
	}
	if r.has("out_of_stock") {
		o.InStock = panel.Yes
		if r.says("out_of_stock") {
			o.InStock = panel.No
		}
	}
	return r.price(o)
}

// says reports whether a field holds the text that its example says yes with.
func (r *reader) says(field string) bool {
	i, ok := r.at[field]
	return ok && strings.Contains(strings.ToLower(r.values[field]), strings.ToLower(r.columns[i].Example))
}

// time reads a date.
func (r *reader) time(text string) (time.Time, error) {
	zone, days := r.Calendar.Zone(), !strings.Contains(r.layout, "15")
	if days { // which may have no midnight in the zone
		zone = time.UTC
	}
	t, err := time.ParseInLocation(r.layout, strings.TrimSuffix(text, "."), zone)
	if err != nil || t.Year() < panel.FirstYear || t.Year() > panel.LastYear {
		return t, errors.New("is no date such as " + r.columns[r.at["date"]].Example)
	}
	if days {
		t = noon(panel.DateIn(t, zone), r.Calendar)
	}
	return t, nil
}

// price sets the prices. A promotion's is the one at the till.
func (r *reader) price(o *Offer) error {
	field := "price"
	a, err := r.money.Parse(r.values[field])
	if text := r.values["promo"]; strings.ContainsAny(text, digits) {
		promo, bad := r.money.Parse(text)
		switch {
		case bad == nil && err == nil && promo.Price >= a.Price:
			a = promo
		case bad == nil:
			o.Regular, o.OnSale = a.Price, true
			a, err = promo, nil
		case bad != errZero:
			field, err = "promo", bad
		}
	}
	if err != nil {
		return r.bad(field, err.Error())
	}
	o.Price, o.MultiBuy, o.Size = a.Price, a.Packs > 1, cmp.Or(a.Size, o.Size)
	text := r.values["regular"]
	if text == "" {
		return nil
	}
	switch regular, err := r.money.Parse(text); {
	case err != nil || regular.Price < o.Price:
		r.report.Dropped++
	default:
		o.Regular, o.OnSale = regular.Price, o.OnSale || regular.Price > o.Price
	}
	return nil
}
