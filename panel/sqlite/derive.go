package sqlite

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// derive judges the whole panel anew after an import. It settles the entries that the quality gate's
// rules give, and records packs that got smaller. After an import that changed nothing it does
// nothing, unless something else did since the one before.
func (im *importer) derive() error {
	if im.conn.int("SELECT entries FROM unsettled") == 0 && !im.changed() {
		return nil
	}
	labels := readLabels(im.conn)
	if err := im.deriveQuarantine(labels); err != nil {
		return err
	}
	if im.opts.Detect != nil {
		im.deriveEvents(labels)
	}
	im.conn.exec("UPDATE unsettled SET entries = 0")
	return nil
}

// deriveQuarantine brings the derived entries up to date: it adds those that are new, dates and words
// the others anew, and withdraws those that no longer follow. What operators decided on stays.
func (im *importer) deriveQuarantine(labels []panel.Label) error {
	entries, next := quarantine.read(im.conn), int64(1)
	stored := map[panel.Quarantine]*panel.Quarantine{}
	for i := range entries {
		e := &entries[i]
		next = max(next, e.ID+1)
		if e.Derived() {
			stored[e.Key()] = e
		}
	}
	gates := labelGates(readGate(im.conn, specs.read(im.conn), entries), labels)
	d := panel.NewDerivation(readCalendar(im.conn), banners.read(im.conn), stores.read(im.conn))
	newest, product := int64(0), int64(0)
	im.conn.each(`SELECT label_id, store_id, id, effective_price, observed_at, (SELECT product_id FROM retailer_products
		WHERE id = (SELECT retailer_product_id FROM labels WHERE id = label_id)) AS product FROM observations
		ORDER BY product`, func(r row) {
		if r.int(5) != product {
			d.Settle()
			im.conn.fail(im.ctx.Err())
		}
		newest, product = max(newest, r.int(4)), r.int(5)
		d.Add(gates[r.int(0)], r.int(1), r.int(2), panel.Price(r.int(3)), time.Unix(0, r.int(4)).UTC())
	})
	if im.conn.err != nil {
		return im.conn.err
	}
	for _, e := range d.Entries() {
		was := stored[e.Key()]
		delete(stored, e.Key())
		switch {
		case was == nil:
			e.ID = next
			next++
		default:
			e.ID = was.ID
			if e == *was {
				continue
			}
		}
		if was == nil || was.Released {
			im.summary.Found = append(im.summary.Found, e)
		}
		im.settled = true
		putEntry(im.conn, &e)
	}
	withdraw := act{code: withdrawn, at: time.Unix(0, newest).UTC()}
	if !im.opts.Now.IsZero() {
		withdraw.at = im.opts.Now.UTC()
	}
	for i := range entries {
		e := &entries[i]
		if stored[e.Key()] == e && !e.Released {
			im.conn.fail(withdraw.do(im.conn, e))
			im.summary.Withdrawn = append(im.summary.Withdrawn, *e)
			im.settled = true
		}
	}
	im.noteBaseWeek(d.Weeks())
	return nil
}

// sizePair is the subject of an event. An event of one subject is recorded once.
type sizePair struct {
	listing  int64
	old, new float64
}

// deriveEvents detects events anew. Those that a file gave stay as they are. Rows that come late can
// change the others: they are replaced, or deleted when the rows show them no longer.
func (im *importer) deriveEvents(labels []panel.Label) {
	known, taken, stored := map[sizePair]bool{}, map[int64]bool{}, map[int64]panel.ShrinkEvent{}
	for _, e := range shrinkEvents.read(im.conn) {
		if e.Detected {
			stored[e.ID] = e
		} else {
			known[im.pairOf(&e)] = true
			taken[e.ID] = true
		}
	}
	var found []panel.ShrinkEvent
	im.eachListing(im.severalSizes(labels), labels, func(listing int64, rows []panel.Observation) {
		p := im.refs.products[im.refs.listings[listing].ProductID]
		for _, e := range im.opts.Detect(p, listing, rows) {
			if !known[im.pairOf(&e)] {
				found = append(found, e)
			}
		}
	})
	slices.SortFunc(found, func(a, b panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	put := shrinkEvents.writer(im.conn)
	for _, e := range found {
		for taken[e.ID] {
			e.ID++
		}
		taken[e.ID], e.Detected = true, true
		was, there := stored[e.ID]
		delete(stored, e.ID)
		if !there {
			im.summary.Shrunk++
		}
		if !there || !reflect.DeepEqual(was, e) {
			im.settled = true
			put(&e)
		}
	}
	for id := range stored {
		im.summary.Unshrunk++
		im.settled = true
		im.conn.exec("DELETE FROM shrink_events WHERE id = ?", id)
	}
}

// pairOf returns the subject of an event, in the product's unit. It reads sizes
// that an imported event lacks as numbers from its texts.
func (im *importer) pairOf(e *panel.ShrinkEvent) sizePair {
	unit := im.refs.products[im.refs.listings[e.Listing].ProductID].Unit
	size := func(number float64, text string) float64 {
		switch {
		case number != 0 && (e.SizeUnit == unit.String() || e.SizeUnit == ""):
			return number
		case number != 0:
			text = strconv.FormatFloat(number, 'f', -1, 64) + " " + e.SizeUnit
		}
		if s, err := basket.ParseSize(text); err == nil {
			number, _ = s.In(unit)
		}
		return number
	}
	return sizePair{e.Listing, size(e.OldSize, e.OldPackageSize), size(e.NewSize, e.NewPackageSize)}
}

// severalSizes returns the ids of the labels of listings that were seen in packs of several sizes, in the
// unit of their product. No other listing can have shrunk.
func (im *importer) severalSizes(labels []panel.Label) (ids []int64) {
	sizes, several := map[int64]float64{}, map[int64]bool{}
	for _, l := range labels[1:] {
		p := im.refs.products[im.refs.listings[l.Listing].ProductID]
		s, err := basket.ParseSize(l.PackageSize)
		if err != nil || s.PerWeight || p.PerKg() {
			continue
		}
		if size, ok := s.In(p.Unit); ok {
			was, seen := sizes[l.Listing]
			several[l.Listing] = several[l.Listing] || seen && was != size
			sizes[l.Listing] = size
		}
	}
	for id, l := range labels {
		if several[l.Listing] {
			ids = append(ids, int64(id))
		}
	}
	return ids
}

// eachListing calls f with the rows of one listing after the other, given the ids of their labels. SQLite sorts
// the rows, so only one listing's are in memory at a time. It leaves out rows that have a correction.
func (im *importer) eachListing(ids []int64, labels []panel.Label, f func(listing int64, rows []panel.Observation)) {
	list, _ := json.Marshal(ids) // of whole numbers it never fails
	replaced := idSet{}
	for _, e := range quarantine.read(im.conn) {
		if e.Rule == panel.Corrected && !e.Released {
			replaced.add(e.Observation)
		}
	}
	var rows []panel.Observation
	done := func() {
		if len(rows) > 0 && im.conn.err == nil {
			f(rows[0].Listing, rows)
		}
		rows = rows[:0]
		im.conn.fail(im.ctx.Err())
	}
	const query = `WHERE label_id IN (SELECT value FROM json_each(?))
		ORDER BY (SELECT retailer_product_id FROM labels WHERE labels.id = label_id)`
	eachNamed(im.conn, query, labels, func(o *panel.Observation) {
		if len(rows) > 0 && rows[0].Listing != o.Listing {
			done()
		}
		if !replaced.has(o.ID) {
			rows = append(rows, *o)
		}
	}, string(list))
	done()
}
