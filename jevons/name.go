package jevons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/larder-index/larder/basket"
)

// Names writes and reads the names of series, as addresses, files and figures have
// them: national.CATEGORY, CITY.CATEGORY or CITY.BANNER.CATEGORY. CITY is a slug,
// BANNER a key, and CATEGORY a category or "overall", such as toronto.dairy.
type Names struct {
	cities  []basket.City
	banners []string
}

// nationalPart begins the name of a national series.
const nationalPart = "national"

// NewNames returns the names of series in the given cities and at the banners with
// the given keys.
func NewNames(cities []basket.City, banners []string) *Names { return &Names{cities, banners} }

// Name returns the name of a cell's series. It is empty for a city that is not among
// those given, and where another series has the name.
func (n *Names) Name(c Cell) string {
	place := nationalPart
	if c.Level != National {
		i := slices.IndexFunc(n.cities, func(x basket.City) bool { return x.Name == c.City })
		if i < 0 {
			return ""
		}
		place = n.cities[i].Slug
	}
	if c.Level == Banner {
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
func (n *Names) Parse(name string) (Cell, error) {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 || at == len(name)-1 {
		return Cell{}, fmt.Errorf("%q is no name of a series; write national.CATEGORY, CITY.CATEGORY or CITY.BANNER.CATEGORY, such as national.overall", clip(name))
	}
	place, word := name[:at], name[at+1:]
	category, err := basket.ParseCategory(word)
	if err != nil {
		return Cell{}, unknownPart("category", word, categoryNames())
	}
	if place == nationalPart {
		return Cell{Level: National, Category: category}, nil
	}
	known, of := []string{nationalPart}, ""
	for _, city := range n.cities {
		known = append(known, city.Slug)
		if place == city.Slug {
			return Cell{Level: City, City: city.Name, Category: category}, nil
		}
		if key, ok := strings.CutPrefix(place, city.Slug+"."); ok {
			if slices.Contains(n.banners, key) {
				return Cell{Level: Banner, City: city.Name, Banner: key, Category: category}, nil
			}
			of = key
		}
	}
	if of != "" {
		return Cell{}, unknownPart("banner", of, n.banners)
	}
	city, banner, ok := strings.Cut(place, ".")
	if ok && city == nationalPart {
		return Cell{}, fmt.Errorf("%q has a banner but no city; write CITY.%s.%s", clip(name), clip(banner), word)
	}
	return Cell{}, unknownPart("city", city, known)
}

func categoryNames() (names []string) {
	for _, c := range basket.Slices() {
		names = append(names, c.String())
	}
	return names
}

// unknownPart says that a name has an unknown part, and names the nearest known one.
func unknownPart(what, part string, known []string) error {
	part = clip(part)
	best, distance := "", 1+max(2, len(part)/3)
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(k), strings.ToLower(part)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return fmt.Errorf("there is no %s %q; known are %s", what, part, strings.Join(known, ", "))
	}
	return fmt.Errorf("there is no %s %q; did you mean %q?", what, part, best)
}

// clip cuts a long text for a message.
func clip(s string) string {
	const most = 60 // bytes
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
