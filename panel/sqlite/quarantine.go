package sqlite

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// The codes of acts.
const (
	corrected = "corrected" // an observation took the place of the one that the entry sets aside
	lifted    = "lifted"
	restored  = "restored"
	confirmed = "confirmed"
	withdrawn = "withdrawn" // by import
)

// act records that an operator or an import changed a quarantine entry. Acts decide in their order whether the entry is
// in force. Each act adds to the entry's reason, but for those that a file tells of: the file's reason has them.
type act struct {
	code   string
	at     time.Time
	reason string
	by     int64 // of corrected: the id of the observation
}

// apply changes an entry as the act does.
func (a *act) apply(e *panel.Quarantine) {
	switch a.code {
	case corrected:
		e.Reason = fmt.Sprintf("by observation %d: %s", a.by, a.reason)
		return
	case lifted:
		e.Released, e.WithdrawnAt, e.ConfirmedAt = true, time.Time{}, time.Time{}
	case restored:
		e.Released = false
	case confirmed:
		e.Released, e.WithdrawnAt, e.ConfirmedAt = false, time.Time{}, a.at
	case withdrawn:
		e.Released, e.WithdrawnAt = true, a.at
	}
	if a.reason != "" {
		e.Reason = joinReasons(e.Reason, fmt.Sprintf("%s %s: %s", a.code, a.at.Format(time.RFC3339), a.reason))
	}
}

// do applies an act to an entry and stores it.
func (a act) do(c *conn, e *panel.Quarantine) error {
	a.apply(e)
	if len(e.Reason) > maxReason {
		const format = "entry %d: with this its reason would have %d bytes; at most %d are kept"
		return fmt.Errorf(format, e.ID, len(e.Reason), maxReason)
	}
	at := driver.Value(nil)
	if !a.at.IsZero() {
		at = a.at.UnixNano()
	}
	c.exec(`INSERT INTO acts (entry_id, act, at, reason, observation_id)
		VALUES (?, ?, ?, nullif(?, ''), nullif(?, 0))`, e.ID, a.code, at, a.reason, a.by)
	return nil
}

func init() { quarantine.readRows, quarantine.putRow = readEntries, putEntry }

// readEntries returns the quarantine entries by id, as the acts on them leave them.
func readEntries(c *conn) []panel.Quarantine {
	entries, byID := quarantine.rows(c), map[int64]*panel.Quarantine{}
	for i := range entries {
		byID[entries[i].ID] = &entries[i]
	}
	c.each("SELECT entry_id, act, at, reason, observation_id FROM acts ORDER BY id", func(r row) {
		e := byID[r.int(0)]
		if e == nil {
			c.fail(fmt.Errorf("sqlite: an act names quarantine entry %d, which is missing", r.int(0)))
			return
		}
		a := act{code: r.text(1), reason: r.text(3), by: r.int(4)}
		if !r.null(2) {
			a.at = time.Unix(0, r.int(2)).UTC()
		}
		a.apply(e)
	})
	return entries
}

// putEntry stores an entry with its whole reason, in place of the one with its id and of the acts on that.
// An entry without an id gets one.
func putEntry(c *conn, e *panel.Quarantine) {
	quarantine.insert(c)(e)
	e.ID = c.int("SELECT last_insert_rowid()")
	c.exec("DELETE FROM acts WHERE entry_id = ?", e.ID)
	state := act{}
	switch {
	case !e.WithdrawnAt.IsZero():
		state = act{code: withdrawn, at: e.WithdrawnAt}
	case e.Released:
		state.code = lifted
	case !e.ConfirmedAt.IsZero():
		state = act{code: confirmed, at: e.ConfirmedAt}
	}
	if state.code != "" {
		stored := *e
		c.fail(state.do(c, &stored))
	}
}

// checkFileEntry refuses an entry of a file that fits nothing.
func (im *importer) checkFileEntry(q, _ *panel.Quarantine) error {
	q.Released = q.Released || !q.WithdrawnAt.IsZero()
	return im.refs.checkEntry(im.conn, q)
}

func placesOf(q *panel.Quarantine) places {
	return places{q.Product, q.Banner, q.City, q.Listing, q.Store}
}

// checkEntry refuses an entry that names what the draft lacks, or that no row
// can have.
func (r *refs) checkEntry(c *conn, q *panel.Quarantine) error {
	if err := q.Check(); err != nil {
		return refuse("%s", err)
	}
	if err := r.need(placesOf(q)); err != nil {
		return err
	}
	banner, of := q.Banner, "the entry"
	if m, ok := r.listings[q.Listing]; ok {
		switch {
		case q.Product != 0 && q.Product != m.ProductID:
			return refuse("product_id: retailer product %d is of product %d", m.ID, m.ProductID)
		case banner != "" && banner != m.Banner:
			return refuse("banner: retailer product %d is of banner %q", m.ID, m.Banner)
		}
		banner, of = m.Banner, fmt.Sprintf("retailer product %d", m.ID)
	}
	if s, ok := r.stores[q.Store]; ok {
		switch {
		case banner != "" && s.Banner != banner:
			return refuse("store_id: store %d is of banner %q, %s of %q", s.ID, s.Banner, of, banner)
		case q.City != "" && s.City != q.City:
			return refuse("city: store %d is in %q", s.ID, s.City)
		}
	}
	if q.Observation == 0 {
		return nil
	}
	listing, store, err := r.observation(c, q.Observation)
	if err == nil && (listing != q.Listing || q.Store != 0 && store != q.Store) {
		const format = "observation_id: observation %d is of retailer product %d at store %d"
		err = refuse(format, q.Observation, listing, store)
	}
	return err
}

// mergeEntry merges a file's entry into the stored one. A file may lift or confirm an
// entry. A file from before the operator lifted, restored or noted something
// undoes nothing: such a file is imported again and again. Nor does one without an operator's
// decision on a derived entry: import words, dates and withdraws it anew. A derived entry with
// another time is the same finding. Any other difference is a contradiction.
func mergeEntry(was, v *panel.Quarantine) (*panel.Quarantine, error) {
	sameTime := v.FoundAt.IsZero() || v.FoundAt.Equal(was.FoundAt)
	switch {
	case v.Derived():
		return nil, nil
	case !sameTime && was.Rule == panel.Listed:
		return nil, refuse("found_at: the snapshot has this entry as found at %s; entries are never overwritten",
			was.FoundAt.Format(time.RFC3339Nano))
	case v.Released && !was.Released && v.Reason == "" && was.Reason != "":
		// Perhaps an old file, perhaps a lift: only the reason could tell.
		return nil, refuse("reason: the snapshot has this entry in force as %q; "+
			"to lift it, say why behind that text", was.Reason)
	case was.Derived():
		v.ID, v.Reason = was.ID, cmp.Or(v.Reason, was.Reason)
		if v.FoundAt.IsZero() {
			v.FoundAt = was.FoundAt
		}
		return v, nil
	case v.Reason == was.Reason && v.Released == was.Released, continues(was, v):
		return nil, nil
	case v.Released && !was.Released:
		merged := *was
		merged.Released, merged.ConfirmedAt = true, time.Time{}
		if continues(v, was) {
			merged.Reason = v.Reason
		} else if v.Reason != was.Reason {
			merged.Reason = joinReasons(was.Reason, v.Reason)
		}
		return &merged, nil
	case !sameTime:
		return nil, nil
	}
	return nil, refuse("the snapshot has this entry as %q, lifted %t; "+
		"entries are never overwritten: an operator changes them", was.Reason, was.Released)
}

// continues reports whether an entry's reason is that of an earlier one with something added.
func continues(e, earlier *panel.Quarantine) bool {
	rest, ok := strings.CutPrefix(e.Reason, earlier.Reason)
	return ok && (earlier.Reason == "" && rest != "" || strings.HasPrefix(rest, reasonSep))
}

const reasonSep = "; "

func joinReasons(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + reasonSep + b
}
