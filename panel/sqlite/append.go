package sqlite

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// takeRows imports a small table. take gets a row and the known row with its key, or nil, and returns the
// row to store, or nil to leave the known one. again is the refusal of a second row with a key.
func takeRows[T any, K comparable](im *importer, t *table[T], known map[K]T, key func(*T) K,
	again func(K) error, take func(v, was *T) (*T, error)) error {
	put, err := t.writer(im.conn)
	if err != nil {
		return err
	}
	seen := map[K]bool{}
	lost := func(v *T) { im.refs.lose(t.file.FileName(), key(v)) }
	return eachRow(im, t.file, t.name, lost, func(c *Counts, v *T) error {
		k := key(v)
		if seen[k] {
			return again(k)
		}
		var was *T
		if old, ok := known[k]; ok {
			was = &old
		}
		v, err := take(v, was)
		if err != nil {
			return err
		}
		seen[k] = true
		switch {
		case v == nil:
			c.Unchanged++
			return nil
		case was != nil:
			c.Updated++
		default:
			c.Added++
		}
		known[k] = *v
		return put(v)
	})
}

const keepOne = "keep one of the rows"

// appendRows imports a small table whose rows are added. merge decides on a row
// with the key of a stored one, as in takeRows.
func appendRows[T any, K comparable](im *importer, t *table[T], key func(*T) K, check func(v *T) error,
	merge func(was, v *T) (*T, error)) error {
	r := &reader{conn: im.conn}
	known := readMap(r, t, key)
	if r.err != nil {
		return r.err
	}
	again := func(K) error { return refuse("the file has a row with the same key before: %s", keepOne) }
	return takeRows(im, t, known, key, again, func(v, was *T) (*T, error) {
		if err := check(v); err != nil || was == nil {
			return v, err
		}
		return merge(was, v)
	})
}

// keep is the merge of tables whose rows are never changed.
func keep[T any](was, v *T) (*T, error) {
	if !reflect.DeepEqual(*was, *v) {
		return nil, refuse("the snapshot has this row with other values; rows of this file are never overwritten")
	}
	return nil, nil
}

func (im *importer) shrinkEvents() error {
	key := func(e *panel.ShrinkEvent) int64 { return e.ID }
	return appendRows(im, shrinkEvents, key, func(e *panel.ShrinkEvent) error {
		if _, err := im.refs.listing(e.Listing); err != nil {
			return err
		}
		for _, id := range e.Observations {
			listing, _, err := im.refs.observation(im.conn, id)
			if err != nil {
				return err
			}
			if listing != e.Listing {
				return refuse("observation_ids: observation %d is of retailer product %d", id, listing)
			}
		}
		return nil
	}, keep)
}

// findObservation returns the listing and the store of an observation. An unknown
// id is a refusal.
func findObservation(c *conn, id int64) (listing, store int64, err error) {
	err = c.each("SELECT l.retailer_product_id, o.store_id FROM observations AS o JOIN labels AS l ON l.id = o.label_id WHERE o.id = ?", func(r row) error {
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
	return appendRows(im, pilot, key, func(r *panel.PilotRow) error {
		if r.Banner != "" {
			if err := im.refs.banner(r.Banner); err != nil {
				return err
			}
		}
		if r.City == "" {
			return nil
		}
		if err := im.refs.city(r.City); err != nil {
			return refuse("%s; index_v1.csv names cities by slug", err)
		}
		return nil
	}, keep)
}

// annotations imports the events that charts mark. A row takes the place of the one of
// its date and series.
func (im *importer) annotations() error {
	if !im.dir.Has(csvdir.Annotations) {
		return nil
	}
	if err := im.conn.exec(additions); err != nil {
		return fmt.Errorf("sqlite: schema: %w", err)
	}
	type annotationKey struct {
		date   panel.Date
		series string
	}
	cities := slices.SortedFunc(maps.Values(im.refs.cities), func(a, b basket.City) int { return strings.Compare(a.Slug, b.Slug) })
	var indexBanners []string
	for _, b := range im.refs.banners {
		if b.InIndex {
			indexBanners = append(indexBanners, b.Key)
		}
	}
	slices.Sort(indexBanners)
	key := func(a *panel.Annotation) annotationKey { return annotationKey{a.Date, a.Series} }
	return appendRows(im, annotations, key, func(a *panel.Annotation) error {
		if a.Series == "" {
			return nil
		}
		if _, _, _, err := panel.ParseSeries(a.Series, cities, indexBanners); err != nil {
			return refuse("series: %s", err)
		}
		return nil
	}, func(was, v *panel.Annotation) (*panel.Annotation, error) {
		if *was == *v {
			return nil, nil
		}
		return v, nil
	})
}
