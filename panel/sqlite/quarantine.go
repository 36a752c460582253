package sqlite

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

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
		err = refuse("observation_id: observation %d is of retailer product %d at store %d", q.Observation, listing, store)
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
		return nil, refuse("found_at: the snapshot has this entry as found at %s; entries are never overwritten", was.FoundAt.Format(time.RFC3339Nano))
	case v.Released && !was.Released && v.Reason == "" && was.Reason != "":
		// Perhaps an old file, perhaps a lift: only the reason could tell.
		return nil, refuse("reason: the snapshot has this entry in force as %q; to lift it, say why behind that text", was.Reason)
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
	return nil, refuse("the snapshot has this entry as %q, lifted %t; entries are never overwritten: an operator changes them", was.Reason, was.Released)
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
