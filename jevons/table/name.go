package table

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Names writes and reads the names of series, as addresses, files and figures have
// them: national.CATEGORY, CITY.CATEGORY or CITY.BANNER.CATEGORY. CITY is a slug,
// BANNER a key, and CATEGORY a category or "overall", such as toronto.dairy.
type Names struct {
	cities     []basket.City
	banners    []string
	categories basket.Categories
}

// NewNames returns the names of series in the given cities, at the banners with
// the given keys, and of the given categories.
func NewNames(cities []basket.City, banners []string, categories basket.Categories) *Names {
	return &Names{cities, banners, categories}
}

// Categories returns the categories of the series.
func (n *Names) Categories() basket.Categories { return n.categories }

// Name returns the name of a cell's series. It is empty for a city that is not among
// those given, and where another series has the name.
func (n *Names) Name(c jevons.Cell) string {
	place := jevons.National.String()
	i := slices.IndexFunc(n.cities, func(x basket.City) bool { return x.Name == c.City })
	if i >= 0 && c.Level != jevons.National {
		place = n.cities[i].Slug
	}
	if c.Level == jevons.Banner {
		place += "." + c.Banner
	}
	name := place + "." + c.Category.String()
	if same, err := n.Parse(name); err != nil || same != c {
		return "" // slugs and keys may have dots
	}
	return name
}

// Parse reads a name. The error names the part that is unknown and the nearest
// known one.
func (n *Names) Parse(name string) (jevons.Cell, error) {
	city, banner, category, err := panel.ParseSeries(name, n.cities, n.banners, n.categories)
	if err != nil {
		return jevons.Cell{}, err
	}
	return jevons.Cell{Level: jevons.LevelOf(city, banner), City: city, Banner: banner, Category: category}, nil
}
