package sqlite

import "github.com/larder-index/larder/panel"

// observations imports observations.csv. A row without an id gets the next one above
// the largest so far.
func (im *importer) observations() error {
	w := newObservationWriter(im.conn, newCorrections(im.conn, im.opts.Correct, im.opts.Now))
	if im.conn.err != nil {
		return im.conn.err
	}
	defer w.close()
	lost := func(o *panel.Observation) { im.refs.lostRows.add(o.ID) }
	err := eachRow(im, observations, lost, func(c *Counts, o *panel.Observation) error {
		if err := im.checkObservation(o); err != nil {
			return err
		}
		if o.ID == 0 {
			return w.addAnonymous(c, o)
		}
		return w.add(c, o)
	})
	if err != nil {
		return err
	}
	w.corrections.put(im.conn)
	im.added = w.added
	if c := im.count(observations.name); im.dir.Has(observations.file) && *c == (Counts{}) {
		im.note("observations.csv has a header and no row, so no price was imported")
	}
	return nil
}

func (im *importer) checkObservation(o *panel.Observation) error {
	m, listed := im.refs.listings[o.Listing]
	s, there := im.refs.stores[o.Store]
	if !listed || !there {
		return im.refs.need(places{listing: o.Listing, store: o.Store})
	}
	if m.Banner != s.Banner {
		return refuse("retailer_product_id: retailer product %d is of banner %q, store %d of %q", m.ID, m.Banner, s.ID, s.Banner)
	}
	if o.Shelf != 0 {
		p := im.refs.products[m.ProductID]
		if err := o.TakeShelf(&p); err != nil {
			return refuse("shelf_price: %s", err)
		}
	}
	return nil
}
