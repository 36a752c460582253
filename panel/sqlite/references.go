package sqlite

import (
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// refs are the reference rows of the draft: those of the snapshot, as the
// import has changed them so far.
type refs struct {
	settings map[string]panel.Setting
	products map[int64]basket.Product
	cities   map[string]basket.City
	banners  map[string]basket.Banner
	stores   map[int64]panel.Store
	listings map[int64]panel.Listing
	specs    map[int64]basket.Spec

	lost     map[lostKey]bool // the rejected rows of the folder's files
	lostRows idSet            // the rejected observations
}

// lostKey is the key of a row in a file.
type lostKey struct {
	file string
	key  any
}

func readRefs(c *conn) (refs, error) {
	r := &reader{conn: c}
	all := refs{
		settings: readMap(r, settings, settingKey),
		products: readMap(r, products, productKey),
		cities:   readMap(r, cities, cityKey),
		banners:  readMap(r, banners, bannerKey),
		stores:   readMap(r, stores, storeKey),
		listings: readMap(r, listings, listingKey),
		specs:    readMap(r, specs, specKey),
		lost:     map[lostKey]bool{},
		lostRows: idSet{},
	}
	return all, r.err
}

func settingKey(s *panel.Setting) string { return s.Key }
func productKey(p *basket.Product) int64 { return p.ID }
func cityKey(c *basket.City) string      { return c.Slug }
func bannerKey(b *basket.Banner) string  { return b.Key }
func storeKey(s *panel.Store) int64      { return s.ID }
func listingKey(m *panel.Listing) int64  { return m.ID }
func specKey(s *basket.Spec) int64       { return s.ProductID }

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

// need refuses a row that refers to what is not there.
func (r *refs) need(p places) error {
	if m := r.missing(p); m != nil {
		err := refuse("%s: no %s %#v in %s or in the snapshot", m.column, m.what, m.id, m.file)
		if r.lost[lostKey{m.file, m.id}] {
			err = refusal{err.Error(), true}
		}
		return err
	}
	return nil
}

// observation returns the listing and the store of an observation. An unknown id is a refusal.
func (r *refs) observation(c *conn, id int64) (listing, store int64, err error) {
	err = c.each("SELECT l.retailer_product_id, o.store_id FROM observations AS o JOIN labels AS l ON l.id = o.label_id WHERE o.id = ?", func(r row) error {
		listing, store = r.int(0), r.int(1)
		return nil
	}, id)
	if err == nil && listing == 0 {
		err = refuse("observation %d is neither in observations.csv nor in the snapshot", id)
		if r.lostRows.has(id) {
			err = refusal{err.Error(), true}
		}
	}
	return listing, store, err
}

// lacks reports whether a map lacks a key that is not zero.
func lacks[K comparable, V any](known map[K]V, key K) bool {
	_, there := known[key]
	return !there && key != *new(K)
}

// settings is stricter than the other tables: a setting holds for every number, so a
// bad one ends the import instead of leaving a default in its place.
func (im *importer) settings() error {
	err := takeRows(im, settings, im.refs.settings, settingKey, func(v, _ *panel.Setting) error {
		if err := v.Check(); err != nil {
			return refuse("%s", err)
		}
		return nil
	}, replace)
	if err == nil && len(im.summary.Reasons) > 0 {
		bad := im.summary.Reasons[0].First
		err = fmt.Errorf("sqlite: nothing imported: %s, line %d: %s", bad.File, bad.Line, bad.Reason)
	}
	return err
}

func (im *importer) products() error {
	return takeRows(im, products, im.refs.products, productKey, anyRow, replace)
}

func (im *importer) cities() error {
	return takeRows(im, cities, im.refs.cities, cityKey, func(v, _ *basket.City) error {
		for _, other := range im.refs.cities {
			if other.Name == v.Name && other.Slug != v.Slug {
				return refuse("name: %q is the name of %s; a display name is for one city", v.Name, other.Slug)
			}
		}
		return nil
	}, replace)
}

func (im *importer) banners() error {
	return takeRows(im, banners, im.refs.banners, bannerKey, anyRow, replace)
}

func (im *importer) stores() error {
	return takeRows(im, stores, im.refs.stores, storeKey, func(v, old *panel.Store) error {
		if err := im.refs.need(places{banner: v.Banner, city: v.City}); err != nil {
			return err
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: store %d is of %q and can't become %q; give the new store an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	}, replace)
}

func (im *importer) listings() error {
	return takeRows(im, listings, im.refs.listings, listingKey, func(v, old *panel.Listing) error {
		if err := im.refs.need(places{product: v.ProductID, banner: v.Banner}); err != nil {
			return err
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: retailer product %d is of %q and can't become %q; give the new one an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	}, replace)
}

func (im *importer) specs() error {
	return takeRows(im, specs, im.refs.specs, specKey, func(v, _ *basket.Spec) error {
		return im.refs.need(places{product: v.ProductID})
	}, replace)
}
