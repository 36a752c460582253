package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// namer names the title by what all series share, and a line by what differs.
type namer struct {
	words                         *Words
	banners                       []basket.Banner
	first                         jevons.Cell
	category, level, city, banner bool // the same for all series
}

func newNamer(words *Words, banners []basket.Banner, cells []jevons.Cell) *namer {
	n := &namer{words, banners, cells[0], true, true, true, true}
	for _, c := range cells {
		n.category = n.category && c.Category == n.first.Category
		n.level = n.level && c.Level == n.first.Level
		n.city = n.city && c.City == n.first.City
		n.banner = n.banner && c.Banner == n.first.Banner
	}
	return n
}

// Series names a series by its category and place, such as "Dairy, Toronto".
func (w *Words) Series(banners []basket.Banner, cell jevons.Cell) string {
	return newNamer(w, banners, []jevons.Cell{cell}).title()
}

func (n *namer) title() string {
	w, cell := n.words, n.first
	what := w.byCategory
	if n.category {
		what = w.categories[cell.Category]
	}
	place := w.byPlace
	switch {
	case n.city && n.banner && cell.City == "":
		place = w.canada
	case n.city && n.banner:
		place = n.place(cell)
	case n.city:
		place = fmt.Sprintf(w.bannersIn, cell.City)
	case n.banner && cell.Banner != "":
		place = fmt.Sprintf(w.bannerByCity, n.display(cell.Banner))
	case n.banner && n.level:
		place = w.byCity
	}
	return what + ", " + place
}

// place names the city, or the banner in it.
func (n *namer) place(c jevons.Cell) string {
	if c.Banner == "" {
		return c.City
	}
	return fmt.Sprintf(n.words.bannerIn, n.display(c.Banner), c.City)
}

func (n *namer) line(c jevons.Cell) string {
	var parts []string
	switch {
	case n.city && n.banner:
	case c.Level == jevons.National:
		parts = append(parts, n.words.national)
	case c.Level == jevons.Banner && n.city:
		parts = append(parts, n.display(c.Banner))
	case c.Level == jevons.Banner && !n.banner:
		parts = append(parts, n.display(c.Banner)+", "+c.City)
	default:
		parts = append(parts, c.City)
	}
	if !n.category || len(parts) == 0 {
		parts = append(parts, n.words.categories[c.Category])
	}
	return strings.Join(parts, n.words.colon)
}

// display returns the display name of a banner.
func (n *namer) display(key string) string {
	if i := slices.IndexFunc(n.banners, func(b basket.Banner) bool { return b.Key == key }); i >= 0 {
		return n.banners[i].Name
	}
	return key
}

// Category names a slice of the basket.
func (w *Words) Category(c basket.Category) string { return w.categories[c] }
