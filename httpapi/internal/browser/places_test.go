//go:build browser

package browser

import (
	"fmt"
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
		type shownPlace struct {
			Cost, Level string
			Cells       []string
		}
		rows := await[map[string]shownPlace](d.tab, `(prefix) => {
			const rows = [...document.querySelectorAll("#places tr[data-place]")];
			return rows.length > 0 && rows.every((e) => e.dataset.place.startsWith(prefix) === (prefix !== "")  || prefix === "") &&
				Object.fromEntries(rows.map((e) => [e.dataset.place, {
					cost: e.dataset.cost, level: e.dataset.level, cells: [...e.cells].slice(0, 6).map((c) => c.innerText.trim().replace(/\s+/g, " ")),
				}]));
		}`, prefix)
		want, shown := map[string][]string{}, map[string][]string{}
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
			if got := rows[place]; got.Cost != r.Cost.String() || got.Level != r.IndexValue.String() {
				d.t.Errorf("%s: cost and level %v, the API's %s and %s", place, got, r.Cost, r.IndexValue)
			}
			want[place], shown[place] = d.placeTexts(r), rows[place].Cells
		}
		if len(want) == 0 || len(rows) < len(want) {
			d.t.Errorf("%q: %d places, the API has %d", prefix, len(rows), len(want))
		}
		d.reads(fmt.Sprintf("places %q", prefix), want, shown)
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

// placeTexts are the cells of a place, up to its changes. A place whose week before
// is missing would say more of its change in a week; the demo has none.
func (d *dashboard) placeTexts(r shownRow) []string {
	d.t.Helper()
	name, cost := r.City, "– too few items priced"
	if r.Retailer != "" {
		name = r.Retailer + " in " + r.City
	}
	if r.Cost != "" {
		cost = "$" + r.Cost.String()
	}
	return []string{name, cost, r.pricedText(), rounded(d.t, r.IndexValue), movedText(d.t, r.WoW, ""), movedText(d.t, r.MoM, "")}
}
