package sqlite

import (
	"math"

	"github.com/larder-index/larder/panel"
)

// firstCorrection is the lowest id that an import gives to a correction.
// Observations without an id get lower ones, so corrections never meet the ids
// of a feed that numbers its rows from 1.
const firstCorrection = 1 << 52

const correctIt = `; to put this row in its place, import it with --correct "REASON"`

// correctStored takes an observation that contradicts the stored one with its id. One that is a correction
// of that already is left as it is.
func (w *observationWriter) correctStored(c *Counts, o *panel.Observation, refused string) error {
	id := o.ID
	if !w.corrected[id] {
		return w.replace(c, o, []int64{id}, refused)
	}
	if w.corrections == nil {
		w.corrections = keyed{}
		w.eachKey(firstCorrection, func(k obsKey, id int64) {
			if !w.added.has(id) {
				w.corrections.add(k, id)
			}
		})
	}
	ids := w.corrections.ids(keyOf(o))
	if len(ids) == 0 {
		return refuse("id: observation %d is corrected, and the snapshot lacks the observation "+
			"that its quarantine entry names", id)
	}
	if w.differFrom(o, ids) == "" {
		c.Unchanged++
		return nil
	}
	return w.replace(c, o, ids, refused)
}

// replace puts an observation in the place of the stored one among the given ids that has no correction. If
// the import takes no corrections, it is refused.
func (w *observationWriter) replace(c *Counts, o *panel.Observation, ids []int64, refused string) error {
	if w.correct == "" {
		return refusal(refused + correctIt)
	}
	old, n := int64(0), 0
	for _, id := range ids {
		if !w.corrected[id] {
			old = id
			n++
		}
	}
	if n > 1 {
		return refuse("the snapshot has %d observations of retailer product %d at store %d at that time; "+
			"give the row the id of the one that it corrects", n, o.Listing, o.Store)
	}
	for {
		if w.correction == math.MaxInt64 {
			return refuse("id: there is no id above %d, the largest one in use", w.correction)
		}
		w.correction++
		if w.seen.add(w.correction) {
			break
		}
	}
	o.ID = w.correction
	c.Corrected++
	w.insert(o)
	w.flush() // the act names it
	if old != 0 {
		w.corrected[old] = true
		e := panel.Quarantine{Listing: o.Listing, Store: o.Store, Observation: old, Rule: panel.Corrected}
		e.FoundAt = w.now
		putEntry(w.conn, &e)
		w.conn.fail(act{corrected, w.now, w.correct, o.ID}.do(w.conn, &e))
	}
	return nil
}
