// Package prepared has what answers are made from: the snapshot in service, the index of it or
// of a release, and the rows of both in the forms in which they are sent. Snapshots loads a
// snapshot, looks whether its file was replaced, and keeps the old one if the new one can't be
// verified. A Served never changes.
package prepared

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
)

// Served is one snapshot with all that responses are made from. What costs time is
// made when it is first asked for, and kept with the snapshot. A Served never
// changes.
type Served struct {
	*sqlite.Contents
	*Vintage                        // its index
	Listings map[int64]check.Listed // by listing

	PriceBanners []string // keys of the banners whose single prices are shown, in byte order

	Quality func() (*jevons.Table, error) // the rows of v2 with their quality

	Companions map[string]func() (*Series, error)
	Grid       func() (*jevons.Coverage, error)
	Attrition  func(closed panel.Week) (*check.Attrition, error)
	Prices     func() *Prices
	Shrinkages func() []shrink.Graded     // of the index banners, by time
	Finder     func() *find.Finder        // of what shoppers write
	Projection func() *compare.Projection // takes a second for years of prices
	Shopping   func() *reply.Document     // the catalog of the comparison
	Example    func() compare.Example     // of what refusals ask for

	wanted []*want // what takes long, always in the same order
}

// want is something that takes long to make of a large snapshot.
type want struct {
	asked atomic.Bool // by a reader
	make  func(at time.Time) error
}

// wants returns make, and notes when a reader asks for what it makes.
func wants[T any](s *Served, make func() (T, error)) func() (T, error) {
	w := &want{make: func(time.Time) error {
		x, err := make()
		if series, ok := any(x).(*Series); ok && err == nil {
			series.write()
		}
		return err
	}}
	s.wanted = append(s.wanted, w)
	return func() (T, error) {
		w.asked.Store(true)
		return make()
	}
}

// warm computes what readers of the previous snapshot asked for, before this one serves its first
// reader. It computes one thing at a time, so it takes no more memory than one reader does. A reader
// gets the error of what fails.
func (s *Served) warm(ctx context.Context, before *Served, at time.Time) {
	for i, w := range before.wanted {
		if w.asked.Load() && ctx.Err() == nil {
			s.wanted[i].make(at) //nolint:errcheck // whoever asks gets the error
		}
	}
}

// newServed prepares a snapshot with the index that is made of it or was released with
// it.
func newServed(contents *sqlite.Contents, index *Vintage) *Served {
	p := contents.Panel
	s := &Served{Contents: contents, Vintage: index, Listings: check.Listings(p)}
	for _, b := range p.Banners() {
		if b.InIndex || b.Verified {
			s.PriceBanners = append(s.PriceBanners, b.Key)
		}
	}
	all := jevons.Options{Through: LastWeek(p)}
	s.Quality = wants(s, sync.OnceValues(func() (*jevons.Table, error) {
		return jevons.Compute(p, jevons.Options{Through: all.Through, Quality: true})
	}))
	s.Companions = map[string]func() (*Series, error){
		jevons.RegularSeries: wants(s, onceSeries(func() (*jevons.Table, error) { return jevons.Regular(p, s.Rows, all) })),
	}
	s.Grid = wants(s, sync.OnceValues(func() (*jevons.Coverage, error) {
		table, err := jevons.Compute(p, all)
		if err != nil {
			return nil, err
		}
		return jevons.NewCoverage(s.Rows, table), nil
	}))
	attrition := reply.Remember(func(closed panel.Week) (*check.Attrition, error) { return check.NewAttrition(p, closed), nil })
	aging := &want{make: func(at time.Time) error { _, err := attrition(index.LastClosed(at)); return err }}
	s.wanted = append(s.wanted, aging)
	s.Attrition = func(closed panel.Week) (*check.Attrition, error) {
		aging.asked.Store(true)
		return attrition(closed)
	}
	s.Prices = sync.OnceValue(func() *Prices { return newPrices(s) })
	// An event is history: what became of its listing since changes nothing.
	s.Shrinkages = sync.OnceValue(func() []shrink.Graded {
		all := shrink.Select(s.Events, shrink.Low, math.MinInt32, math.MaxInt32)
		return slices.DeleteFunc(all, func(g shrink.Graded) bool { return !s.Listings[g.Listing].Banner.InIndex })
	})
	s.Finder = sync.OnceValue(func() *find.Finder { return find.New(p.Products()) })
	s.Example = sync.OnceValue(func() compare.Example { return compare.NewExample(p) })
	s.Projection = sync.OnceValue(func() *compare.Projection { return compare.NewProjection(p, s.Rows) })
	// Its tag changes only when the catalog does, which is with few snapshots.
	s.Shopping = sync.OnceValue(func() *reply.Document {
		body := append(reply.AppendPlainJSON(nil, compare.Catalog(s.Projection())), '\n')
		return reply.NewDocument(reply.JSONType, body, "Cache-Control", reply.DocumentAge, "X-Robots-Tag", "noindex")
	})
	return s
}

// Catalog returns the active products by category slug, then name.
func (s *Served) Catalog() (list []*basket.Product) {
	for i := range s.Panel.Products() {
		if p := &s.Panel.Products()[i]; p.Active {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(x, y *basket.Product) int {
		return cmp.Or(cmp.Compare(x.Category.String(), y.Category.String()), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// products returns the catalog as rows of /api/v1/products.
func (s *Served) products() []wire.Product {
	list := []wire.Product{}
	for _, p := range s.Catalog() {
		list = append(list, wire.Product{
			ID: p.ID, Name: p.Name, Category: p.Category.String(), Subcategory: wire.Text(p.Subcategory),
			StandardSize: p.StandardSize, Unit: p.Unit.String(), BasketWeight: p.Weight,
		})
	}
	return list
}

// Places says where the prices of the newest published week are from.
func (s *Served) Places(at time.Time) words.Places {
	return words.PlacesOf(s.Panel, min(s.Vintage.LastClosed(at), LastWeek(s.Panel)))
}

// About says whose prices are served. Without a snapshot it has the texts of one
// without settings.
func (s *Served) About() *panel.About {
	if s == nil {
		return &panel.About{BaseWeek: panel.DefaultBaseWeek}
	}
	return s.Panel.About()
}

// InExample puts a city and a chain of the snapshot into a refusal's message.
func (s *Served) InExample(message string) string {
	if s == nil {
		return message
	}
	return s.Example().In(message)
}

// NameIn sets the headers that name the snapshot and the release of an answer.
func (s *Served) NameIn(h http.Header) {
	if s != nil {
		s.Vintage.NameIn(h)
	}
}
