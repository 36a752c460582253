package sqlite

import (
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// refs are the reference rows of the draft by key: those of the snapshot, as the
// import has changed them so far.
type refs struct {
	settings map[any]panel.Setting

	categories basket.Categories

	products map[any]basket.Product
	cities   map[any]basket.City
	banners  map[any]basket.Banner
	stores   map[any]panel.Store
	listings map[any]panel.Listing
}

func readRefs(c *conn) refs {
	return refs{
		settings.byKey(c), categories.read(c), products.byKey(c), cities.byKey(c), banners.byKey(c), stores.byKey(c),
		listings.byKey(c),
	}
}

// places are the keys of the rows that a row refers to. A zero key refers to none.
type places struct {
	product        int64
	banner, city   string
	listing, store int64
}

// missing is a row that another refers to, and that is not there.
type missing struct {
	column, what, file string
	id                 any
}

// missing returns the first row that is not there, or nil.
func (r *refs) missing(p places) *missing {
	switch {
	case lacks(r.products, p.product):
		return &missing{"product_id", "product", "products.csv", p.product}
	case lacks(r.banners, p.banner):
		return &missing{"banner", "banner", "banners.csv", p.banner}
	case lacks(r.cities, p.city):
		return &missing{"city", "city", "cities.csv", p.city}
	case lacks(r.listings, p.listing):
		return &missing{"retailer_product_id", "retailer product", "retailer_products.csv", p.listing}
	case lacks(r.stores, p.store):
		return &missing{"store_id", "store", "stores.csv", p.store}
	}
	return nil
}

// lacks reports whether a map lacks a key that is not zero.
func lacks[K comparable, V any](known map[any]V, key K) bool {
	_, there := known[key]
	return !there && key != *new(K)
}

// need refuses a row that refers to what is not there.
func (r *refs) need(p places) error {
	if m := r.missing(p); m != nil {
		return refuse("%s: no %s %#v in %s or in the snapshot", m.column, m.what, m.id, m.file)
	}
	return nil
}

// observation returns the listing and the store of an observation. An unknown id is a refusal.
func (r *refs) observation(c *conn, id int64) (listing, store int64, err error) {
	c.each(`SELECT l.retailer_product_id, o.store_id FROM observations AS o
		JOIN labels AS l ON l.id = o.label_id WHERE o.id = ?`, func(r row) { listing, store = r.int(0), r.int(1) }, id)
	if listing == 0 {
		err = refuse("observation %d is neither in observations.csv nor in the snapshot", id)
	}
	return listing, store, err
}

func (r *refs) checkCity(v, _ *basket.City) error {
	for _, other := range r.cities {
		if other.Name == v.Name && other.Slug != v.Slug {
			return refuse("name: %q is the name of %s; a display name is for one city", v.Name, other.Slug)
		}
	}
	return nil
}

func (r *refs) checkStore(v, was *panel.Store) error {
	if err := r.need(places{banner: v.Banner, city: v.City}); err != nil {
		return err
	}
	if was != nil && was.Banner != v.Banner {
		const format = "banner: store %d is of %q and can't become %q; give the new store an id of its own"
		return refuse(format, v.ID, was.Banner, v.Banner)
	}
	return nil
}

func (r *refs) checkListing(v, was *panel.Listing) error {
	if err := r.need(places{product: v.ProductID, banner: v.Banner}); err != nil {
		return err
	}
	if was != nil && was.Banner != v.Banner {
		const format = "banner: retailer product %d is of %q and can't become %q; give the new one an id of its own"
		return refuse(format, v.ID, was.Banner, v.Banner)
	}
	return nil
}

func (r *refs) checkProduct(v, _ *basket.Product) error {
	if err := r.categories.Check(v.Category); err != nil {
		return refuse("category: %s", err)
	}
	return nil
}

func (r *refs) checkPilot(v, _ *panel.PilotRow) error {
	if v.Category != "" && r.categories.Check(v.Category) != nil {
		return refuse("category: %s is no category; it needs one of %s, or is empty for the headline",
			record.Quote(v.Category), strings.Join(r.categories.Slugs(), ", "))
	}
	err := r.need(places{banner: v.Banner, city: v.City})
	if err != nil && r.need(places{banner: v.Banner}) == nil {
		err = refuse("%s; index_v1.csv names cities by slug", err)
	}
	return err
}
