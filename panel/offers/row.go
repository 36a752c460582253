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

// fromName takes what patterns find in the name of a file, or else in its whole path. The
// first pattern that finds a field says it.
func (m *Mapping) fromName(file string, o *Offer) (day panel.Date, err error) {
	file = strings.TrimSuffix(file, ".gz")
	for _, p := range m.names {
		found := p.FindStringSubmatch(path.Base(file))
		if found == nil {
			found = p.FindStringSubmatch(file)
		}
		date := map[string]string{}
		for i, text := range found {
			group := p.SubexpNames()[i]
			if set := texts[group]; set == nil {
				date[group] = text
			} else if field := set(o); *field == "" {
				*field = strings.TrimSpace(strings.ReplaceAll(text, "_", " "))
			}
		}
		if year := date["year"]; day == 0 && year != "" {
			text := fmt.Sprintf("20%s-%02s-%02s", year[len(year)-2:], date["month"], date["day"])
			if day, err = panel.ParseDate(text); err != nil {
				return 0, err
			}
		}
	}
	return day, nil
}

// noon returns noon of a day.
func noon(day panel.Date, c panel.Calendar) time.Time {
	year, month, d := day.Time(time.UTC).Date()
	return time.Date(year, month, d, 12, 0, 0, 0, c.Zone())
}

// keep takes a row of a joined table.
func (r *reader) keep() error {
	rows := r.joined[r.table.joined]
	key := slices.IndexFunc(r.columns, func(c column) bool { return c.table == r.table.joined && c.Field == "join" })
	if have, ok := rows[r.values[key]]; ok && !slices.Equal(have, r.values) {
		return &fault{key, errors.New("stands in two rows that differ")}
	}
	rows[r.values[key]] = slices.Clone(r.values)
	return skip("of a joined table")
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
func (r *reader) emit(line int) error {
	r.offer = r.base
	r.offer.Line = line
	err := r.join()
	if err == nil {
		err = r.build(&r.offer)
	}
	if err != nil {
		return err
	}
	var day, last panel.Date
	if r.lasts {
		day, last = r.Calendar.DateIn(r.offer.At), dateOf(r.values[r.at["lasts"]])
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
	}
	return nil
}

// join takes the values of joined tables.
func (r *reader) join() error {
	for i, c := range r.columns {
		if c.join == "" {
			continue
		}
		row, ok := r.joined[c.join][r.values[i]]
		if !ok {
			return &fault{i, errors.New("is not in the table " + c.join)}
		}
		for k := range row {
			if r.columns[k].table == c.join {
				r.values[k] = row[k]
			}
		}
	}
	return nil
}

// build sets the offer.
func (r *reader) build(o *Offer) (err error) {
	for i := range r.columns {
		if c := &r.columns[i]; c.text != nil && r.values[i] != "" {
			*c.text(o) = r.values[i]
		}
	}
	if date, i := r.value("date"); i >= 0 {
		if o.At, err = r.time(date); err != nil {
			return &fault{i, err}
		}
	}
	chain, i := r.value("chain")
	switch {
	case o.Title == "":
		return &fault{r.at["title"], isEmpty}
	case i >= 0 && (o.Chain == "" || strings.Contains(chain, "://")):
		return &fault{i, errors.New("is no name of a chain")}
	case r.since != 0 && r.Calendar.DateIn(o.At) < r.since:
		return &fault{-1, errors.New("is of before " + r.since.String() +
			", when the form's prices were in another currency")}
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
	text, i := r.value("price")
	a, err := r.money.Parse(text)
	if text, at := r.value("promo"); strings.ContainsAny(text, digits) {
		promo, bad := r.money.Parse(text)
		switch {
		case bad == nil && (err != nil || promo.Price < a.Price):
			o.Regular, o.OnSale = a.Price, true
			fallthrough
		case bad == nil:
			a, err = promo, nil
		case bad != isZero:
			err, i = bad, at
		}
	}
	if err != nil {
		return &fault{i, err}
	}
	o.Price, o.MultiBuy, o.Size = a.Price, a.Packs > 1, cmp.Or(a.Size, o.Size)
	if text, _ = r.value("regular"); text == "" {
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
