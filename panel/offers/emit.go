package offers

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// keep takes a row of a joined table.
func (r *reader) keep() error {
	rows := r.joined[r.table.joined]
	key := slices.IndexFunc(r.columns, func(c column) bool { return c.table == r.table.joined && c.Field == "join" })
	have, ok := rows[r.values[key]]
	if ok && !slices.Equal(have, r.values) {
		return r.bad(key, errors.New("stands in two rows that differ"))
	}
	rows[r.values[key]] = slices.Clone(r.values)
	return &fault{skip: "of a joined table"}
}

// bad returns the fault of a cell.
func (r *reader) bad(column int, err error) error {
	return &fault{why: err.Error(), in: &r.columns[column], at: column, text: r.values[column]}
}

// value returns the value of a field in the row, and the column that has it or -1.
func (r *reader) value(field string) (string, int) {
	if i, ok := r.at[field]; ok {
		return r.values[i], i
	}
	return "", -1
}

// says reports whether a field holds the text that its example says yes with.
func (r *reader) says(field string) bool {
	text, i := r.value(field)
	return i >= 0 && strings.Contains(strings.ToLower(text), strings.ToLower(r.columns[i].Example))
}

// emit makes an offer of the values of a row, and hands it over, once for each day it lasts.
func (r *reader) emit() error {
	if err := r.build(&r.offer); err != nil {
		return err
	}
	var day, last panel.Date
	if r.lasts {
		day = r.Calendar.DateIn(r.offer.At)
		last, _ = panel.ParseDate(r.values[r.at["lasts"]])
	}
	for d := day; d == day || d <= last; d++ {
		if d > day {
			r.offer.At = noon(d, r.Calendar)
			r.report.Carried++
		}
		r.report.Offers++
		if err := r.each(&r.offer); err != nil {
			return err
		}
		if r.report.Offers == r.First {
			return errEnough
		}
	}
	return nil
}

// build sets the offer.
func (r *reader) build(o *Offer) (err error) {
	*o = r.base
	o.Line = r.table.Line()
	for i := range r.columns {
		c := &r.columns[i]
		if c.join == "" {
			continue
		}
		row, ok := r.joined[c.join][r.values[i]]
		if !ok {
			return r.bad(i, errors.New("is not in the table "+c.join))
		}
		for k := range r.columns {
			if r.columns[k].table == c.join {
				r.values[k] = row[k]
			}
		}
	}
	for i := range r.columns {
		if c := &r.columns[i]; c.text != nil && r.values[i] != "" {
			*c.text(o) = r.values[i]
		}
	}
	if date, i := r.value("date"); i >= 0 {
		if o.At, err = r.time(date); err != nil {
			return r.bad(i, err)
		}
	}
	chain, i := r.value("chain")
	switch {
	case o.Title == "":
		return r.bad(r.at["title"], isEmpty)
	case i >= 0 && (o.Chain == "" || strings.Contains(chain, "://")):
		return r.bad(i, errors.New("is no name of a chain"))
	case r.since != 0 && r.Calendar.DateIn(o.At) < r.since:
		return &fault{why: "is of before " + r.since.String() + ", when the form's prices were in another currency"}
	}
	unit, _ := r.value("size_unit")
	if unit = cmp.Or(r.unit, unit); unit != "" && o.Size != "" && strings.Trim(o.Size, digits+".,") == "" {
		o.Size += " " + unit
	}
	o.OnSale = r.says("on_sale")
	if _, i := r.value("out_of_stock"); i >= 0 {
		o.InStock = panel.Yes
		if r.says("out_of_stock") {
			o.InStock = panel.No
		}
	}
	return r.price(o)
}

// time reads a date, which is often that of the row before.
func (r *reader) time(text string) (time.Time, error) {
	if text == r.date && text != "" {
		return r.moment, nil
	}
	t, err := time.ParseInLocation(r.layout, strings.TrimSuffix(text, "."), r.Calendar.Zone())
	if err != nil || t.Year() < panel.FirstYear || t.Year() > panel.LastYear {
		return t, errors.New("is no date such as " + r.columns[r.at["date"]].Example)
	}
	if !strings.Contains(r.layout, "15") {
		t = noon(r.Calendar.DateIn(t), r.Calendar)
	}
	r.date, r.moment = text, t
	return t, nil
}

// price sets the prices. A promotion's is the one at the till.
func (r *reader) price(o *Offer) error {
	text, i := r.value("price")
	a, err := r.money.Parse(text)
	if text, i := r.value("promo"); strings.ContainsAny(text, digits) {
		promo, bad := r.money.Parse(text)
		if bad != nil && bad != isZero {
			return r.bad(i, bad)
		}
		if bad == nil {
			if err != nil || promo.Price < a.Price {
				o.Regular, o.OnSale = a.Price, true
			}
			a, err = promo, nil
		}
	}
	if err != nil {
		return r.bad(i, err)
	}
	o.Price, o.MultiBuy, o.Size = a.Price, a.Packs > 1, cmp.Or(a.Size, o.Size)
	if text, _ = r.value("regular"); text != "" {
		if regular, err := r.money.Parse(text); err == nil && regular.Price >= o.Price {
			o.Regular, o.OnSale = regular.Price, o.OnSale || regular.Price > o.Price
		}
	}
	return nil
}
