package audit

import (
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// builder makes a panel of downloaded rows. It refuses rows that say different
// things about the same product, listing, store, city or banner.
type builder struct {
	*panel.Builder
	products map[int]pricedProduct
	slugs    map[string]string // of the cities
	known    map[string]any    // what the rows so far say, by kind and key
}

type listing struct {
	banner  string
	product int
}

// panel returns the panel of the rows. Every record in the pages is active, and
// every row has passed the gate. Rows of a verified banner count in no index.
func (e *Evidence) panel(base panel.Week) (*panel.Panel, error) {
	b := &builder{
		Builder: panel.NewBuilder(base), products: map[int]pricedProduct{}, slugs: map[string]string{}, known: map[string]any{},
	}
	for _, x := range e.products {
		if err := b.AddProduct(x); err != nil {
			return nil, fmt.Errorf("the products: %w", err)
		}
		b.products[x.ID] = pricedProduct{x.ID, x.Name, x.Category.String(), x.Weight}
	}
	for i := range e.rows {
		if err := b.add(&e.rows[i]); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", e.pages[i].name, e.rows[i].ID, err)
		}
	}
	return b.Build()
}

func (b *builder) add(r *priceRow) error {
	if x, ok := b.products[r.Of.Product]; !ok || x != r.Of.Products {
		return fmt.Errorf("its product %d, %q, is not as in the products: they are of another snapshot; download prices and products again", r.Of.Product, r.Of.Products.Name)
	}
	for _, err := range []error{
		once(b, "city", r.Stores.City, r.Stores.Province, func(name, province string) error {
			b.slugs[name] = fmt.Sprintf("city-%d", len(b.slugs)+1) // pages have no slugs
			return b.AddCity(basket.City{Slug: b.slugs[name], Name: name, Province: province})
		}),
		once(b, "banner", r.Of.Banner, r.Verified, func(key string, verified present) error {
			// Pages hold rows of index banners and of verified banners only.
			return b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InIndex: !bool(verified), Verified: bool(verified)})
		}),
		once(b, "store", r.Store, place{r.Stores.City, r.Of.Banner}, func(id int64, at place) error {
			return b.AddStore(panel.Store{ID: id, Banner: at.banner, City: b.slugs[at.city], Active: true, LocationCertain: true})
		}),
		once(b, "listing", r.Listing, listing{r.Of.Banner, r.Of.Product}, func(id int64, of listing) error {
			return b.AddListing(panel.Listing{ID: id, ProductID: of.product, Banner: of.banner, Active: true})
		}),
	} {
		if err != nil {
			return err
		}
	}
	return b.Observe(&panel.Observation{ID: r.ID, Listing: r.Listing, Store: r.Store, Effective: r.price, ObservedAt: r.At})
}

// once adds a value that is new, and refuses one that differs from what is known.
func once[K, V comparable](b *builder, kind string, key K, value V, add func(K, V) error) error {
	name := fmt.Sprint(kind, key)
	old, ok := b.known[name]
	switch {
	case !ok:
		b.known[name] = value
		return add(key, value)
	case old != any(value):
		return fmt.Errorf("%s %v is %v here and %v in another row: the data changed between the downloads; download all pages again", kind, key, value, old)
	}
	return nil
}
