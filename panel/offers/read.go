package offers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Read streams the offers of files in the mapping's form to each; an error of each ends it.
// A folder stands for all files in it and under it. The offer is each's only until it
// returns; its texts may be kept. A bad row or file goes to Options.Reject and reading goes on.
func Read(ctx context.Context, files []string, o Options, each func(*Offer) error) (_ Report, err error) {
	if o.Mapping == nil {
		if o.Mapping, err = Detect(files); err != nil {
			return Report{}, err
		}
	}
	counts := func() map[string]int64 { return map[string]int64{} }
	r := &reader{Mapping: o.Mapping, Options: o, ctx: ctx, each: each, values: map[string]string{}}
	r.report = Report{Format: r.Name, Reasons: counts(), Skipped: counts(), Dropped: counts()}
	r.money, r.money.Currency = r.Mapping.money, cmp.Or(o.Currency, "CAD")
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
	named  map[string]string // what the file's name says, by field
	values map[string]string // of the row, by field
	unit   string            // of sizes, from their heading
	day    time.Time         // of the file
	date   string            // that was last read, and its moment
	moment time.Time

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
			t, err := r.openTable(e)
			switch {
			case err != nil && pass == 0:
				r.refuse(e.name, 0, err)
			case err != nil:
			case (t.joined != "") == (pass == 1):
				if err := r.read(t); err != nil {
					return err
				}
			default:
				t.Close()
			}
		}
	}
	return nil
}

// begin sets what is so in all rows of a file.
func (r *reader) begin(t *table) (err error) {
	r.table, r.unit = t, ""
	clear(r.values)
	for _, c := range r.columns {
		if c.constant {
			r.values[c.Field] = c.names[0]
		}
	}
	if t.joined != "" {
		return nil
	}
	var day panel.Date
	r.named, day, err = r.fromName(t.name)
	r.day = noon(day, r.Calendar)
	_, dates := r.at["date"]
	_, chains := r.at["chain"]
	switch {
	case err != nil:
		return fmt.Errorf("has in its name a %w", err)
	case day == 0 && !dates:
		return errors.New("has no date in its name; a row name of the mapping says where one stands")
	case r.named["chain"] == "" && !chains:
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

// read reads the rows of a table and counts what becomes of them.
func (r *reader) read(t *table) error {
	defer t.Close()
	if err := r.begin(t); err != nil {
		r.refuse(t.name, 0, err)
		return nil
	}
	for row, err := range t.rows {
		switch {
		case err != nil:
			r.refuse(t.name, row.Line, fmt.Errorf("breaks off: %w", err))
			return nil
		case row.Line < t.line:
			err = skip("before the header")
		case row.Line == t.line:
			continue
		default:
			err = r.row(&row)
		}
		if err := r.count(&row, err); err != nil {
			return err
		}
	}
	return nil
}

// row takes a row.
func (r *reader) row(row *csvdir.Row) error {
	switch {
	case slices.Equal(row.Cells, r.table.heads):
		return skip("header repeated")
	case row.Problem != "":
		return &fault{"", errors.New(row.Problem)}
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
	return r.emit(row.Line)
}

// skip says why a row holds no offer, although nothing is wrong with it.
type skip string

func (s skip) Error() string { return string(s) }

// fault says what is wrong with a field of a row, or with the row as a whole.
type fault struct {
	field string
	error
}

// count takes what became of a row.
func (r *reader) count(row *csvdir.Row, err error) error {
	r.report.Rows++
	switch e := err.(type) {
	case skip:
		r.report.Skipped[string(e)]++
	case *fault:
		x, field := &Reject{File: r.table.name, Line: row.Line, Reason: e.Error(), Text: row.Text}, "row"
		for i, at := range r.table.at {
			if c := &r.columns[i]; c.Field == e.field {
				field, x.Column, x.Text = e.field+" "+x.Reason, cmp.Or(x.Column, c.Column), r.values[e.field]
				if at >= 0 {
					x.Column = r.table.heads[at]
				}
			}
		}
		x.Text = x.Text[:min(len(x.Text), 200)]
		r.report.Rejected++
		r.report.Reasons[field]++
		if r.Reject != nil {
			r.Reject(x)
		}
	default:
		if err != nil {
			return err
		}
	}
	if r.report.Rows%4096 == 0 {
		return r.ctx.Err()
	}
	return nil
}

// refuse tells of a file that can't be read, or not after a line.
func (r *reader) refuse(file string, line int, err error) {
	r.report.Refused++
	r.first = cmp.Or(r.first, fmt.Sprintf(": %s %v", file, err))
	if r.Reject != nil {
		r.Reject(&Reject{File: file, Line: line, Reason: err.Error()})
	}
}
