package sqlite

import (
	"fmt"
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
	next   int64           // no correction has this id or a higher one
	by     map[int64]int64 // the correction of an observation; 0: its entry names none
	made   []panel.Quarantine
}

func newCorrections(c *conn, reason string, now time.Time) (*corrections, error) {
	entries, err := quarantine.read(c)
	if err != nil {
		return nil, err
	}
	k := &corrections{reason: reason, now: now.UTC(), by: map[int64]int64{}}
	for i := range entries {
		if e := &entries[i]; e.Rule == panel.Corrected {
			k.by[e.Observation] = correctionIn(e.Reason)
		}
	}
	largest, err := c.int("SELECT max(id) FROM observations")
	k.next = max(largest, firstCorrection-1)
	return k, err
}

// evidence is the reason of the entry for a row with a correction.
func (k *corrections) evidence(id int64) string {
	return fmt.Sprintf("by observation %d: %s", id, k.reason)
}

// correctionIn returns the correction that an entry's reason names, or 0.
func correctionIn(reason string) (id int64) {
	if _, err := fmt.Sscanf(reason, "by observation %d:", &id); err != nil {
		return 0
	}
	return id
}

// correct puts an observation in the place of the stored row with the id, or of
// that row's newest correction. One that is there already is left as it is. If the
// import takes no corrections, the row is refused.
func (w *observationWriter) correct(c *Counts, o *panel.Observation, id int64, refused string) error {
	for {
		by, corrected := w.corrections.by[id]
		if !corrected {
			return w.replace(c, o, id, refused)
		}
		was, err := w.stored.find(by)
		if err != nil {
			return err
		}
		if was == nil || by <= id { // an entry that was written by hand
			return refuse("id: observation %d is corrected, and the snapshot lacks the observation that its quarantine entry names", id)
		}
		o.ID = by
		column, err := w.differs(o, was)
		if err != nil {
			return err
		}
		if column == "" {
			c.Unchanged++
			return nil
		}
		id = by
	}
}

// correctOne is correct for an observation without an id. It is given the ids of
// the stored rows of its listing, store and time, none of which has its values.
func (w *observationWriter) correctOne(c *Counts, o *panel.Observation, ids []int64, refused string) error {
	current, n := int64(0), 0
	for _, id := range ids {
		if _, corrected := w.corrections.by[id]; !corrected {
			current = id
			n++
		}
	}
	if n > 1 && w.corrections.reason != "" {
		return refuse("the snapshot has %d observations of retailer product %d at store %d at that time; give the row the id of the one that it corrects", n, o.Listing, o.Store)
	}
	return w.replace(c, o, current, refused) // a second row of the file for it is refused
}

// replace inserts an observation under a new id and sets aside the row with the
// old one, if there is one.
func (w *observationWriter) replace(c *Counts, o *panel.Observation, old int64, refused string) error {
	k := w.corrections
	if k.reason == "" {
		return refusal(refused + correctIt)
	}
	for {
		if k.next == math.MaxInt64 {
			return refuse("id: there is no id above %d, the largest one in use", k.next)
		}
		if k.next++; w.seen.add(k.next) {
			break
		}
	}
	o.ID = k.next
	if old != 0 {
		k.by[old] = o.ID
		k.made = append(k.made, panel.Quarantine{
			Listing: o.Listing, Store: o.Store, Observation: old, Rule: panel.Corrected, Reason: k.evidence(o.ID), FoundAt: k.now,
		})
	}
	c.Corrected++
	return w.insert(o)
}

// sameSeen reports whether an observation has the listing, store and time of a
// stored row.
func (w *observationWriter) sameSeen(o *panel.Observation, was row) (bool, error) {
	var s storedRow
	w.scan.row(was, &s)
	if s.Store != o.Store || !s.ObservedAt.Equal(o.ObservedAt) {
		return false, nil
	}
	listing, err := w.conn.int("SELECT retailer_product_id FROM labels WHERE id = ?", s.label)
	return listing == o.Listing, err
}

func correctedRows(c *conn) (idSet, error) {
	entries, err := quarantine.read(c)
	rows := idSet{}
	for i := range entries {
		if e := &entries[i]; e.Rule == panel.Corrected && !e.Released {
			rows.add(e.Observation)
		}
	}
	return rows, err
}
