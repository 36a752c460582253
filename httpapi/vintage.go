package httpapi

import (
	"cmp"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/releaselog"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// vintage is the index of one snapshot or of one release: its rows, and the words and lists
// that answers have beside them. A vintage never changes.
type vintage struct {
	number int              // of the release; 0 without one
	ref    *wire.ReleaseRef // as meta names the release; nil without a release log
	hash   string           // of the snapshot
	words  *panel.About
	base   panel.Week

	// Values of parameters, in byte order.
	cityNames    []string // display names
	indexBanners []string // keys of the index banners

	// What figures show besides.
	cities      []basket.City      // with slug and name
	banners     []basket.Banner    // of the index, with key and name
	annotations []panel.Annotation // by date

	v2 func() (*indexRows, error)
	v1 func() (*indexRows, error)
}

// newVintage returns the index that a snapshot's prices give.
func newVintage(all *sqlite.Contents) *vintage {
	p := all.Panel
	v := &vintage{hash: all.Info.Hash, words: p.About(), base: p.BaseWeek(), cities: p.Cities(), annotations: p.Annotations()}
	for _, c := range p.Cities() {
		v.cityNames = append(v.cityNames, c.Name)
	}
	for _, b := range p.Banners() {
		if b.InIndex {
			v.indexBanners = append(v.indexBanners, b.Key)
			v.banners = append(v.banners, b)
		}
	}
	v.v2 = sync.OnceValues(func() (*indexRows, error) {
		// All weeks of the snapshot, closed or not: which of them are published
		// depends on the clock, and no week changes another.
		table, err := jevons.Compute(p, jevons.Options{Through: lastWeek(p)})
		if err != nil {
			return nil, err
		}
		return newIndexRows(table), nil
	})
	v.v1 = sync.OnceValues(func() (*indexRows, error) { return newIndexRows(jevons.Pilot(p)), nil })
	return v
}

// releasedVintage returns the index as a release published it. Before the first release
// there are no rows, and the words are those of the first. A release of an earlier version
// kept no slugs and no names of banners: they are those of the panel p.
func releasedVintage(log *releaselog.Log, r *releaselog.Release, p *panel.Panel) *vintage {
	first := &log.Releases()[0]
	v := &vintage{ref: &wire.ReleaseRef{}, hash: first.Snapshot}
	context, pilot := first.Context, &jevons.Table{}
	if r != nil {
		v.number, v.hash, v.base = r.Number, r.Snapshot, r.Base
		v.ref = &wire.ReleaseRef{ID: r.ID(), ReleasedAt: r.At}
		context, pilot = r.Context, r.Context.Pilot
	}
	v.words, v.cityNames, v.indexBanners = panel.NewAbout(context.Settings), context.Cities, context.Banners
	if r == nil {
		v.base = v.words.BaseWeek
	}
	v.cities, v.banners, v.annotations = p.Cities(), p.Banners(), context.Annotations
	if len(context.Slugs) > 0 {
		v.cities, v.banners = nil, nil
		for _, name := range context.Cities {
			v.cities = append(v.cities, basket.City{Slug: context.Slugs[name], Name: name})
		}
		for _, key := range context.Banners {
			v.banners = append(v.banners, basket.Banner{Key: key, Name: context.BannerNames[key]})
		}
	}
	v.v2 = sync.OnceValues(func() (*indexRows, error) {
		table, err := log.Table(v.number)
		if err != nil {
			return nil, err
		}
		return newIndexRows(table), nil
	})
	v.v1 = sync.OnceValues(func() (*indexRows, error) { return newIndexRows(pilot), nil })
	return v
}

// id is how answers name the snapshot: the first 16 hex digits of its seal.
func (v *vintage) id() string { return v.hash[:16] }

// name sets the headers that say which snapshot and release an answer is made from.
func (v *vintage) name(h http.Header) {
	h.Set("X-Snapshot", v.id())
	h.Del("X-Release") // as_of may name another one
	if v.number > 0 {
		h.Set("X-Release", v.ref.ID)
	}
}

// tag differs between vintages, and so do their ETags.
func (v *vintage) tag() string {
	if v.number == 0 {
		return v.hash
	}
	return v.hash + " " + v.ref.ID
}

// lastClosed returns the last week that the answer may have: one that was over at its
// instant, and when the snapshot was released. A snapshot may have a part of the next.
func (c *call) lastClosed() panel.Week { return c.vintage.lastClosed(c.at) }

func (v *vintage) lastClosed(at time.Time) panel.Week {
	week := panel.LastClosed(at)
	if ref := v.ref; ref != nil && ref.ID != "" {
		week = min(week, panel.LastClosed(ref.ReleasedAt))
	}
	return week
}

// lastWeek returns the panel's last week, at least its base week.
func lastWeek(p *panel.Panel) panel.Week {
	last := p.BaseWeek()
	if weeks := p.Weeks(); len(weeks) > 0 {
		last = max(last, weeks[len(weeks)-1])
	}
	return last
}

// asOf has the call answer from the release that the parameter as_of names: by its id, or
// as the newest one at an instant. The clock of the answer is that instant, or the one of
// the release. Without the parameter the call answers from what is in service.
func (s *Server) asOf(c *call) error {
	text := c.query.Value("as_of")
	if text == "" || c.served == nil {
		return nil
	}
	r, err := s.Snapshots.releases.asOf(c, "as_of", text)
	if err != nil {
		return err
	}
	if c.at, err = time.Parse(time.RFC3339, text); err != nil {
		c.at = r.At // the text is an id
	}
	s.giveTurn(c) // others are answered while an old vintage is made
	c.vintage, err = s.Snapshots.releases.vintage(c.r.Context(), c.served, r)
	if err = cmp.Or(err, s.takeTurn(c)); err == nil {
		c.vintage.name(c.w.Header())
	}
	return err
}

// asOf returns the release that a parameter names: by its id, or as the newest one at an
// instant. It is nil before the first. A release whose snapshot is not in service yet does
// not count.
func (l *releases) asOf(c *call, name, text string) (*releaselog.Release, error) {
	log := l.log.Load()
	r, err := log.AsOf(text, c.now)
	if newest := c.served.number; err == nil && r != nil && r.Number > newest {
		if r = &log.Releases()[newest-1]; strings.HasPrefix(text, "r") {
			return nil, reply.Invalid(name, nil, "%s: there is no release %s; the newest is %s", name, reply.Quote(text), r.ID())
		}
	}
	if err != nil {
		return nil, reply.Invalid(name, nil, "%s: %s", name, err)
	}
	return r, nil
}
