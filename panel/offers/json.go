package offers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
)

// findJSON sets the form of an array of objects from the first one.
func (t *table) findJSON(m *Mapping, text string) *misfit {
	d := json.NewDecoder(strings.NewReader(text))
	var item map[string]any
	if _, err := d.Token(); err != nil || d.Decode(&item) != nil || len(m.tables) > 0 {
		return &misfit{[]string{"of a table"}, []string{text[:min(len(text), 80)]}}
	}
	_, list := item[m.list].([]any)
	var missing []string
	for _, c := range m.columns {
		has := func(name string) bool { return item[name] != nil }
		if !c.constant && !c.optional && !slices.ContainsFunc(c.names, has) && !(list && c.member) {
			missing = append(missing, c.Column)
		}
	}
	if missing != nil {
		return &misfit{missing, slices.Sorted(maps.Keys(item))}
	}
	t.delim = 0
	return nil
}

// items calls use with the prices of each item of an array: the objects in its list, or
// itself. bad is a fault in the syntax, after which nothing can be read.
func (r *reader) items(t *table, use func(points []map[string]any) error) (bad, err error) {
	d := json.NewDecoder(t.text)
	d.UseNumber()
	_, bad = d.Token()
	for r.line = 1; bad == nil && err == nil && d.More(); r.line++ {
		var item map[string]any
		if bad = d.Decode(&item); bad != nil {
			break
		}
		r.set(item, false)
		points := []map[string]any{item}
		if r.list != "" {
			points = nil
			list, _ := item[r.list].([]any)
			for _, x := range list {
				point, _ := x.(map[string]any)
				points = append(points, point)
			}
		}
		err = use(points)
	}
	if bad == nil && err == nil {
		_, bad = d.Token()
	}
	return bad, err
}

// set takes the values of an item, or of an object in its list.
func (r *reader) set(from map[string]any, member bool) {
	for i := range r.columns {
		c := &r.columns[i]
		for k := 0; k < len(c.names) && !c.constant && c.member == member; k++ {
			r.values[i] = ""
			if v := from[c.names[k]]; v != nil {
				r.values[i] = strings.TrimSpace(fmt.Sprint(v))
				break
			}
		}
	}
}

// array reads an array of objects. If the mapping says so a price lasts until the day before
// the next, and the last one until the newest day in the file, unless the good is gone.
func (r *reader) array() error {
	var newest panel.Date
	day := func(point map[string]any) panel.Date {
		r.set(point, true)
		date, _ := r.value("date")
		t, err := r.time(date)
		if err != nil {
			return 0
		}
		return r.Calendar.DateIn(t)
	}
	if r.lasts {
		scan, err := r.openTable(r.table.entry)
		if err != nil {
			return err
		}
		defer scan.Close()
		r.items(scan, func(points []map[string]any) error { // a fault is met again below
			for _, p := range points {
				newest = max(newest, day(p))
			}
			return nil
		})
	}
	bad, err := r.items(r.table, func(points []map[string]any) error {
		if len(points) == 0 {
			return r.count(&fault{why: "without a price", skip: true})
		}
		if r.lasts {
			slices.SortStableFunc(points, func(a, b map[string]any) int { return cmp.Compare(day(a), day(b)) })
		}
		for i, p := range points {
			switch r.last = 0; {
			case r.lasts && i+1 < len(points):
				r.last = day(points[i+1]) - 1
			case r.lasts && !r.says("gone"):
				r.last = newest
			}
			r.set(p, true)
			if err := r.count(r.emit()); err != nil {
				return err
			}
		}
		return nil
	})
	if bad != nil {
		r.refuse(r.table.name, r.line, fmt.Errorf("breaks off in this item: %w", bad))
	}
	return err
}
