package sqlite

import (
	"reflect"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// appendOnly imports a small table whose rows are added and never changed.
func appendOnly[T any, K comparable](im *importer, t *table[T], file *csvdir.Table[T],
	key func(*T) K, check func(v *T) error) error {
	var known map[K]T
	if err := loadMap(im.conn, t, &known, key); err != nil {
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
		seen[k] = true
		if was, exists := known[k]; exists {
			if !reflect.DeepEqual(was, *v) {
				return refuse("the snapshot has this row with other values; rows of this file are never overwritten")
			}
			c.Unchanged++
			return nil
		}
		c.Added++
		return t.put(im.conn, v)
	})
}

type quarantineKey struct {
	mapping, store, observation int64
	rule                        panel.QuarantineRule
}

func (im *importer) quarantine() error {
	key := func(q *panel.Quarantine) quarantineKey {
		return quarantineKey{q.Mapping, q.Store, q.Observation, q.Rule}
	}
	return appendOnly(im, quarantine, csvdir.QuarantineEntries, key, func(q *panel.Quarantine) error {
		m, err := im.needMapping(q.Mapping)
		if err != nil {
			return err
		}
		if q.Store != 0 {
			s, err := im.needStore(q.Store)
			if err != nil {
				return err
			}
			if s.Banner != m.Banner {
				return refuse("store_id: store %d is of banner %q, retailer product %d of %q", s.ID, s.Banner, m.ID, m.Banner)
			}
		}
		if q.Observation == 0 {
			return nil
		}
		mapping, store, err := im.observation(q.Observation)
		if err == nil && (mapping != q.Mapping || q.Store != 0 && store != q.Store) {
			err = refuse("observation_id: observation %d is of retailer product %d at store %d", q.Observation, mapping, store)
		}
		return err
	})
}

func (im *importer) shrinkEvents() error {
	key := func(e *panel.ShrinkEvent) int64 { return e.ID }
	return appendOnly(im, shrinkEvents, csvdir.ShrinkEvents, key, func(e *panel.ShrinkEvent) error {
		if _, err := im.needMapping(e.Mapping); err != nil {
			return err
		}
		for _, id := range e.Observations {
			mapping, _, err := im.observation(id)
			if err != nil {
				return err
			}
			if mapping != e.Mapping {
				return refuse("observation_ids: observation %d is of retailer product %d", id, mapping)
			}
		}
		return nil
	})
}

// observation finds the mapping and the store of an observation in the draft.
func (im *importer) observation(id int64) (mapping, store int64, err error) {
	err = im.conn.each("SELECT retailer_product_id, store_id FROM observations WHERE id = ?", func(r row) error {
		mapping, store = r.int(0), r.int(1)
		return nil
	}, id)
	if err == nil && mapping == 0 {
		err = refuse("observation %d is neither in observations.csv nor in the snapshot", id)
	}
	return mapping, store, err
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
