package offers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// array makes a table of an array of objects in JSON, whose members are told by the first. A row is an object, or a
// price in its list; its line is the object's number.
func (t *table) array(m *Mapping, e entry, stream io.Reader) error {
	d, object := json.NewDecoder(stream), map[string]any{}
	d.UseNumber()
	_, err := d.Token()
	if err == nil {
		err = d.Decode(&object)
	}
	if err != nil {
		return fmt.Errorf("is no array of objects: %w", err)
	}
	for _, c := range m.columns {
		for _, name := range c.names {
			member, _, _ := strings.Cut(name, "[].")
			if _, there := object[member]; there || c.optional {
				t.heads = append(t.heads, name)
			}
		}
	}
	if missing := t.match(m); missing != nil {
		return &misfit{missing, slices.Sorted(maps.Keys(object))}
	}
	var newest panel.Date
	if m.lasts {
		once := *m
		once.lasts = false
		scan, err := once.openTable(e)
		if err != nil {
			return err
		}
		defer scan.Close()
		for row, err := range scan.rows {
			if err == nil {
				newest = max(newest, dateOf(row.Cells[t.at[m.at["date"]]]))
			}
		}
	}
	t.rows = func(yield func(csvdir.Row, error) bool) {
		for n := 1; object != nil; n++ {
			for _, cells := range t.cut(m, object, newest) {
				if !yield(csvdir.Row{Cells: cells, Line: n}, nil) {
					return
				}
			}
			object = nil
			if d.More() {
				err = d.Decode(&object)
			} else {
				_, err = d.Token()
			}
			if err != nil {
				yield(csvdir.Row{Line: n + 1}, err)
				return
			}
		}
	}
	return nil
}

// cut returns the texts of an object with each of the prices in its list. One lasts until the day before the next, or
// the newest day if the good is not gone.
func (t *table) cut(m *Mapping, object map[string]any, newest panel.Date) (prices [][]string) {
	list, _ := object[m.list].([]any)
	if len(list) == 0 {
		list = []any{nil}
	}
	for _, x := range list {
		price, _ := x.(map[string]any)
		cells := make([]string, len(t.heads))
		for i, head := range t.heads {
			value := object[head]
			if _, member, ok := strings.Cut(head, "[]."); ok {
				value = price[member]
			}
			if value != nil {
				cells[i] = fmt.Sprint(value)
			}
		}
		prices = append(prices, cells)
	}
	if !m.lasts {
		return prices
	}
	day := func(cells []string) panel.Date { return dateOf(cells[t.at[m.at["date"]]]) }
	slices.SortStableFunc(prices, func(p, q []string) int { return cmp.Compare(day(p), day(q)) })
	until := t.at[m.at["lasts"]]
	for i, p := range prices[1:] {
		prices[i][until] = (day(p) - 1).String()
	}
	last := prices[len(prices)-1]
	if gone, ok := m.at["gone"]; !ok || last[t.at[gone]] != m.columns[gone].Example {
		last[until] = newest.String()
	}
	return prices
}

// dateOf returns a date such as 2026-01-31, or 0.
func dateOf(text string) panel.Date {
	d, _ := panel.ParseDate(text)
	return d
}
