package sqlite

import (
	"strings"

	"github.com/larder-index/larder/panel"
)

// observations imports observations.csv: first the rows with an id, then those
// without, which get the ids above the largest in the order of the file.
func (im *importer) observations() error {
	w, err := newObservationWriter(im.conn, im.work.old, im.corrections)
	if err != nil {
		return err
	}
	defer w.close()
	anonymous := false
	lost := func(o *panel.Observation) { im.refs.lostRows.add(o.ID) }
	pass := func(first bool, add func(c *Counts, o *panel.Observation) error) error {
		texts := texts{}
		return readRows(im, observations.file, observations.name, first, texts.share, lost, func(c *Counts, o *panel.Observation) error {
			if o.ID == 0 {
				anonymous = true
			}
			if first != (o.ID != 0) {
				return nil
			}
			if err := im.checkObservation(o); err != nil {
				return err
			}
			return add(c, o)
		})
	}
	if err := pass(true, w.add); err != nil {
		return err
	}
	if anonymous {
		if err := w.prepareAnonymous(); err != nil {
			return err
		}
		if err := pass(false, w.addAnonymous); err != nil {
			return err
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	return im.putCorrections()
}

func (im *importer) checkObservation(o *panel.Observation) error {
	m, err := im.refs.listing(o.Listing)
	if err != nil {
		return err
	}
	s, err := im.refs.store(o.Store)
	if err != nil {
		return err
	}
	if m.Banner != s.Banner {
		return refuse("retailer_product_id: retailer product %d is of banner %q, store %d of %q", m.ID, m.Banner, s.ID, s.Banner)
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
