package prepared

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/release/log"
)

// Changed are the rows of /api/v1/prices that differ between a release and the one in service, each once,
// by the release of their last change, then id.
type Changed struct {
	*Prices
	rows    []changedRow
	reasons []reason
}

// reason says how rows changed, and why.
type reason struct{ change, rule, text string }

type changedRow struct {
	id        int64
	place     int32 // in Rows; -1: they do not have it
	release   int32 // of its last change
	why       int32 // place in reasons
	elsewhere bool  // it was visible and says something else now: it may have had other values of filters
}

// outside is why a row that a filter chose before is not chosen any more. It is the first of all reasons.
var outside = reason{string(release.RowSetAside), "reference", "it says something else now, which the filter does not choose"}

// history is what releases did to a row. Reasons are places; 0 is none.
type history struct {
	first                            release.RowChange // that made it visible or not; empty: none did
	release                          int32             // of the last change
	added, letGo, restated, setAside int32
}

// Changed returns the rows that changed since a release; r is nil for before the first. It refuses a
// release from which on the log does not have all changes.
func (l *Releases) Changed(ctx context.Context, s *Served, r *releaselog.Release) (*Changed, error) {
	since := 0
	if r != nil {
		since = r.Number
	}
	all := l.UpTo(s)
	for i := range slices.Backward(all) {
		if i >= since && !all[i].KeepsPrices() {
			id := all[i].ID()
			return nil, reply.Invalid("changed_since", nil, "changed_since: the log does not say which prices release %s changed, "+
				"since an earlier version or gate came before it; load all prices once, then name %s or a later one", id, id)
		}
	}
	return get(ctx, l.made, made{"prices up to " + s.Ref.ID, since}, func() (*Changed, int, error) {
		x := &Changed{Prices: s.Prices(), reasons: []reason{outside}}
		seen := map[int64]*history{}
		for i := range all[since:] {
			if err := x.read(&all[since+i], seen); err != nil {
				return nil, 0, err
			}
		}
		for i := range x.Len() {
			if h := seen[x.ID(i)]; h != nil {
				x.add(x.ID(i), int32(i), h)
				delete(seen, x.ID(i))
			}
		}
		for id, h := range seen {
			x.add(id, -1, h)
		}
		slices.SortFunc(x.rows, func(a, b changedRow) int { return cmp.Or(cmp.Compare(a.release, b.release), cmp.Compare(a.id, b.id)) })
		return x, len(x.rows) / 8, nil // a row of it takes an eighth of one of the index
	})
}

// read notes what a release did to its rows.
func (x *Changed) read(r *releaselog.Release, seen map[int64]*history) error {
	changes, err := r.RowChanges()
	for i := range changes {
		c := &changes[i]
		why := int32(len(x.reasons))
		restated, told := c.Change == release.RowRestated || c.Change == release.RowUnseen, c.Change
		if restated {
			told = release.RowRestated
		}
		x.reasons = append(x.reasons, reason{string(told), c.Rule, c.Reason})
		for _, id := range c.IDs {
			h := seen[id]
			if h == nil {
				h = &history{}
				seen[id] = h
			}
			h.release = int32(r.Number)
			if !restated {
				h.first = cmp.Or(h.first, c.Change)
			}
			switch {
			case c.Change == release.RowSetAside:
				h.setAside = why
			case c.Change == release.RowLetGo:
				h.letGo = why
			case h.first == release.RowAdded && h.added == 0:
				h.added = why
			default: // restated, or come back after it was gone
				h.restated = why
			}
		}
	}
	return err
}

// add adds a row by the net effect of its history. One that is as it was is left out.
func (x *Changed) add(id int64, place int32, h *history) {
	is := place >= 0 && x.Passes(int(place))
	was := h.first == release.RowSetAside || h.first == "" && is
	row := changedRow{id: id, place: place, release: h.release, elsewhere: was && h.restated > 0}
	switch {
	case is && !was:
		row.why = cmp.Or(h.added, h.letGo)
	case is:
		row.why = h.restated
	case was:
		row.why = h.setAside
	}
	if row.why > 0 {
		x.rows = append(x.rows, row)
	}
}

// Choose returns the page of the rows that a query wants, and counts them as far as the first after it.
// A row that the filters chose before, and choose no more, is set aside. Whether they chose a row that is
// gone is not known: it is there.
func (x *Changed) Choose(q *Query) (page []changedRow, n int) {
	chosen := x.filter(q)
	lo, hi := x.between(q)
	return reply.Take(q.Page, func(yield func(changedRow) bool) {
		for _, r := range x.rows {
			switch i := int(r.place); {
			case i < 0, i >= lo && i < hi && chosen(i):
			case r.elsewhere:
				r.place, r.why = -1, 0
			default:
				continue
			}
			if !yield(r) {
				return
			}
		}
	})
}

// Append appends the rows of a page that are visible, then those that are set aside as a list of their own.
func (x *Changed) Append(b []byte, page []changedRow) []byte {
	var gone []byte
	for _, r := range page {
		why := x.reasons[r.why]
		if why.change == string(release.RowSetAside) {
			gone = append(strconv.AppendInt(append(gone, `{"id":`...), r.id, 10), why.json(r.release)...)
			continue
		}
		b = bytes.TrimSuffix(x.Prices.Append(b, []int32{r.place}), []byte{'}'})
		b = append(b, why.json(r.release)...)
	}
	b = append(bytes.TrimSuffix(b, []byte{','}), `],"set_aside":[`...)
	return append(b, bytes.TrimSuffix(gone, []byte{','})...)
}

// json returns the last members of a row that changed, and a comma.
func (w *reason) json(number int32) []byte {
	b := strconv.AppendInt([]byte(`,"change":"`+w.change+`","release":"r`), int64(number), 10)
	b = reply.AppendPlainJSON(append(b, `","rule":`...), w.rule)
	return append(reply.AppendPlainJSON(append(b, `,"reason":`...), w.text), "},"...)
}
