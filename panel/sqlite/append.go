package sqlite

import (
	"reflect"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// appendOnly imports a small table whose rows are added and never changed.
func appendOnly[T any, K comparable](im *importer, t *table[T], file *csvdir.Table[T],
	key func(*T) K, check func(v *T) error) error {
	return appendRows(im, t, file, key, check, func(was, v *T) (*T, error) {
		if !reflect.DeepEqual(*was, *v) {
			return nil, refuse("the snapshot has this row with other values; rows of this file are never overwritten")
		}
		return nil, nil
	})
}

// appendRows imports a small table whose rows are added. merge decides on a row
// with the key of a stored one: it returns the row to store in its place, or nil
// to leave it.
func appendRows[T any, K comparable](im *importer, t *table[T], file *csvdir.Table[T],
	key func(*T) K, check func(v *T) error, merge func(was, v *T) (*T, error)) error {
	var known map[K]T
	if err := loadMap(im.conn, t, &known, key); err != nil {
		return err
	}
	put, err := t.writer(im.conn)
	if err != nil {
		return err
	}
	seen := map[K]bool{}
	return eachRow(im, t.name, file, func(c *Counts, v *T) error {
		k := key(v)
		if seen[k] {
			return refuse("the file has a row with the same key before: %s", keepOne)
		}
		if err := check(v); err != nil {
			return err
		}
		was, exists := known[k]
		if !exists {
			seen[k] = true
			c.Added++
			return put(v)
		}
		merged, err := merge(&was, v)
		if err != nil {
			return err
		}
		seen[k] = true
		if merged == nil {
			c.Unchanged++
			return nil
		}
		c.Updated++
		return put(merged)
	})
}

func (im *importer) shrinkEvents() error {
	key := func(e *panel.ShrinkEvent) int64 { return e.ID }
	return appendOnly(im, shrinkEvents, csvdir.ShrinkEvents, key, func(e *panel.ShrinkEvent) error {
		if _, err := im.needListing(e.Listing); err != nil {
			return err
		}
		for _, id := range e.Observations {
			listing, _, err := im.observation(id)
			if err != nil {
				return err
			}
			if listing != e.Listing {
				return refuse("observation_ids: observation %d is of retailer product %d", id, listing)
			}
		}
		return nil
	})
}

// observation finds the listing and the store of an observation in the draft.
func (im *importer) observation(id int64) (listing, store int64, err error) {
	err = im.conn.each("SELECT l.retailer_product_id, o.store_id FROM observations AS o JOIN labels AS l ON l.id = o.label_id WHERE o.id = ?", func(r row) error {
		listing, store = r.int(0), r.int(1)
		return nil
	}, id)
	if err == nil && listing == 0 {
		err = refuse("observation %d is neither in observations.csv nor in the snapshot", id)
	}
	return listing, store, err
}

func (im *importer) pilot() error {
	type pilotKey struct {
		date         panel.Week
		city, banner string
		category     uint8
	}
	key := func(r *panel.PilotRow) pilotKey { return pilotKey{r.Date, r.City, r.Banner, uint8(r.Category)} }
	return appendOnly(im, pilot, csvdir.Pilot, key, func(r *panel.PilotRow) error {
		if r.Banner != "" {
			if err := im.needBanner(r.Banner); err != nil {
				return err
			}
		}
		if _, ok := im.refs.cities[r.City]; r.City != "" && !ok {
			return refuse("city: no city %q in cities.csv or in the snapshot; index_v1.csv names cities by slug", r.City)
		}
		return nil
	})
}
