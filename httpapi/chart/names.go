package chart

import (
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// shared says which parts of the cell are the same for all series.
type shared struct{ category, level, city, banner bool }

func commonCell(groups [][]jevons.Row) shared {
	first := *groups[0][0].Cell
	same := shared{true, true, true, true}
	for _, g := range groups {
		same.category = same.category && g[0].Cell.Category == first.Category
		same.level = same.level && g[0].Cell.Level == first.Level
		same.city = same.city && g[0].Cell.City == first.City
		same.banner = same.banner && g[0].Cell.Banner == first.Banner
	}
	return same
}

// titleOf names the parts of the cell that are the same for all series.
func titleOf(same shared, groups [][]jevons.Row) string {
	cell := *groups[0][0].Cell
	var parts []string
	if same.category {
		parts = append(parts, sliceName(cell.Category))
	} else {
		parts = append(parts, "by category")
	}
	switch {
	case same.city && same.banner && cell.City == "":
		parts = append(parts, "national")
	case same.city && same.banner && cell.Banner == "":
		parts = append(parts, cell.City)
	case same.city && same.banner:
		parts = append(parts, cell.Banner+" in "+cell.City)
	case same.city:
		parts = append(parts, "banners in "+cell.City)
	case same.banner && cell.Banner != "":
		parts = append(parts, cell.Banner+" by city")
	case same.banner && same.level:
		parts = append(parts, "by city")
	default:
		parts = append(parts, "by place")
	}
	return strings.Join(parts, ", ")
}

// lineName names the parts of the cell that differ between series.
func lineName(c jevons.Cell, same shared) string {
	var parts []string
	if !same.city || !same.banner {
		switch c.Level {
		case jevons.National:
			parts = append(parts, "National")
		case jevons.City:
			parts = append(parts, c.City)
		case jevons.Banner:
			switch {
			case same.city:
				parts = append(parts, c.Banner)
			case same.banner:
				parts = append(parts, c.City)
			default:
				parts = append(parts, c.Banner+", "+c.City)
			}
		}
	}
	if !same.category || len(parts) == 0 {
		parts = append(parts, sliceName(c.Category))
	}
	return strings.Join(parts, ": ")
}

func sliceName(c basket.Category) string {
	switch c {
	case basket.Overall:
		return "All items"
	case basket.ProduceFruit:
		return "Fruit"
	case basket.ProduceVeg:
		return "Vegetables"
	}
	name := c.String()
	return strings.ToUpper(name[:1]) + name[1:]
}
