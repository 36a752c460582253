package basket

import (
	"fmt"
	"slices"
)

// Category is one of the nine basket categories, or Overall for the headline
// that spans them. Its numeric order is the published order: the headline
// first, then the nine as the index document lists them.
type Category uint8

// The headline and the nine categories.
const (
	Overall Category = iota
	Dairy
	Meat
	Bakery
	ProduceFruit
	ProduceVeg
	Pantry
	Frozen
	Beverages
	Household

	numCategories = iota
)

var categorySlugs = [numCategories]string{
	"overall", "dairy", "meat", "bakery", "produce_fruit", "produce_veg",
	"pantry", "frozen", "beverages", "household",
}

// Categories returns the nine categories in published order, without Overall.
func Categories() []Category {
	all := make([]Category, 0, numCategories-1)
	for c := Dairy; c < numCategories; c++ {
		all = append(all, c)
	}
	return all
}

// Slices returns the parts of the basket that have an index, in published order:
// Overall, then the nine categories.
func Slices() []Category { return append([]Category{Overall}, Categories()...) }

// String returns the slug, such as "produce_fruit" or "overall".
func (c Category) String() string { return nameOf("Category", c, Overall, categorySlugs[:]) }

// ParseCategory reads a slug, "overall" included. Slugs are case-sensitive.
func ParseCategory(slug string) (Category, error) {
	return named("category", slug, Overall, categorySlugs[:])
}

// nameOf returns the name of a value. The names are those of the values from first on.
func nameOf[T ~uint8](what string, value, first T, names []string) string {
	if value >= first && int(value-first) < len(names) {
		return names[value-first]
	}
	return fmt.Sprintf("%s(%d)", what, uint8(value))
}

// named returns the value that has a name. The names are those of the values from
// first on.
func named[T ~uint8](what, name string, first T, names []string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return first + T(i), nil
	}
	return 0, fmt.Errorf("basket: unknown %s %q; use one of %s", what, name, quotedList(names))
}

// MarshalText writes the slug.
func (c Category) MarshalText() ([]byte, error) {
	if int(c) >= len(categorySlugs) {
		return nil, fmt.Errorf("basket: no category has number %d", uint8(c))
	}
	return []byte(categorySlugs[c]), nil
}

// UnmarshalText reads a slug.
func (c *Category) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCategory(string(text))
	return err
}
