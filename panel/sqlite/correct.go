package sqlite

import (
	"math"
	"time"

	"github.com/larder-index/larder/panel"
)

// firstCorrection is the lowest id that an import gives to a correction.
// Observations without an id get lower ones, so corrections never meet the ids
// of a feed that numbers its rows from 1.
const firstCorrection = 1 << 52

const correctIt = `; to put this row in its place, import it with --correct "REASON"`

// corrections are those of a snapshot, with those that an import adds.
type corrections struct {
	reason string // empty: the import takes none
	now    time.Time
	last   int64              // no correction has a higher id
	of     map[int64]bool     // the observations that have a correction
	stored map[obsKey][]int64 // the corrections of the snapshot; nil until they are needed
	made   []correction
}

// correction says which observation takes the place of a stored one.
type correction struct {
	entry panel.Quarantine
	by    int64
}

func newCorrections(c *conn, reason string, now time.Time) *corrections {
	k := &corrections{reason: reason, now: now.UTC(), of: map[int64]bool{}}
	for _, e := range quarantine.read(c) {
		if e.Rule == panel.Corrected {
			k.of[e.Observation] = true
		}
	}
	k.last = max(c.int("SELECT max(id) FROM observations"), firstCorrection-1)
	return k
}

// put stores the entries of the corrections that were made.
func (k *corrections) put(c *conn) {
	for i := range k.made {
		e := &k.made[i].entry
		putEntry(c, e)
		c.fail(act{corrected, k.now, k.reason, k.made[i].by}.do(c, e))
	}
}

// correctStored takes an observation that contradicts the stored one with its id. One that is a correction
// of that already is left as it is.
func (w *observationWriter) correctStored(c *Counts, o *panel.Observation, refused string) error {
	k, id := w.corrections, o.ID
	if !k.of[id] {
		return w.correct(c, o, []int64{id}, refused)
	}
	if k.stored == nil {
		k.stored = map[obsKey][]int64{}
		w.eachKey(firstCorrection, func(id int64, key obsKey) {
			if !w.added.has(id) {
				k.stored[key] = append(k.stored[key], id)
			}
		})
	}
	ids := k.stored[keyOf(o)]
	if len(ids) == 0 {
		const format = "id: observation %d is corrected, and the snapshot lacks the observation that its quarantine entry names"
		return refuse(format, id)
	}
	if w.differFrom(o, ids) == "" {
		c.Unchanged++
		return nil
	}
	return w.correct(c, o, ids, refused)
}

// correct puts an observation in the place of the stored one among the given ids that has no correction. If
// the import takes no corrections, it is refused.
func (w *observationWriter) correct(c *Counts, o *panel.Observation, ids []int64, refused string) error {
	k, old := w.corrections, int64(0)
	if k.reason == "" {
		return refusal{reason: refused + correctIt}
	}
	n := 0
	for _, id := range ids {
		if !k.of[id] {
			old = id
			n++
		}
	}
	if n > 1 {
		return refuse("the snapshot has %d observations of retailer product %d at store %d at that time; "+
			"give the row the id of the one that it corrects", n, o.Listing, o.Store)
	}
	for {
		if k.last == math.MaxInt64 {
			return refuse("id: there is no id above %d, the largest one in use", k.last)
		}
		if k.last++; w.seen.add(k.last) {
			break
		}
	}
	o.ID = k.last
	if old != 0 {
		k.of[old] = true
		k.made = append(k.made, correction{panel.Quarantine{
			Listing: o.Listing, Store: o.Store, Observation: old, Rule: panel.Corrected, FoundAt: k.now,
		}, o.ID})
	}
	c.Corrected++
	w.insert(o)
	return nil
}

// isSeen reports whether an observation has the listing, store and time of a stored
// row.
func (w *observationWriter) isSeen(o *panel.Observation, was row) bool {
	var s storedRow
	w.scan.row(was, &s)
	return s.Store == o.Store && s.ObservedAt.Equal(o.ObservedAt) &&
		w.conn.int("SELECT retailer_product_id FROM labels WHERE id = ?", s.label) == o.Listing
}
