package basket

import (
	"errors"
	"fmt"
)

// Basket is a fixed list of products and the cities where they are priced.
type Basket struct {
	Products []Product
	Cities   []City
}

// Validate reports every product and city that is wrong by itself or repeats
// another's id, slug or name; nil if none does.
func (b Basket) Validate() error {
	var errs []error
	ids := map[int]bool{}
	for i, p := range b.Products {
		if err := p.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("basket: product %d of the list (id %d): %w", i+1, p.ID, err))
		}
		if ids[p.ID] {
			errs = append(errs, fmt.Errorf("basket: product %d of the list: id %d is taken", i+1, p.ID))
		}
		ids[p.ID] = true
	}
	slugs, names := map[string]bool{}, map[string]bool{}
	for i, c := range b.Cities {
		if err := c.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("basket: city %d of the list (%q): %w", i+1, c.Slug, err))
		}
		if slugs[c.Slug] || names[c.Name] {
			errs = append(errs, fmt.Errorf("basket: city %d of the list: slug %q or name %q is taken", i+1, c.Slug, c.Name))
		}
		slugs[c.Slug], names[c.Name] = true, true
	}
	return errors.Join(errs...)
}

// Weights returns the raw weight of every category, indexed by Category, over
// the active products; Overall holds their sum. Raw sums need not be 1
// (Canada's are 0.96): normalize where you use them. The array has ten entries,
// Overall's first.
func (b Basket) Weights() [numCategories]float64 {
	var sum [numCategories]float64
	for _, p := range b.Products {
		if p.Active {
			sum[p.Category] += p.Weight
			sum[Overall] += p.Weight
		}
	}
	return sum
}
