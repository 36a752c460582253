// Package prepared has what answers are made from: the snapshot in service, the index of it or
// of a release, and the rows of both in the forms in which they are sent. Snapshots loads a
// snapshot, looks whether its file was replaced, and keeps the old one if the new one can't be
// verified. A Snapshot never changes.
package prepared

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
)

// Snapshot has the data of answers: prices, and an index. The index is that of the prices, or the one that a
// release published. What costs time is made when it is first asked for, and kept.
type Snapshot struct {
	*sqlite.Contents
	past func(r *releaselog.Release) (*Snapshot, error) // the same prices, with the index of an earlier release

	// The index.
	number    int              // of the release; 0 without one
	Ref       *wire.ReleaseRef // as meta names the release; nil without a release log
	Hash      string           // of the prices that it was made of
	Words     *panel.About
	Base      panel.Week
	elsewhere bool // the rows were computed elsewhere, from prices that the snapshot lacks

	// Values of parameters, in byte order.
	CityNames    []string // display names
	IndexBanners []string // keys of the index banners
	PriceBanners []string // keys of the banners whose single prices are shown

	cities   []basket.City   // with slug and name
	Banners  []basket.Banner // of the index, with key and name
	Products []wire.Product  // the active ones, in the order of Catalog

	V2 func() (*Series, error)
	V1 func() (*Series, error)

	// Revised has the first published rows of the cells of v2 that releases have revised.
	Revised func() (map[Published]*jevons.Row, error)

	// Made of prices.
	Listings   map[int64]check.Listed        // by listing
	Quality    func() (*jevons.Table, error) // the rows of v2 with their quality
	Regular    func() (*Series, error)       // the companion of v2
	Grid       func() (*jevons.Coverage, error)
	Attrition  func(closed panel.Week) (*check.Attrition, error)
	Prices     func() *Prices
	Shrinkages func() []shrink.Graded      // of the index banners, by time
	Finder     func() *find.Finder         // of what shoppers write
	Projection func() *compare.Projection  // takes a second for years of prices
	Choices    func() *compare.CatalogBody // of the comparison
	Shopping   func() *reply.Document      // the same, as it is sent
	Example    func() compare.Example      // of what refusals ask for
}

// Published is a cell of a week.
type Published struct {
	Week panel.Week
	Cell jevons.Cell
}

// newSnapshot prepares prices with the index that is made of them.
func newSnapshot(contents *sqlite.Contents) *Snapshot {
	p := contents.Panel
	s := &Snapshot{
		Contents: contents, Listings: check.Listings(p),
		Hash: contents.Info.Hash, Words: p.About(), Base: p.BaseWeek(), cities: p.Cities(),
	}
	for _, c := range p.Cities() {
		s.CityNames = append(s.CityNames, c.Name)
	}
	for _, b := range p.Banners() {
		if b.InIndex {
			s.IndexBanners = append(s.IndexBanners, b.Key)
			s.Banners = append(s.Banners, b)
		}
		if b.InIndex || b.Verified {
			s.PriceBanners = append(s.PriceBanners, b.Key)
		}
	}
	s.Products = s.products()
	// All weeks of the snapshot, closed or not: which of them are published depends on the
	// clock, and no week changes another.
	all := jevons.Options{Through: LastWeek(p)}
	s.V2 = onceSeries(s.Words, func() (*jevons.Table, error) { return jevons.Compute(p, all) })
	s.V1 = onceSeries(s.Words, func() (*jevons.Table, error) { return jevons.Pilot(p), nil })
	s.Quality = sync.OnceValues(func() (*jevons.Table, error) {
		return jevons.Compute(p, jevons.Options{Through: all.Through, Quality: true})
	})
	s.Regular = onceSeries(s.Words, func() (*jevons.Table, error) { return jevons.Regular(p, s.Rows, all) })
	s.Grid = sync.OnceValues(func() (*jevons.Coverage, error) {
		table, err := jevons.Compute(p, all)
		if err != nil {
			return nil, err
		}
		return jevons.NewCoverage(s.Rows, table), nil
	})
	s.Attrition = reply.Remember(func(closed panel.Week) (*check.Attrition, error) {
		return check.NewAttrition(p, closed), nil
	})
	s.Revised = func() (map[Published]*jevons.Row, error) { return nil, nil }
	s.Prices = sync.OnceValue(func() *Prices { return newPrices(s) })
	// An event is history: what became of its listing since changes nothing.
	s.Shrinkages = sync.OnceValue(func() []shrink.Graded {
		all := shrink.Select(p.Calendar(), s.Events, shrink.Low, math.MinInt32, math.MaxInt32)
		return slices.DeleteFunc(all, func(g shrink.Graded) bool { return !s.Listings[g.Listing].Banner.InIndex })
	})
	s.Finder = sync.OnceValue(func() *find.Finder { return find.New(p.Products(), p.Listings()...) })
	s.Example = sync.OnceValue(func() compare.Example { return compare.NewExample(p) })
	s.Projection = sync.OnceValue(func() *compare.Projection { return compare.NewProjection(p, s.Rows) })
	s.Choices = sync.OnceValue(func() *compare.CatalogBody { return compare.Catalog(s.Projection()) })
	// Its tag changes only when the catalog does, which is with few snapshots.
	s.Shopping = sync.OnceValue(func() *reply.Document {
		body := append(s.Choices().AppendJSON(nil), '\n')
		return reply.NewDocument(reply.JSONType, body, "Cache-Control", reply.DocumentAge, "X-Robots-Tag", "noindex")
	})
	return s
}

// remember keeps the index of the release that was asked for last, so that a walk through its pages
// computes it once.
func (s *Snapshot) remember(log *releaselog.Log) {
	s.past = reply.Remember(func(r *releaselog.Release) (*Snapshot, error) {
		past := *s
		if r != nil {
			past.setRelease(log, r)
		} else {
			past.setNone(log)
		}
		x, err := past.V2()
		if err == nil {
			x.write()
		}
		return &past, err
	})
}

// setNone makes the index that of before the first release, whose words it has: it has no rows.
func (s *Snapshot) setNone(log *releaselog.Log) {
	first := log.Releases()[0]
	s.setRelease(log, &first)
	s.number, s.elsewhere = 0, false
	s.Ref, s.Base, s.Products = &wire.ReleaseRef{}, s.Words.BaseWeek, []wire.Product{}
	s.V1 = onceSeries(s.Words, func() (*jevons.Table, error) { return &jevons.Table{}, nil })
}

// setRelease makes the index the one that a release published.
func (s *Snapshot) setRelease(log *releaselog.Log, r *releaselog.Release) {
	of := r.Context
	s.number, s.Hash, s.Ref = r.Number, r.Snapshot, &wire.ReleaseRef{ID: r.ID(), ReleasedAt: r.At}
	s.Base, s.elsewhere, s.Words = r.Base, len(r.Skipped) > 0, of.About
	s.CityNames, s.IndexBanners = of.Cities, of.Banners
	s.cities, s.Banners, s.Products = nil, nil, []wire.Product{}
	for _, name := range of.Cities {
		s.cities = append(s.cities, basket.City{Slug: of.Slugs[name], Name: name})
	}
	for _, key := range of.Banners {
		s.Banners = append(s.Banners, basket.Banner{Key: key, Name: of.BannerNames[key]})
	}
	for _, p := range of.Products {
		s.Products = append(s.Products, wire.Product{
			ID: p.ID, Name: p.Name, Category: p.Category, Subcategory: wire.Text(p.Subcategory),
			StandardSize: p.StandardSize, Unit: p.Unit, BasketWeight: p.Weight,
		})
	}
	s.V2 = onceSeries(s.Words, func() (*jevons.Table, error) { return log.Table(s.number) })
	s.V1 = onceSeries(s.Words, func() (*jevons.Table, error) { return of.Pilot, nil })
	s.Revised = sync.OnceValues(func() (map[Published]*jevons.Row, error) {
		first := map[Published]*jevons.Row{}
		for n := range s.number {
			if log.Releases()[n].CellsRevised == 0 {
				continue
			}
			changes, err := log.Changes(n + 1)
			if err != nil {
				return nil, err
			}
			for _, x := range changes {
				if at := (Published{x.Week, x.Cell}); x.Old != nil && x.New != nil && first[at] == nil {
					first[at] = x.Old
				}
			}
		}
		return first, nil
	})
}

// Catalog returns the active products by category slug, then name.
func (s *Snapshot) Catalog() (list []*basket.Product) {
	for i := range s.Panel.Products() {
		if p := &s.Panel.Products()[i]; p.Active {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(x, y *basket.Product) int {
		return cmp.Or(cmp.Compare(x.Category, y.Category), cmp.Compare(x.Name, y.Name),
			cmp.Compare(x.ID, y.ID))
	})
	return list
}

// products returns the catalog as rows of /api/v1/products.
func (s *Snapshot) products() []wire.Product {
	list := []wire.Product{}
	for _, p := range s.Catalog() {
		list = append(list, wire.Product{
			ID: p.ID, Name: p.Name, Category: p.Category, Subcategory: wire.Text(p.Subcategory),
			StandardSize: p.StandardSize, Unit: p.Unit.String(), BasketWeight: p.Weight,
		})
	}
	return list
}

// Places says where the prices of the newest published week are from.
func (s *Snapshot) Places(at time.Time) words.Places {
	return words.PlacesOf(s.Panel, min(s.LastClosed(at), LastWeek(s.Panel)))
}

// About says whose prices are served. Without a snapshot it has the texts of one
// without settings.
func (s *Snapshot) About() *panel.About {
	if s == nil {
		return &panel.About{BaseWeek: panel.DefaultBaseWeek}
	}
	return s.Words
}

// InExample puts a city and a chain of the snapshot into a refusal's message.
func (s *Snapshot) InExample(message string) string {
	if s == nil {
		return message
	}
	return s.Example().In(message)
}

// Wide reports whether the snapshot has ids of products, or a number of chains, above those of the default one.
func (s *Snapshot) Wide() bool {
	chains := 0
	for _, b := range s.Panel.Banners() {
		if b.InShopper {
			chains++
		}
	}
	return chains > compare.MinMaxStores || slices.ContainsFunc(s.Panel.Products(), func(p basket.Product) bool {
		return p.Active && p.ID > compare.MaxSwapped
	})
}

// NeedPrices fails if the rows were computed elsewhere, so that no prices of them are here.
func (s *Snapshot) NeedPrices() error {
	if s.elsewhere {
		return reply.Refuse("not_found",
			"the rows of release "+s.Ref.ID+" were computed elsewhere, and this server has no prices of them")
	}
	return nil
}

// ID is how answers name the snapshot: the first 16 hex digits of its seal.
func (s *Snapshot) ID() string { return s.Hash[:16] }

// NameIn sets the headers that say which snapshot and release an answer is made from. Without a snapshot there are
// none.
func (s *Snapshot) NameIn(h http.Header) {
	if s == nil {
		return
	}
	h.Set("X-Snapshot", s.ID())
	h.Del("X-Release") // as_of may name another one
	if s.number > 0 {
		h.Set("X-Release", s.Ref.ID)
	}
}

// Tag differs between snapshots, and so do their ETags.
func (s *Snapshot) Tag() string {
	if s.number == 0 {
		return s.Hash
	}
	return s.Hash + " " + s.Ref.ID
}

// LastClosed returns the last week that an answer may have at an instant: one that was over
// then, and when the snapshot was released. A snapshot may have a part of the next.
func (s *Snapshot) LastClosed(at time.Time) panel.Week {
	week := s.Words.Calendar().LastClosed(at)
	if ref := s.Ref; ref != nil && ref.ID != "" {
		week = min(week, s.Words.Calendar().LastClosed(ref.ReleasedAt))
	}
	return week
}

// NextDue returns the first planned release after an instant. One that is planned for a day on which
// this one was released has been made, though it may have come before its time.
func (s *Snapshot) NextDue(after time.Time) time.Time {
	due, clock := s.Words.NextRelease(after), s.Words.Calendar()
	if ref := s.Ref; ref != nil && ref.ID != "" && clock.DateIn(ref.ReleasedAt) == clock.DateIn(due) {
		due = s.Words.NextRelease(due)
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

// Categories are those of the index. Without a snapshot they are the nine.
func (s *Snapshot) Categories() basket.Categories { return s.About().Categories() }

// Slices are the headline and those categories that have an active product.
func (s *Snapshot) Slices() []basket.Category {
	return slices.DeleteFunc(s.Categories().Slices(), func(c basket.Category) bool {
		return c != basket.Overall &&
			!slices.ContainsFunc(s.Products, func(p wire.Product) bool { return p.Category == c.Slug() })
	})
}

// Names are those of the series of the index.
func (s *Snapshot) Names() *table.Names {
	return table.NewNames(s.cities, s.IndexBanners, s.Categories())
}
