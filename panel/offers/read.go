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
)

// Read streams the offers of files in the mapping's form to each; an error of each ends it.
// A folder stands for all files in it and under it. The offer is each's only until it
// returns; its texts may be kept. A bad row or file goes to Options.Reject and reading goes on.
func Read(ctx context.Context, files []string, o Options, each func(*Offer) error) (Report, error) {
	if o.Mapping == nil {
		m, err := Detect(files)
		if err != nil {
			return Report{}, err
		}
		o.Mapping = m
	}
	r := &reader{Mapping: o.Mapping, Options: o, ctx: ctx, each: each, values: make([]string, len(o.Mapping.columns))}
	r.report = Report{Format: r.Name, Reasons: map[string]int64{}, Skipped: map[string]int64{}}
	if r.money.Currency = cmp.Or(o.Currency, "CAD"); r.money.Currency != cmp.Or(r.Mapping.money.Currency, r.money.Currency) {
		return r.report, fmt.Errorf("prices of the form %s are in %s, and the publication's currency is %s: set currency, "+
			"or use a mapping of another currency", r.Name, r.Mapping.money.Currency, r.money.Currency)
	}
	err := walk(files, r.folder)
	if err == errEnough {
		err = nil
	}
	if err == nil && r.report.Files == 0 {
		err = fmt.Errorf("no file is in the form %s", r.Name)
		if r.first != nil {
			err = fmt.Errorf("%w: %s %s", err, r.first.File, r.first.Reason)
		}
	}
	return r.report, err
}

var errEnough = errors.New("enough offers")

type reader struct {
	*Mapping
	Options
	ctx    context.Context
	each   func(*Offer) error
	report Report
	first  *Reject // of a file
	money  Money
	joined map[string]map[string][]string // values of joined tables by name and key
	table  *table
	line   int
	values []string   // of the mapping's columns in the row
	last   panel.Date // day until which a price lasts
	unit   string     // of sizes, from their heading
	base   Offer      // what the file's name says
	offer  Offer
	date   string // that was last read, and its moment
	moment time.Time
}

// folder reads the files of a folder, first the tables that offers are joined with.
func (r *reader) folder(list []entry) error {
	r.joined = map[string]map[string][]string{}
	for _, joined := range []bool{true, false} {
		for _, e := range list {
			if err := r.file(e, joined); err != nil {
				return err
			}
		}
	}
	return nil
}

// file reads a file if it is a joined table or, if not joined, one of offers.
func (r *reader) file(e entry, joined bool) error {
	if joined && len(r.tables) == 0 {
		return nil
	}
	t, err := r.openTable(e)
	if err != nil {
		if !joined {
			r.refuse(e.name, 0, err)
		}
		return nil
	}
	defer t.Close()
	if joined != (t.joined != "") {
		return nil
	}
	r.table, r.line, r.last = t, 0, 0
	for i, c := range r.columns {
		r.values[i] = ""
		if c.constant {
			r.values[i] = c.names[0]
		}
	}
	use := r.keep
	if !joined {
		if err := r.begin(e.name); err != nil {
			r.refuse(e.name, 0, err)
			return nil
		}
		use = r.emit
	}
	if t.rows == nil {
		return r.array()
	}
	return r.rows(use)
}

// begin sets what is so in all offers of a file.
func (r *reader) begin(name string) error {
	r.base = Offer{File: name}
	day, err := r.fromName(name, &r.base)
	if err != nil {
		return fmt.Errorf("has in its name a %w", err)
	}
	if day != 0 {
		r.base.At = noon(day, r.Calendar)
	}
	for _, t := range r.tables {
		if r.joined[t] == nil {
			return fmt.Errorf("has no file of %s beside it", t)
		}
	}
	_, dates := r.at["date"]
	_, chains := r.at["chain"]
	switch {
	case day == 0 && !dates:
		return errors.New("has no date in its name; a row name of the mapping says where one stands")
	case r.base.Chain == "" && !chains:
		return errors.New("has no chain in its name; put the chain's files in a folder of its name")
	}
	r.report.Files++
	r.unit = ""
	if i, ok := r.at["size"]; ok && r.table.rows != nil && r.table.at[i] >= 0 { // as in net quantity (KG)
		_, r.unit, _ = strings.Cut(strings.TrimSuffix(r.table.heads[r.table.at[i]], ")"), "(")
	}
	return nil
}

// rows reads the rows of a table and counts what becomes of them.
func (r *reader) rows(use func() error) error {
	t := r.table
	r.report.Rows += int64(t.before)
	r.report.Skipped["before the header"] += int64(t.before)
	empty := "\" \t" + string(t.delim)
	for t.rows.Next() {
		r.line = t.rows.Line()
		cells, problem := t.rows.Cells()
		var err error
		switch text := t.rows.Text(); {
		case slices.Equal(cells, t.heads):
			err = &fault{why: "header repeated", skip: true}
		case strings.Trim(text, empty) == "":
			err = &fault{why: "blank", skip: true}
		case problem != "":
			err = &fault{why: problem, text: text}
		default:
			for i, at := range t.at {
				if at >= 0 {
					r.values[i] = strings.TrimSpace(cells[at])
				}
			}
			err = use()
		}
		if err := r.count(err); err != nil {
			return err
		}
	}
	if err := t.rows.Err(); err != nil {
		r.refuse(t.name, r.line, fmt.Errorf("breaks off after this line: %w", err))
	}
	return nil
}

// fault is a row that is refused or skipped.
type fault struct {
	why  string
	skip bool
	in   *column // nil: the row as a whole
	at   int     // of the column
	text string
}

func (f *fault) Error() string { return f.why }

// count takes what became of a row.
func (r *reader) count(err error) error {
	r.report.Rows++
	bad, ok := err.(*fault)
	switch {
	case err == nil:
	case !ok:
		return err
	case bad.skip:
		r.report.Skipped[bad.why]++
	default:
		x := &Reject{File: r.table.name, Line: r.line, Reason: bad.why, Text: bad.text[:min(len(bad.text), 200)]}
		reason := "row"
		if bad.in != nil {
			x.Column, reason = bad.in.Column, bad.in.Field+" "+bad.why
			if r.table.rows != nil && r.table.at[bad.at] >= 0 {
				x.Column = r.table.heads[r.table.at[bad.at]]
			}
		}
		r.report.Rejected++
		r.report.Reasons[reason]++
		if r.Reject != nil {
			r.Reject(x)
		}
	}
	if r.report.Rows%4096 == 0 {
		return r.ctx.Err()
	}
	return nil
}

// refuse tells of a file that can't be read, or not after a line.
func (r *reader) refuse(file string, line int, err error) {
	x := &Reject{File: file, Line: line, Reason: err.Error()}
	if r.report.Refused++; r.first == nil {
		r.first = x
	}
	if r.Reject != nil {
		r.Reject(x)
	}
}
