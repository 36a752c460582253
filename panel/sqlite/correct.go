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

func newCorrections(c *conn, reason string, now time.Time) (*corrections, error) {
	entries, err := quarantine.read(c)
	if err != nil {
		return nil, err
	}
	k := &corrections{reason: reason, now: now.UTC(), of: map[int64]bool{}}
	for i := range entries {
		if e := &entries[i]; e.Rule == panel.Corrected {
			k.of[e.Observation] = true
		}
	}
	largest, err := c.int("SELECT max(id) FROM observations")
	k.last = max(largest, firstCorrection-1)
	return k, err
}

// put stores the entries of the corrections that were made.
func (k *corrections) put(c *conn) error {
	for i := range k.made {
		e := &k.made[i].entry
		if err := putEntry(c, e); err != nil {
			return err
		}
		if err := (act{code: corrected, at: k.now, reason: k.reason, by: k.made[i].by}).do(c, e); err != nil {
			return err
		}
	}
	return nil
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
		err := eachKey(w.old.conn, firstCorrection, func(id int64, key obsKey) {
			k.stored[key] = append(k.stored[key], id)
		})
		if err != nil {
			return err
		}
	}
	ids := k.stored[keyOf(o)]
	if len(ids) == 0 {
		return refuse("id: observation %d is corrected, and the snapshot lacks the observation that its quarantine entry names", id)
	}
	column, err := w.differFrom(o, ids)
	if err == nil && column == "" {
		c.Unchanged++
		return nil
	}
	if err != nil {
		return err
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
	return w.insert(o)
}

// isSeen reports whether an observation has the listing, store and time of a stored
// row.
func (w *observationWriter) isSeen(o *panel.Observation, was row) (bool, error) {
	var s storedRow
	w.scan.row(was, &s)
	if s.Store != o.Store || !s.ObservedAt.Equal(o.ObservedAt) {
		return false, nil
	}
	listing, err := w.conn.int("SELECT retailer_product_id FROM labels WHERE id = ?", s.label)
	return listing == o.Listing, err
}
