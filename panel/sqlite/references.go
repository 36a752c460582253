package sqlite

import (
	"fmt"
	"reflect"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// refs are the reference rows of the draft: those of the snapshot, as the
// import has changed them so far.
type refs struct {
	settings map[string]panel.Setting
	products map[int]basket.Product
	cities   map[string]basket.City
	banners  map[string]basket.Banner
	stores   map[int64]panel.Store
	listings map[int64]panel.Listing
	specs    map[int]basket.Spec

	lost     map[lostKey]bool // the rejected rows of the folder's files
	lostRows idSet            // the rejected observations
}

// lostKey is the key of a row in a file.
type lostKey struct {
	file string
	key  any
}

// lose notes that a row was rejected, so that rows that refer to it can say so.
func (r *refs) lose(file string, key any) { r.lost[lostKey{file, key}] = true }

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
func productKey(p *basket.Product) int   { return p.ID }
func cityKey(c *basket.City) string      { return c.Slug }
func bannerKey(b *basket.Banner) string  { return b.Key }
func storeKey(s *panel.Store) int64      { return s.ID }
func listingKey(m *panel.Listing) int64  { return m.ID }
func specKey(s *basket.Spec) int         { return s.ProductID }

// need returns the row that a column refers to, or a refusal.
func need[K comparable, V any](r *refs, known map[K]V, id K, column, what, file string) (V, error) {
	v, ok := known[id]
	if ok {
		return v, nil
	}
	err := refuse("%s: no %s %#v in %s or in the snapshot", column, what, id, file)
	if r.lost[lostKey{file, id}] {
		err = followed(err.Error())
	}
	return v, err
}

// observation returns the listing and the store of an observation. An unknown id
// is a refusal.
func (r *refs) observation(c *conn, id int64) (listing, store int64, err error) {
	listing, store, err = findObservation(c, id)
	if err != nil && r.lostRows.has(id) {
		err = followed(err.Error())
	}
	return listing, store, err
}

func (r *refs) product(id int) error {
	_, err := need(r, r.products, id, "product_id", "product", "products.csv")
	return err
}

func (r *refs) banner(key string) error {
	_, err := need(r, r.banners, key, "banner", "banner", "banners.csv")
	return err
}

func (r *refs) city(slug string) error {
	_, err := need(r, r.cities, slug, "city", "city", "cities.csv")
	return err
}

func (r *refs) listing(id int64) (panel.Listing, error) {
	return need(r, r.listings, id, "retailer_product_id", "retailer product", "retailer_products.csv")
}

func (r *refs) store(id int64) (panel.Store, error) {
	return need(r, r.stores, id, "store_id", "store", "stores.csv")
}

// upsert imports a reference table: new rows are added, rows with other values
// replaced. check, if set, refuses a row; old is nil for a new one.
func upsert[T any, K comparable](im *importer, t *table[T], known map[K]T, key func(*T) K, check func(v, old *T) error) error {
	again := func(k K) error {
		return refuse("%s %v stands in the file before: %s", t.columns[0].Name, k, keepOne)
	}
	return takeRows(im, t, known, key, again, func(v, old *T) (*T, error) {
		if check != nil {
			if err := check(v, old); err != nil {
				return nil, err
			}
		}
		if old != nil && reflect.DeepEqual(*old, *v) {
			return nil, nil
		}
		return v, nil
	})
}

// settings is stricter than the other tables: a setting holds for every number, so a
// bad one ends the import instead of leaving a default in its place.
func (im *importer) settings() error {
	err := upsert(im, settings, im.refs.settings, settingKey, func(v, _ *panel.Setting) error {
		if err := v.Check(); err != nil {
			return refusal(err.Error())
		}
		return nil
	})
	if err == nil && len(im.summary.First) > 0 {
		bad := im.summary.First[0]
		err = fmt.Errorf("sqlite: nothing imported: %s, line %d: %s", bad.File, bad.Line, bad.Reason)
	}
	return err
}

func (im *importer) products() error {
	return upsert(im, products, im.refs.products, productKey, nil)
}

func (im *importer) cities() error {
	return upsert(im, cities, im.refs.cities, cityKey, func(v, _ *basket.City) error {
		for _, other := range im.refs.cities {
			if other.Name == v.Name && other.Slug != v.Slug {
				return refuse("name: %q is the name of %s; a display name is for one city", v.Name, other.Slug)
			}
		}
		return nil
	})
}

func (im *importer) banners() error {
	return upsert(im, banners, im.refs.banners, bannerKey, nil)
}

func (im *importer) stores() error {
	return upsert(im, stores, im.refs.stores, storeKey, func(v, old *panel.Store) error {
		if err := im.refs.banner(v.Banner); err != nil {
			return err
		}
		if err := im.refs.city(v.City); err != nil {
			return err
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: store %d is of %q and can't become %q; give the new store an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	})
}

func (im *importer) listings() error {
	return upsert(im, listings, im.refs.listings, listingKey, func(v, old *panel.Listing) error {
		if err := im.refs.product(v.ProductID); err != nil {
			return err
		}
		if err := im.refs.banner(v.Banner); err != nil {
			return err
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: retailer product %d is of %q and can't become %q; give the new one an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	})
}

func (im *importer) specs() error {
	return upsert(im, specs, im.refs.specs, specKey, func(v, _ *basket.Spec) error {
		return im.refs.product(v.ProductID)
	})
}
