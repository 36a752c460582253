package basket

import "github.com/larder-index/larder/internal/enum"

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
)

var categories = enum.New("category", Overall,
	"overall", "dairy", "meat", "bakery", "produce_fruit", "produce_veg",
	"pantry", "frozen", "beverages", "household")

// Slices returns the parts of the basket that have an index, in published order:
// Overall, then the nine categories.
func Slices() []Category { return categories.Values() }

// String returns the slug, such as "produce_fruit" or "overall".
func (c Category) String() string { return categories.String(c) }

// Slug returns the slug as a row has it: empty for Overall.
func (c Category) Slug() string {
	if c == Overall {
		return ""
	}
	return c.String()
}

// CategorySlugs returns the slugs of Slices.
func CategorySlugs() []string { return categories.List() }

// ParseCategory reads a slug, "overall" included. Slugs are case-sensitive.
func ParseCategory(slug string) (Category, error) { return categories.Parse(slug) }

// UnmarshalText reads a slug.
func (c *Category) UnmarshalText(text []byte) error { return categories.UnmarshalText(c, text) }
