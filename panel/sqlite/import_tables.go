package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// steps are the steps of an import, in an order in which rows refer to earlier ones.
func (im *importer) steps() []func() error {
	r := &im.refs
	ofSpec := func(s, _ *basket.Spec) error { return r.need(places{product: s.ProductID}) }
	ofWord := func(w, _ *basket.Word) error { return r.need(places{product: w.Product}) }
	ofMatch := func(m, _ *panel.Match) error { return r.need(places{listing: m.Listing}) }
	return []func() error{
		im.settings,
		im.categories,
		func() error { return takeRows(im, products, r.products, r.checkProduct, replace) },
		func() error { return takeRows(im, cities, r.cities, r.checkCity, replace) },
		func() error { return takeRows(im, banners, r.banners, nil, replace) },
		func() error { return takeRows(im, stores, r.stores, r.checkStore, replace) },
		func() error { return takeRows(im, listings, r.listings, r.checkListing, replace) },
		im.observations,
		func() error { return takeRows(im, specs, nil, ofSpec, replace) },
		func() error { return takeRows(im, quarantine, nil, im.checkFileEntry, mergeEntry) },
		func() error { return takeRows(im, shrinkEvents, nil, im.checkEvent, keepEvent) },
		func() error { return takeRows(im, pilot, nil, r.checkPilot, keep) },
		func() error { return takeRows(im, words, nil, ofWord, replace) },
		func() error { return takeRows(im, matches, nil, ofMatch, keep) },
		im.keepCategories,
	}
}

const keepOne = "keep one of the rows"

// takeRows imports a small table. known are the rows so far; nil: those of the table. check
// refuses a row, nil none; was is the known row with its key, or nil. merge returns the row to store in the
// place of a known one, or nil to leave that.
func takeRows[T any](im *importer, t *table[T], known map[any]T, check func(v, was *T) error,
	merge func(was, v *T) (*T, error)) error {
	if slices.Contains(seldom, t.name) && !im.dir.Has(t.file) {
		return nil
	}
	again := func(k any) error { return refuse("%s %v stands in the file before: %s", t.columns[0].Name, k, keepOne) }
	if known == nil {
		known = t.byKey(im.conn)
		again = func(any) error { return refuse("the file has a row with the same key before: %s", keepOne) }
	}
	put, seen := t.writer(im.conn), map[any]bool{}
	return eachRow(im, t, func(c *Counts, v *T) error {
		k := t.key(v)
		if seen[k] {
			return again(k)
		}
		var was *T
		if old, ok := known[k]; ok {
			was = &old
		}
		var err error
		if check != nil {
			err = check(v, was)
		}
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
		put(v)
		return nil
	})
}

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

// settings is stricter than the other tables: a setting holds for every number, so a
// bad one ends the import instead of leaving a default in its place.
func (im *importer) settings() error {
	before := len(im.summary.Reasons)
	err := takeRows(im, settings, im.refs.settings, func(v, _ *panel.Setting) error {
		if err := v.Check(); err != nil {
			return refuse("%s", err)
		}
		return nil
	}, replace)
	return cmp.Or(err, im.endAtReject(before))
}

// endAtReject returns an error for the first reject after those of before, if there is one.
func (im *importer) endAtReject(before int) error {
	if len(im.summary.Reasons) <= before {
		return nil
	}
	bad := im.summary.Reasons[before].First
	return fmt.Errorf("sqlite: nothing imported: %s, line %d: %s", bad.File, bad.Line, bad.Reason)
}

// categories takes the list of the file, if it is there, in the place of the one before. It is as strict as
// settings, for the same reason.
func (im *importer) categories() error {
	if !im.dir.Has(categories.file) {
		return nil
	}
	list, before := basket.Categories{}, len(im.summary.Reasons)
	err := takeRows(im, categories, nil, func(c, _ *basket.NamedCategory) error {
		list = append(list, *c)
		return nil
	}, replace)
	if err = cmp.Or(err, im.endAtReject(before)); err != nil || slices.Equal(list, im.refs.categories) {
		return err
	}
	if err := list.Validate(); err != nil {
		return fmt.Errorf("sqlite: nothing imported: categories.csv: %w", err)
	}
	im.conn.exec("DELETE FROM categories")
	put := categories.insert(im.conn)
	for i := range list {
		put(&list[i])
	}
	im.refs.categories, im.settled = list, true
	return nil
}

// keepCategories refuses a list that lacks a category of stored rows.
func (im *importer) keepCategories() error {
	if !im.dir.Has(categories.file) {
		return nil
	}
	addReferences(im.conn, panel.NewBuilder(0))
	if refused, ok := errors.AsType[*panel.RecordError](im.conn.err); ok {
		im.conn.err = fmt.Errorf("sqlite: nothing imported: categories.csv lacks a category in use: %w", refused)
	}
	return nil
}

// observations imports observations.csv. A row without an id gets the next one above
// the largest so far.
func (im *importer) observations() error {
	w, divided := newObservationWriter(im.conn, im.opts.Correct, im.opts.Now), map[shelf]shelf{}
	err := eachRow(im, observations, func(c *Counts, o *panel.Observation) error {
		if err := im.checkObservation(o, divided); err != nil {
			return err
		}
		if o.ID == 0 {
			return w.addAnonymous(c, o)
		}
		return w.add(c, o)
	})
	w.flush()
	if err != nil {
		return err
	}
	empty := *im.count(observations.name) == (Counts{}) && im.dir.Has(observations.file)
	if empty && im.origin == nil && im.opts.More == nil {
		im.note("observations.csv has a header and no row, so no price was imported")
	}
	return nil
}

// shelf has the prices of a pack, as they are written or divided. Many rows have the same.
type shelf struct {
	product              int64
	price, regular, sale panel.Price
	size                 string
}

const mostDivided = 1 << 16 // that are remembered

func (im *importer) checkObservation(o *panel.Observation, divided map[shelf]shelf) error {
	m, listed := im.refs.listings[o.Listing]
	s, there := im.refs.stores[o.Store]
	if !listed || !there {
		return im.refs.need(places{listing: o.Listing, store: o.Store})
	}
	if m.Banner != s.Banner {
		const format = "retailer_product_id: retailer product %d is of banner %q, store %d of %q"
		return refuse(format, m.ID, m.Banner, s.ID, s.Banner)
	}
	if o.Shelf == 0 {
		return nil
	}
	k := shelf{m.ProductID, o.Shelf, o.Regular, o.Sale, o.PackageSize}
	x, known := divided[k]
	if !known {
		p, taken := im.refs.products[m.ProductID], *o
		if err := taken.TakeShelf(&p); err != nil {
			return refuse("shelf_price: %s", err)
		}
		if len(divided) == mostDivided {
			clear(divided)
		}
		k.size = strings.Clone(k.size) // not the whole row
		x = shelf{price: taken.Effective, regular: taken.Regular, sale: taken.Sale}
		divided[k] = x
	}
	o.Shelf, o.Effective = 0, x.price
	o.Regular, o.Sale = x.regular, x.sale
	return nil
}

func (im *importer) checkEvent(e, _ *panel.ShrinkEvent) error {
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
}

func keepEvent(was, e *panel.ShrinkEvent) (*panel.ShrinkEvent, error) {
	e.Detected = was.Detected
	return keep(was, e)
}
