package prepared

import (
	"net/http"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Vintage is the index of one snapshot or of one release: its rows, and the words and lists
// that answers have beside them. A vintage never changes.
type Vintage struct {
	number int              // of the release; 0 without one
	Ref    *wire.ReleaseRef // as meta names the release; nil without a release log
	Hash   string           // of the snapshot
	Words  *panel.About
	Base   panel.Week

	elsewhere bool // the rows were computed elsewhere, from prices that the snapshot lacks

	// Values of parameters, in byte order.
	CityNames    []string // display names
	IndexBanners []string // keys of the index banners

	// What figures show besides.
	cities      []basket.City      // with slug and name
	Banners     []basket.Banner    // of the index, with key and name
	Annotations []panel.Annotation // by date

	// Products are the active ones, in the order of Served.Catalog; nil if the log does not have them.
	Products []wire.Product

	V2 func() (*Series, error)
	V1 func() (*Series, error)
}

// newVintage returns the index that a snapshot's prices give.
func newVintage(all *sqlite.Contents) *Vintage {
	p := all.Panel
	v := &Vintage{Hash: all.Info.Hash, Words: p.About(), Base: p.BaseWeek(), cities: p.Cities(), Annotations: p.Annotations()}
	for _, c := range p.Cities() {
		v.CityNames = append(v.CityNames, c.Name)
	}
	for _, b := range p.Banners() {
		if b.InIndex {
			v.IndexBanners = append(v.IndexBanners, b.Key)
			v.Banners = append(v.Banners, b)
		}
	}
	// All weeks of the snapshot, closed or not: which of them are published depends on the
	// clock, and no week changes another.
	v.V2 = onceSeries(func() (*jevons.Table, error) { return jevons.Compute(p, jevons.Options{Through: LastWeek(p)}) })
	v.V1 = onceSeries(func() (*jevons.Table, error) { return jevons.Pilot(p), nil })
	return v
}

// releasedVintage returns the index as a release published it. Before the first release
// there are no rows, and the words are those of the first.
func releasedVintage(log *releaselog.Log, r *releaselog.Release) *Vintage {
	first := &log.Releases()[0]
	v := &Vintage{Ref: &wire.ReleaseRef{}, Hash: first.Snapshot, Products: []wire.Product{}}
	context, pilot := first.Context, &jevons.Table{}
	if r != nil {
		context, pilot = r.Context, r.Context.Pilot
	}
	v.Words, v.CityNames, v.IndexBanners, v.Annotations = context.About, context.Cities, context.Banners, context.Annotations
	v.Base = v.Words.BaseWeek
	if r != nil {
		v.number, v.Hash, v.Base, v.elsewhere = r.Number, r.Snapshot, r.Base, len(r.Skipped) > 0
		v.Ref, v.Products = &wire.ReleaseRef{ID: r.ID(), ReleasedAt: r.At}, nil
		for _, p := range context.Products {
			v.Products = append(v.Products, wire.Product{
				ID: p.ID, Name: p.Name, Category: p.Category, Subcategory: wire.Text(p.Subcategory), StandardSize: p.StandardSize, Unit: p.Unit, BasketWeight: p.Weight,
			})
		}
	}
	for _, name := range context.Cities {
		v.cities = append(v.cities, basket.City{Slug: context.Slugs[name], Name: name})
	}
	for _, key := range context.Banners {
		v.Banners = append(v.Banners, basket.Banner{Key: key, Name: context.BannerNames[key]})
	}
	v.V2 = onceSeries(func() (*jevons.Table, error) { return log.Table(v.number) })
	v.V1 = onceSeries(func() (*jevons.Table, error) { return pilot, nil })
	return v
}

// NeedPrices fails if the rows were computed elsewhere, so that no prices of them are here.
func (v *Vintage) NeedPrices() error {
	if v.elsewhere {
		return reply.Refuse("not_found", "the rows of release "+v.Ref.ID+" were computed elsewhere, and this server has no prices of them")
	}
	return nil
}

// ID is how answers name the snapshot: the first 16 hex digits of its seal.
func (v *Vintage) ID() string { return v.Hash[:16] }

// NameIn sets the headers that say which snapshot and release an answer is made from.
func (v *Vintage) NameIn(h http.Header) {
	h.Set("X-Snapshot", v.ID())
	h.Del("X-Release") // as_of may name another one
	if v.number > 0 {
		h.Set("X-Release", v.Ref.ID)
	}
}

// Tag differs between vintages, and so do their ETags.
func (v *Vintage) Tag() string {
	if v.number == 0 {
		return v.Hash
	}
	return v.Hash + " " + v.Ref.ID
}

// LastClosed returns the last week that an answer may have at an instant: one that was over
// then, and when the snapshot was released. A snapshot may have a part of the next.
func (v *Vintage) LastClosed(at time.Time) panel.Week {
	week := panel.LastClosed(at)
	if ref := v.Ref; ref != nil && ref.ID != "" {
		week = min(week, panel.LastClosed(ref.ReleasedAt))
	}
	return week
}

// NextDue returns the first planned release after an instant. One that is planned for a day on which
// this vintage was released has been made, though it may have come before its time.
func (v *Vintage) NextDue(after time.Time) time.Time {
	due := v.Words.NextRelease(after)
	if ref := v.Ref; ref != nil && ref.ID != "" && panel.DateIn(ref.ReleasedAt, panel.Toronto) == panel.DateIn(due, panel.Toronto) {
		due = v.Words.NextRelease(due)
	}
	return due
}

// LastWeek returns the panel's last week, at least its base week.
func LastWeek(p *panel.Panel) panel.Week {
	last := p.BaseWeek()
	if weeks := p.Weeks(); len(weeks) > 0 {
		last = max(last, weeks[len(weeks)-1])
	}
	return last
}

// Names are those of the series of the index.
func (v *Vintage) Names() *table.Names { return table.NewNames(v.cities, v.IndexBanners) }
