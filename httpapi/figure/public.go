package figure

import (
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// Public says which figures of the index anybody may see. All others need a key or a session.
type Public uint8

// The values of Public.
const (
	PublicNational Public = iota // the national headline and categories, and each city's newest basket cost
	PublicNone
)

// ParsePublic reads national or none.
func ParsePublic(s string) (Public, error) {
	switch s {
	case "national":
		return PublicNational, nil
	case "none":
		return PublicNone, nil
	}
	return 0, fmt.Errorf("%q is not known; use national or none", s)
}

// Shows reports whether anybody may see figures of a cell. With newestCost only the basket
// cost of the newest week is to be seen.
func (p Public) Shows(cell *jevons.Cell, newestCost bool) bool {
	city := cell.Level == jevons.City && cell.Category == basket.Overall
	return p == PublicNational && (cell.Level == jevons.National || newestCost && city)
}
