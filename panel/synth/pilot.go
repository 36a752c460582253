package synth

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// pilotGeo is a geography of the pilot: national, a city, or a banner in it.
type pilotGeo struct{ city, banner string }

var pilotGeos = []pilotGeo{
	{}, {"montreal", ""}, {"toronto", ""}, {"vancouver", ""},
	{"montreal", "boisverin"}, {"toronto", "northlarch"}, {"toronto", "tillbrook"},
}

// pilot returns the rows of the pilot series: the Sundays of March to June 2026,
// up to Through. Levels start at 100 in its first week. Changes are between
// rounded levels.
func (w *world) pilot() []panel.PilotRow {
	first := panel.Week(panel.DateOf(2026, 3, 1)) // a Sunday
	last := min(panel.DateOf(2026, 6, 30), w.through)
	var rows []panel.PilotRow
	levels := map[[2]int][]int64{}
	for k := 0; first.Add(k).Date() <= last; k++ {
		for g, geo := range pilotGeos {
			for _, c := range basket.Slices() {
				key := [2]int{g, int(c)}
				level := int64(one) // in ten-thousandths: 100
				if k > 0 {
					before := levels[key][k-1]
					level = before + before*among(w.seed.at(tagPilot, g, int(c), k), -3500, 4500)/one
				}
				levels[key] = append(levels[key], level)
				rows = append(rows, w.pilotRow(first.Add(k), geo, c, levels[key]))
			}
		}
	}
	return rows
}

// pilotRow returns the row of the newest level.
func (w *world) pilotRow(week panel.Week, geo pilotGeo, c basket.Category, levels []int64) panel.PilotRow {
	k := len(levels) - 1
	r := panel.PilotRow{Date: week, City: geo.city, Banner: geo.banner, Category: c, IndexValue: panel.FixedOf(levels[k])}
	cost := int64(0) // cents, in the first week
	for i, p := range w.products {
		if p.Active && (c == basket.Overall || p.Category == c) {
			r.TotalItems++
			cost += w.Goods[i].Cents
		}
	}
	bits := w.seed.at(tagPilot, int(c), k, len(geo.city)*16+len(geo.banner))
	r.ItemCount = r.TotalItems
	if geo.city != "" {
		r.ItemCount -= below(bits, r.TotalItems/5+1)
	}
	r.BasketCost = panel.FixedOf(ratio(cost, levels[k], one) * 100)
	if k >= 1 {
		r.WoW = change(levels[k], levels[k-1])
	}
	if k >= 4 {
		r.MoM = change(levels[k], levels[k-4])
	}
	return r
}

// change returns 100 * (v/q - 1), rounded half away from zero to four decimals.
func change(v, q int64) panel.Fixed {
	if v < q {
		return panel.FixedOf(-ratio(q-v, one, q))
	}
	return panel.FixedOf(ratio(v-q, one, q))
}
