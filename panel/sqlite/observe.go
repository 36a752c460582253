package sqlite

import (
	"strings"

	"github.com/larder-index/larder/panel"
)

// observations imports observations.csv. A row without an id gets the next one above
// the largest so far.
func (im *importer) observations() error {
	w, err := newObservationWriter(im.conn, im.work.old, im.corrections)
	if err != nil {
		return err
	}
	defer w.close()
	texts := texts{}
	lost := func(o *panel.Observation) { im.refs.lostRows.add(o.ID) }
	err = eachRow(im, observations.file, observations.name, texts.share, lost, func(c *Counts, o *panel.Observation) error {
		if err := im.checkObservation(o); err != nil {
			return err
		}
		if o.ID == 0 {
			return w.addAnonymous(c, o)
		}
		return w.add(c, o)
	})
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return err
	}
	im.added = w.added
	if c := im.count(observations.name); im.dir.Has(observations.file) && *c == (Counts{}) {
		im.note("observations.csv has a header and no row, so no price was imported")
	}
	return quarantine.put(im.conn, im.corrections.made...)
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

// texts are the titles and sizes that were read, each once. With one string for
// one text, the goroutine that writes finds labels in a quarter of the time.
type texts map[string]string

// maxTexts bounds the memory of texts.
const maxTexts = 1 << 20

// share makes an observation use the texts of earlier ones.
func (t texts) share(o *panel.Observation) {
	o.ScrapedName, o.PackageSize = t.one(o.ScrapedName), t.one(o.PackageSize)
}

// one returns a copy of a text: the same for every equal text.
func (t texts) one(text string) string {
	same, ok := t[text]
	if !ok {
		if len(t) == maxTexts {
			clear(t)
		}
		same = strings.Clone(text)
		t[same] = same
	}
	return same
}
