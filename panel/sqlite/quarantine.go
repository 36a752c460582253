package sqlite

import (
	"fmt"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

func (im *importer) quarantine() error {
	return appendRows(im, quarantine, (*panel.Quarantine).Key, im.checkEntry, mergeEntry)
}

func (im *importer) checkEntry(q *panel.Quarantine) error { return im.refs.checkEntry(im.conn, q) }

// checkEntry refuses an entry that names what the draft lacks, or that no row
// can have.
func (r *refs) checkEntry(c *conn, q *panel.Quarantine) error {
	if err := q.Check(); err != nil {
		return refusal(err.Error())
	}
	banner, of := q.Banner, ""
	if q.Banner != "" {
		if err := r.banner(q.Banner); err != nil {
			return err
		}
		of = "the entry"
	}
	if q.City != "" {
		if err := r.city(q.City); err != nil {
			return err
		}
	}
	if q.Product != 0 {
		if err := r.product(q.Product); err != nil {
			return err
		}
	}
	if q.Listing != 0 {
		m, err := r.listing(q.Listing)
		switch {
		case err != nil:
			return err
		case q.Product != 0 && q.Product != m.ProductID:
			return refuse("product_id: retailer product %d is of product %d", m.ID, m.ProductID)
		case banner != "" && banner != m.Banner:
			return refuse("banner: retailer product %d is of banner %q", m.ID, m.Banner)
		}
		banner, of = m.Banner, fmt.Sprintf("retailer product %d", m.ID)
	}
	if q.Store != 0 {
		s, err := r.store(q.Store)
		switch {
		case err != nil:
			return err
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

// mergeEntry merges a file's entry into the stored one. A file may release an
// entry. A file from before the operator released, restored or noted something
// undoes nothing: such a file is imported again and again. A derived entry with
// another time is the same finding, and the stored one stays. Any other
// difference is a contradiction.
func mergeEntry(was, v *panel.Quarantine) (*panel.Quarantine, error) {
	sameTime := v.FoundAt.IsZero() || v.FoundAt.Equal(was.FoundAt)
	switch {
	case !sameTime && was.Rule == panel.Listed:
		return nil, refuse("found_at: the snapshot has this entry as found at %s; entries are never overwritten", was.FoundAt.Format(time.RFC3339Nano))
	case v.Released && !was.Released && v.Reason == "" && was.Reason != "":
		// Perhaps an old file, perhaps a release: only the reason could tell.
		return nil, refuse("reason: the snapshot has this entry in force as %q; to release it, say why behind that text", was.Reason)
	case v.Reason == was.Reason && v.Released == was.Released, isEarlier(v, was):
		return nil, nil
	case v.Released && !was.Released:
		merged := *was
		merged.Released = true
		if isEarlier(was, v) {
			merged.Reason = v.Reason
		} else if v.Reason != was.Reason {
			merged.Reason = joinReasons(was.Reason, v.Reason)
		}
		return &merged, nil
	case !sameTime:
		return nil, nil
	}
	return nil, refuse("the snapshot has this entry as %q, released %t; entries are never overwritten: an operator changes them", was.Reason, was.Released)
}

// isEarlier reports whether a's reason is b's before its last notes.
func isEarlier(a, b *panel.Quarantine) bool {
	rest, ok := strings.CutPrefix(b.Reason, a.Reason)
	return ok && (a.Reason == "" && rest != "" || strings.HasPrefix(rest, reasonSep))
}

const reasonSep = "; "

func joinReasons(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + reasonSep + b
}
