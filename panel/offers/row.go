package offers

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// fromName returns what patterns find in the name of a file, or else in its whole path. The
// first pattern that finds a field says it.
func (m *Mapping) fromName(file string) (found map[string]string, day panel.Date, err error) {
	file = strings.TrimSuffix(file, ".gz")
	for _, p := range m.names {
		texts := p.FindStringSubmatch(path.Base(file))
		if texts == nil {
			texts = p.FindStringSubmatch(file)
		}
		for i, text := range texts {
			if found == nil {
				found = map[string]string{}
			}
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

// noon returns noon of a day.
func noon(day panel.Date, c panel.Calendar) time.Time {
	year, month, d := day.Time(time.UTC).Date()
	return time.Date(year, month, d, 12, 0, 0, 0, c.Zone())
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
		return &fault{key, errors.New("stands in two rows that differ")}
	}
	rows[r.values[key]] = values
	return skip("of a joined table")
}

// join takes the values of joined tables.
func (r *reader) join() error {
	for _, table := range r.tables {
		row, ok := r.joined[table][r.values["join "+table]]
		if !ok {
			return &fault{"join " + table, errors.New("is not in the table " + table)}
		}
		for _, c := range r.columns {
			if c.table == table {
				r.values[c.Field], row = row[0], row[1:]
			}
		}
	}
	return nil
}

// says reports whether a field holds the text that its example says yes with.
func (r *reader) says(field string) bool {
	i, ok := r.at[field]
	return ok && strings.Contains(strings.ToLower(r.values[field]), strings.ToLower(r.columns[i].Example))
}

// emit makes an offer of the values of a row, and hands it over, once for each day it lasts.
func (r *reader) emit(line int) error {
	if err := r.join(); err != nil {
		return err
	}
	o, err := r.offer(line)
	if err != nil {
		return err
	}
	var day, last panel.Date
	if r.lasts {
		day, last = r.Calendar.DateIn(o.At), dateOf(r.values["lasts"])
	}
	for d := day; d == day || d <= last; d++ {
		if d > day {
			o.At = noon(d, r.Calendar)
			r.report.Carried++
		}
		r.report.Offers++
		if err := r.each(o); err != nil {
			return err
		}
	}
	return nil
}

// offer makes an offer of the values of a row.
func (r *reader) offer(line int) (o *Offer, err error) {
	text := func(field string) string { return cmp.Or(r.values[field], r.named[field]) }
	o = &r.current
	*o = Offer{
		File: r.table.name, Line: line, Chain: text("chain"), Shop: text("shop"), City: text("city"), SKU: text("sku"),
		GTIN: text("gtin"), Title: text("title"), Brand: text("brand"), Size: text("size"), Category: text("category"),
		At: r.day, OnSale: r.says("on_sale"),
	}
	if _, ok := r.at["date"]; ok {
		if o.At, err = r.time(r.values["date"]); err != nil {
			return nil, &fault{"date", err}
		}
	}
	switch {
	case o.Title == "":
		return nil, &fault{"title", isEmpty}
	case o.Chain == "" || strings.Contains(o.Chain, "://"):
		return nil, &fault{"chain", errors.New("is no name of a chain")}
	case r.since != 0 && r.Calendar.DateIn(o.At) < r.since:
		return nil, &fault{"", errors.New("is of before " + r.since.String() +
			", when the form's prices were in another currency")}
	}
	unit := cmp.Or(r.unit, r.values["size_unit"])
	if unit != "" && o.Size != "" && strings.Trim(o.Size, digits+".,") == "" {
		o.Size += " " + unit
	}
	if _, ok := r.at["out_of_stock"]; ok {
		o.InStock = panel.Yes
		if r.says("out_of_stock") {
			o.InStock = panel.No
		}
	}
	return o, r.price(o)
}

// time reads a date, which is often that of the row before.
func (r *reader) time(text string) (time.Time, error) {
	if text == r.date && text != "" {
		return r.moment, nil
	}
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
	r.date, r.moment = text, t
	return t, nil
}

// price sets the prices. A promotion's is the one at the till.
func (r *reader) price(o *Offer) error {
	field := "price"
	a, err := r.money.Parse(r.values[field])
	if text := r.values["promo"]; strings.ContainsAny(text, digits) {
		promo, bad := r.money.Parse(text)
		switch {
		case bad == nil && (err != nil || promo.Price < a.Price):
			o.Regular, o.OnSale = a.Price, true
			fallthrough
		case bad == nil:
			a, err = promo, nil
		case bad != isZero:
			field, err = "promo", bad
		}
	}
	if err != nil {
		return &fault{field, err}
	}
	o.Price, o.MultiBuy, o.Size = a.Price, a.Packs > 1, cmp.Or(a.Size, o.Size)
	text := r.values["regular"]
	if text == "" {
		return nil
	}
	switch regular, err := r.money.Parse(text); {
	case err != nil:
		r.report.Dropped[err.Error()]++
	case regular.Price < o.Price:
		r.report.Dropped["is below the price"]++
	default:
		o.Regular, o.OnSale = regular.Price, o.OnSale || regular.Price > o.Price
	}
	return nil
}
