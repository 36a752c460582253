package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/jevons"
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
func (n *Names) Parse(name string) (cell jevons.Cell, err error) {
	at, national := strings.LastIndexByte(name, '.'), jevons.National.String()
	if at <= 0 || at == len(name)-1 {
		return cell, fmt.Errorf("%q is no name of a series; write national.CATEGORY, CITY.CATEGORY or "+
			"CITY.BANNER.CATEGORY, such as national.overall", clip(name))
	}
	place, word := name[:at], name[at+1:]
	category, err := n.categories.Parse(word)
	if err != nil {
		return cell, unknownPart("category", word, n.categories.Words())
	}
	if place == national {
		return jevons.Cell{Level: jevons.National, Category: category}, nil
	}
	known := []string{national}
	for _, c := range n.cities {
		known = append(known, c.Slug)
		key, inCity := strings.CutPrefix(place, c.Slug+".")
		switch {
		case place == c.Slug:
			return jevons.Cell{Level: jevons.City, City: c.Name, Category: category}, nil
		case inCity && slices.Contains(n.banners, key):
			return jevons.Cell{Level: jevons.Banner, City: c.Name, Banner: key, Category: category}, nil
		case inCity:
			err = unknownPart("banner", key, n.banners)
		}
	}
	first, key, _ := strings.Cut(place, ".")
	switch {
	case err != nil:
	case first == national:
		err = fmt.Errorf("%q has a banner but no city; write CITY.%s.%s", clip(name), clip(key), word)
	default:
		err = unknownPart("city", first, known)
	}
	return cell, err
}

func unknownPart(what, part string, known []string) error {
	if best := suggest.Nearest(part, known); best != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, clip(part), best)
	}
	return fmt.Errorf("there is no %s %q; known are %s", what, clip(part), strings.Join(known, ", "))
}

func clip(s string) string {
	const most = 60 // bytes
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
