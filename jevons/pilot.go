package jevons

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Pilot returns the stored rows of the pilot series (v1), March to June 2026,
// in published order and as they were published: nothing is recomputed, and
// their levels have another basis than Compute's. Never splice the two.
func Pilot(p *panel.Panel) *Table {
	names := make(map[string]string, len(p.Cities()))
	for _, c := range p.Cities() {
		names[c.Slug] = c.Name
	}
	cells := map[Cell]*Cell{}
	rows := make([]Row, 0, len(p.Pilot()))
	for _, r := range p.Pilot() {
		key := Cell{Level: National, City: names[r.City], Banner: r.Banner, Category: r.Category}
		switch {
		case r.Banner != "":
			key.Level = Banner
		case r.City != "":
			key.Level = City
		}
		if cells[key] == nil {
			cells[key] = &key
		}
		rows = append(rows, Row{
			Week: r.Date, Cell: cells[key], Index: r.IndexValue, BasketCost: r.BasketCost,
			WoW: r.WoW, MoM: r.MoM, ItemCount: int32(r.ItemCount), TotalItems: int32(r.TotalItems),
		})
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), compareCells(a.Cell, b.Cell))
	})
	return &Table{Rows: rows}
}
