package offers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
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
	r.money, r.money.Currency = r.Mapping.money, cmp.Or(o.Currency, "CAD")
	if c := r.Mapping.money.Currency; c != "" && c != r.money.Currency {
		return r.report, fmt.Errorf("prices of the form %s are in %s, and the publication's currency is %s: "+
			"set currency, or use a mapping of another currency", r.Name, c, r.money.Currency)
	}
	err := walk(files, r.folder)
	switch {
	case err == errEnough:
		err = nil
	case err == nil && r.report.Files == 0:
		err = fmt.Errorf("no file is in the form %s%s", r.Name, r.first)
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
	first  string // refusal of a file
	money  Money
	joined map[string]map[string][]string // values of joined tables by name and key
	table  *table
	values []string // of the mapping's columns in the row
	unit   string   // of sizes, from their heading
	base   Offer    // what the file's name says
	offer  Offer
	date   string // that was last read, and its moment
	moment time.Time
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
			if err == nil && (t.joined != "") == (pass == 1) {
				if err := r.read(t); err != nil {
					return err
				}
			} else if err == nil {
				t.Close()
			} else if pass == 0 {
				r.refuse(e.name, 0, err)
			}
		}
	}
	return nil
}

// begin sets what is so in all rows of a file.
func (r *reader) begin(t *table) error {
	r.table, r.unit, r.base = t, "", Offer{File: t.name}
	for i, c := range r.columns {
		r.values[i] = ""
		if c.constant {
			r.values[i] = c.names[0]
		}
	}
	if t.joined != "" {
		return nil
	}
	day, err := r.fromName(t.name, &r.base)
	_, dates := r.at["date"]
	_, chains := r.at["chain"]
	switch {
	case err != nil:
		return fmt.Errorf("has in its name a %w", err)
	case day != 0:
		r.base.At = noon(day, r.Calendar)
	case !dates:
		return errors.New("has no date in its name; a row name of the mapping says where one stands")
	}
	if r.base.Chain == "" && !chains {
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
	if n := int64(t.before); n > 0 {
		r.report.Rows += n
		r.report.Skipped["before the header"] += n
	}
	for t.Next() {
		cells, problem := t.Cells()
		var err error
		switch {
		case slices.Equal(cells, t.heads):
			err = &fault{skip: "header repeated"}
		case problem != "":
			err = &fault{why: problem, text: t.Text()}
		case !slices.ContainsFunc(cells, func(c string) bool { return c != "" }):
			err = &fault{skip: "blank"}
		default:
			for i, at := range t.at {
				if at >= 0 {
					r.values[i] = strings.TrimSpace(cells[at])
				}
			}
			if t.joined != "" {
				err = r.keep()
			} else {
				err = r.emit()
			}
		}
		if err := r.count(err); err != nil {
			return err
		}
	}
	if err := t.Err(); err != nil {
		r.refuse(t.name, t.Line(), fmt.Errorf("breaks off: %w", err))
	}
	return nil
}

// fault is a row that is refused or skipped.
type fault struct {
	why, skip string
	in        *column // nil: the row as a whole
	at        int     // of the column
	text      string
}

func (f *fault) Error() string { return f.why }

// count takes what became of a row.
func (r *reader) count(err error) error {
	r.report.Rows++
	bad, ok := err.(*fault)
	switch {
	case err != nil && !ok:
		return err
	case ok && bad.skip != "":
		r.report.Skipped[bad.skip]++
	case ok:
		x := &Reject{r.table.name, r.table.Line(), "", bad.why, bad.text[:min(len(bad.text), 200)]}
		reason := "row"
		if bad.in != nil {
			x.Column, reason = bad.in.Column, bad.in.Field+" "+bad.why
			if at := r.table.at[bad.at]; at >= 0 {
				x.Column = r.table.heads[at]
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
	r.report.Refused++
	r.first = cmp.Or(r.first, fmt.Sprintf(": %s %v", file, err))
	if r.Reject != nil {
		r.Reject(&Reject{File: file, Line: line, Reason: err.Error()})
	}
}
