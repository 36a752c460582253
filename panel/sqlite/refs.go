package sqlite

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
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
}

func (r *refs) load(c *conn) error {
	return errors.Join(
		loadMap(c, settings, &r.settings, settingKey),
		loadMap(c, products, &r.products, productKey),
		loadMap(c, cities, &r.cities, cityKey),
		loadMap(c, banners, &r.banners, bannerKey),
		loadMap(c, stores, &r.stores, storeKey),
		loadMap(c, listings, &r.listings, listingKey),
		loadMap(c, specs, &r.specs, specKey),
	)
}

// loadMap reads a table into a map by key.
func loadMap[T any, K comparable](c *conn, t *table[T], m *map[K]T, key func(*T) K) error {
	list, err := t.read(c)
	*m = make(map[K]T, len(list))
	for i := range list {
		(*m)[key(&list[i])] = list[i]
	}
	return err
}

func settingKey(s *panel.Setting) string { return s.Key }
func productKey(p *basket.Product) int   { return p.ID }
func cityKey(c *basket.City) string      { return c.Slug }
func bannerKey(b *basket.Banner) string  { return b.Key }
func storeKey(s *panel.Store) int64      { return s.ID }
func listingKey(m *panel.Listing) int64  { return m.ID }
func specKey(s *basket.Spec) int         { return s.ProductID }

// upsert imports a reference table: new rows are added, rows with other values
// replaced. check refuses a row; old is nil for a new one.
func upsert[T any, K comparable](im *importer, t *table[T], file *csvdir.Table[T], known map[K]T,
	key func(*T) K, check func(v, old *T) error) error {
	put, err := t.writer(im.conn)
	if err != nil {
		return err
	}
	seen := map[K]bool{}
	return eachRow(im, t.name, file, func(c *Counts, v *T) error {
		k := key(v)
		if seen[k] {
			return refuse("%s %v stands in the file before: %s", t.columns[0].Name, k, keepOne)
		}
		was, exists := known[k]
		var old *T
		if exists {
			old = &was
		}
		if check != nil {
			if err := check(v, old); err != nil {
				return err
			}
		}
		seen[k] = true
		if exists && reflect.DeepEqual(was, *v) {
			c.Unchanged++
			return nil
		}
		if exists {
			c.Updated++
		} else {
			c.Added++
		}
		known[k] = *v
		return put(v)
	})
}

const keepOne = "keep one of the rows"

// settings is stricter than the other tables: one setting governs every
// number, so a bad one ends the import instead of leaving a default in its
// place.
func (im *importer) settings() error {
	err := upsert(im, settings, csvdir.Settings, im.refs.settings, settingKey, func(v, _ *panel.Setting) error {
		if v.Key != keyBaseWeek {
			return refuse("key: %q is unknown; known is %s", v.Key, keyBaseWeek)
		}
		week, err := panel.ParseWeek(v.Value)
		if err != nil {
			return refuse("value: %s needs a Sunday written YYYY-MM-DD: %v", keyBaseWeek, err)
		}
		if year := week.Date().Time(time.UTC).Year(); year < panel.FirstYear || year > panel.LastYear {
			return refuse("value: %s %s is not in the years %d to %d", keyBaseWeek, week, panel.FirstYear, panel.LastYear)
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
	return upsert(im, products, csvdir.Products, im.refs.products, productKey, nil)
}

func (im *importer) cities() error {
	names, err := im.cityNames()
	if err != nil {
		return err
	}
	return upsert(im, cities, csvdir.Cities, im.refs.cities, cityKey, func(v, _ *basket.City) error {
		if other := names[v.Name]; other != v.Slug {
			return refuse("name: %q is the name of %s; a display name is for one city", v.Name, other)
		}
		return nil
	})
}

func (im *importer) banners() error {
	return upsert(im, banners, csvdir.Banners, im.refs.banners, bannerKey, nil)
}

func (im *importer) stores() error {
	return upsert(im, stores, csvdir.Stores, im.refs.stores, storeKey, func(v, old *panel.Store) error {
		if err := im.needBanner(v.Banner); err != nil {
			return err
		}
		if _, ok := im.refs.cities[v.City]; !ok {
			return refuse("city: no city %q in cities.csv or in the snapshot", v.City)
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: store %d is of %q and can't become %q; give the new store an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	})
}

func (im *importer) listings() error {
	return upsert(im, listings, csvdir.Listings, im.refs.listings, listingKey, func(v, old *panel.Listing) error {
		if err := im.needProduct(v.ProductID); err != nil {
			return err
		}
		if err := im.needBanner(v.Banner); err != nil {
			return err
		}
		if old != nil && old.Banner != v.Banner {
			return refuse("banner: retailer product %d is of %q and can't become %q; give the new one an id of its own", v.ID, old.Banner, v.Banner)
		}
		return nil
	})
}

func (im *importer) specs() error {
	return upsert(im, specs, csvdir.Specs, im.refs.specs, specKey, func(v, _ *basket.Spec) error {
		return im.needProduct(v.ProductID)
	})
}

func (im *importer) needProduct(id int) error {
	if _, ok := im.refs.products[id]; !ok {
		return refuse("product_id: no product %d in products.csv or in the snapshot", id)
	}
	return nil
}

func (im *importer) needBanner(key string) error {
	if _, ok := im.refs.banners[key]; !ok {
		return refuse("banner: no banner %q in banners.csv or in the snapshot", key)
	}
	return nil
}

func (im *importer) needListing(id int64) (panel.Listing, error) {
	m, ok := im.refs.listings[id]
	if !ok {
		return m, refuse("retailer_product_id: no retailer product %d in retailer_products.csv or in the snapshot", id)
	}
	return m, nil
}

func (im *importer) needStore(id int64) (panel.Store, error) {
	s, ok := im.refs.stores[id]
	if !ok {
		return s, refuse("store_id: no store %d in stores.csv or in the snapshot", id)
	}
	return s, nil
}
