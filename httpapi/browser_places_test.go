//go:build browser

package httpapi

import (
	"slices"
	"strings"
)

// places compares the tables of cities and banners, and sorts them.
func (d *dashboard) places() {
	d.t.Helper()
	weeks := weeksOf(d.all["national:overall"])
	week := weeks[len(weeks)-1]
	check := func(prefix string) {
		d.t.Helper()
		rows := await[map[string][2]string](d.tab, `(prefix) => {
			const rows = [...document.querySelectorAll("#places tr[data-place]")];
			return rows.length > 0 && rows.every((e) => e.dataset.place.startsWith(prefix) === (prefix !== "")  || prefix === "") &&
				Object.fromEntries(rows.map((e) => [e.dataset.place, [e.dataset.cost, e.dataset.level]]));
		}`, prefix)
		n := 0
		for series, rows2 := range d.all {
			part := strings.Split(series, ":")
			place := strings.Join(part[1:len(part)-1], ":")
			if part[len(part)-1] != "overall" || prefix == "" && part[0] != "city" || prefix != "" && (part[0] != "banner" || !strings.HasPrefix(place, prefix)) {
				continue
			}
			r, ok := rows2[week]
			if !ok {
				continue
			}
			n++
			if got := rows[place]; got != [2]string{r.Cost.String(), r.IndexValue.String()} {
				d.t.Errorf("%s: cost and level %q, the API's %s and %s", place, got, r.Cost, r.IndexValue)
			}
		}
		if n == 0 || len(rows) < n {
			d.t.Errorf("%q: %d places, the API has %d", prefix, len(rows), n)
		}
	}
	check("")
	costs := func() []string {
		return get[[]string](d.tab, `() => [...document.querySelectorAll("#places tr[data-place]")].map((e) => e.dataset.cost).filter((c) => c !== "").map((c) => c.padStart(12))`)
	}
	if !slices.IsSorted(costs()) {
		d.t.Errorf("not by cost: %q", costs())
	}
	d.click(`#places-table button[data-sort=cost]`)
	d.there(`#places-table th[aria-sort=descending] button[data-sort=cost]`)
	if reversed := costs(); !slices.IsSortedFunc(reversed, func(a, b string) int { return strings.Compare(b, a) }) {
		d.t.Errorf("not by cost from the highest: %q", reversed)
	}
	d.click(`#places input[value=banner]`)
	d.choose("#places-city", "Toronto")
	check("Toronto:")
	d.glance("dashboard-places")
}
