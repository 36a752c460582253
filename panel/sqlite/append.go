package sqlite

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// takeRows imports a small table. known are the rows so far; nil: those of the table. check
// refuses a row; was is the known row with its key, or nil. merge returns the row to store in the
// place of a known one, or nil to leave that.
func takeRows[T any, K comparable](im *importer, t *table[T], known map[K]T, key func(*T) K, check func(v, was *T) error,
	merge func(was, v *T) (*T, error)) error {
	if slices.Contains(seldom, t.name) && !im.dir.Has(t.file) {
		return nil
	}
	again := func(k K) error { return refuse("%s %v stands in the file before: %s", t.columns[0].Name, k, keepOne) }
	if known == nil {
		r := &reader{conn: im.conn}
		if known = readMap(r, t, key); r.err != nil {
			return r.err
		}
		again = func(K) error { return refuse("the file has a row with the same key before: %s", keepOne) }
	}
	put, err := t.writer(im.conn)
	if err != nil {
		return err
	}
	seen := map[K]bool{}
	lost := func(v *T) { im.refs.lost[lostKey{t.file.FileName(), key(v)}] = true }
	return eachRow(im, t.file, t.name, lost, func(c *Counts, v *T) error {
		k := key(v)
		if seen[k] {
			return again(k)
		}
		var was *T
		if old, ok := known[k]; ok {
			was = &old
		}
		err := check(v, was)
		if err == nil && was != nil {
			v, err = merge(was, v)
		}
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

// keep is the merge of tables whose rows are never changed.
func keep[T any](was, v *T) (*T, error) {
	if !reflect.DeepEqual(*was, *v) {
		return nil, refuse("the snapshot has this row with other values; rows of this file are never overwritten")
	}
	return nil, nil
}

// replace is the merge of tables whose rows are brought up to date.
func replace[T any](was, v *T) (*T, error) {
	if reflect.DeepEqual(*was, *v) {
		return nil, nil
	}
	return v, nil
}

// anyRow is the check of tables whose rows are all right.
func anyRow[T any](_, _ *T) error { return nil }

func (im *importer) shrinkEvents() error {
	key := func(e *panel.ShrinkEvent) int64 { return e.ID }
	return takeRows(im, shrinkEvents, nil, key, func(e, _ *panel.ShrinkEvent) error {
		if err := im.refs.need(places{listing: e.Listing}); err != nil {
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
	}, func(was, e *panel.ShrinkEvent) (*panel.ShrinkEvent, error) {
		e.Detected = was.Detected
		return keep(was, e)
	})
}

func (im *importer) pilot() error {
	key := func(r *panel.PilotRow) panel.PilotRow {
		return panel.PilotRow{Date: r.Date, City: r.City, Banner: r.Banner, Category: r.Category}
	}
	return takeRows(im, pilot, nil, key, func(r, _ *panel.PilotRow) error {
		err := im.refs.need(places{banner: r.Banner, city: r.City})
		if err != nil && im.refs.need(places{banner: r.Banner}) == nil {
			err = refuse("%s; index_v1.csv names cities by slug", err)
		}
		return err
	}, keep)
}

// annotations imports the events that charts mark. A row takes the place of the one of
// its date and series.
func (im *importer) annotations() error {
	r := &reader{conn: im.conn}
	cities, indexBanners := readAll(r, cities), []string{}
	for _, b := range readAll(r, banners) {
		if b.InIndex {
			indexBanners = append(indexBanners, b.Key)
		}
	}
	if r.err != nil {
		return r.err
	}
	key := func(a *panel.Annotation) panel.Annotation { return panel.Annotation{Date: a.Date, Series: a.Series} }
	return takeRows(im, annotations, nil, key, func(a, _ *panel.Annotation) error {
		if a.Series == "" {
			return nil
		}
		if _, _, _, err := panel.ParseSeries(a.Series, cities, indexBanners); err != nil {
			return refuse("series: %s", err)
		}
		return nil
	}, replace)
}

// words imports words of titles. A row takes the place of the one of its word and item.
func (im *importer) words() error {
	key := func(w *basket.Word) string { return fmt.Sprint(w.Product, w.Text) }
	return takeRows(im, words, nil, key, func(w, _ *basket.Word) error { return im.refs.need(places{product: w.Product}) }, replace)
}

func (im *importer) matches() error {
	key := func(m *panel.Match) panel.Match { return panel.Match{Listing: m.Listing, At: m.At} }
	return takeRows(im, matches, nil, key, func(m, _ *panel.Match) error { return im.refs.need(places{listing: m.Listing}) }, keep)
}
