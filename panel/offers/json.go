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
)

// array is the rows of an array of objects in JSON: each is an object, or a price in its list.
type array struct {
	*Mapping
	json   *json.Decoder
	heads  []string
	newest panel.Date // of all prices
	line   int        // number of the object
	points []map[string]string
	err    error
}

// array makes the table of an array.
func (t *table) array(m *Mapping, e entry, text string, stream io.Reader) error {
	first := &array{Mapping: m, json: json.NewDecoder(strings.NewReader(text))}
	_, first.err = first.json.Token()
	if !first.Next() {
		return fmt.Errorf("is no array of objects: %w", first.err)
	}
	miss := &misfit{heads: slices.Sorted(maps.Keys(first.points[0]))}
	for _, c := range m.columns {
		has := func(name string) bool { _, ok := first.points[0][name]; return ok }
		if !c.constant && !c.optional && !slices.ContainsFunc(c.names, has) {
			miss.missing = append(miss.missing, c.names[0])
		}
		t.heads = append(t.heads, c.names...)
	}
	if miss.missing != nil {
		return miss
	}
	t.match(m)
	rows := &array{Mapping: m, heads: t.heads, json: json.NewDecoder(stream)}
	rows.json.UseNumber()
	if m.lasts {
		once := *m
		once.lasts = false
		scan, err := once.openTable(e)
		if err != nil {
			return err
		}
		defer scan.Close()
		for date := t.at[m.at["date"]]; scan.Next(); {
			cells, _ := scan.Cells()
			day, _ := panel.ParseDate(cells[date])
			rows.newest = max(rows.newest, day)
		}
	}
	_, rows.err = rows.json.Token()
	t.rows = rows
	return nil
}

// Next goes to the next price.
func (a *array) Next() bool {
	if len(a.points) > 1 {
		a.points = a.points[1:]
		return true
	}
	if a.err != nil || !a.json.More() {
		if a.err == nil {
			_, a.err = a.json.Token()
		}
		return false
	}
	var object map[string]any
	a.line++
	a.err = a.json.Decode(&object)
	a.points = a.flat(object)
	return a.err == nil
}

// flat returns the texts of an object with each of the prices in its list.
func (a *array) flat(object map[string]any) (points []map[string]string) {
	base := map[string]string{}
	for name, v := range object {
		if v != nil && name != a.list {
			base[name] = fmt.Sprint(v)
		}
	}
	list, _ := object[a.list].([]any)
	for _, x := range list {
		point := maps.Clone(base)
		members, _ := x.(map[string]any)
		for name, v := range members {
			if v == nil {
				continue
			}
			point[a.list+"[]."+name] = fmt.Sprint(v)
		}
		points = append(points, point)
	}
	if len(points) == 0 {
		return []map[string]string{base}
	}
	if a.lasts {
		a.last(points)
	}
	return points
}

// last says until when prices last: the day before the next, or the newest day if the good is not gone.
func (a *array) last(points []map[string]string) {
	date := func(p map[string]string) panel.Date {
		d, _ := panel.ParseDate(p[a.columns[a.at["date"]].names[0]])
		return d
	}
	slices.SortStableFunc(points, func(p, q map[string]string) int { return cmp.Compare(date(p), date(q)) })
	for i, p := range points {
		if i+1 < len(points) {
			p["until"] = (date(points[i+1]) - 1).String()
		} else if gone, ok := a.at["gone"]; !ok || p[a.columns[gone].names[0]] != a.columns[gone].Example {
			p["until"] = a.newest.String()
		}
	}
}

// Cells returns the texts of the members that are read.
func (a *array) Cells() (cells []string, problem string) {
	for _, h := range a.heads {
		cells = append(cells, a.points[0][h])
	}
	return cells, ""
}

// Line returns the number of the object.
func (a *array) Line() int { return a.line }

// Text returns nothing: an object is told by its number.
func (a *array) Text() string { return "" }

// Err returns what ended the array early.
func (a *array) Err() error { return a.err }
