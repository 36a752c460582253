package httpapi

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/releaselog"
	"github.com/larder-index/larder/panel"
)

const (
	pathReleases   = "/releases.json"
	pathAtom       = "/releases.atom"
	pathCalendar   = "/releases.ics"
	pathCheckpoint = "/releases/checkpoint"

	pathReleasesPage = "/releases" // for people

	// feedAge is the Cache-Control of what announces releases: a new one is known within
	// minutes.
	feedAge = "public, max-age=300"

	plannedReleases = 8
)

// announcement holds the facts about releases that anybody may know. It has no note, count or figure of a release.
type announcement struct {
	baseURL  string
	tag      string // of the vintage in service
	about    *panel.About
	title    string
	releases []releaselog.Release // oldest first; at least one
	planned  []time.Time
}

// newest returns the release in service.
func (a *announcement) newest() *releaselog.Release { return &a.releases[len(a.releases)-1] }

// feedRoutes returns the routes that announce releases. Pages of any site may read them.
func (s *Server) feedRoutes() []*route {
	row := func(path, contentType string, fill func(*announcement) ([]byte, error)) *route {
		type edition struct {
			tag string
			due time.Time
			*reply.Document
		}
		var last atomic.Pointer[edition]
		return &route{"GET", path, access{}, nil, func(c *call) error {
			a, err := s.announce(c)
			if err != nil {
				return err
			}
			e := last.Load()
			if due := a.planned[0]; e == nil || e.tag != a.tag || !e.due.Equal(due) {
				body, err := fill(a)
				if err != nil {
					return err
				}
				e = &edition{a.tag, due, reply.NewDocument(contentType, body, "Cache-Control", feedAge, "X-Robots-Tag", "noindex", "Access-Control-Allow-Origin", "*")}
				last.Store(e)
			}
			return e.Serve(c.w, c.r)
		}}
	}
	return []*route{
		row(pathReleases, reply.JSONType, (*announcement).json),
		row(pathAtom, "application/atom+xml; charset=utf-8", (*announcement).atom),
		row(pathCalendar, "text/calendar; charset=utf-8", (*announcement).calendar),
		row(pathCheckpoint, "text/plain; charset=utf-8", func(a *announcement) ([]byte, error) { return []byte(a.newest().Checkpoint), nil }),
	}
}

// announce returns the announcement at the request's instant.
func (s *Server) announce(c *call) (*announcement, error) {
	served := s.Snapshots.At(c.now)
	switch {
	case s.Snapshots.Releases == nil:
		return nil, errNoLog
	case served == nil:
		return nil, errNothingReleased
	}
	about := served.Words
	a := &announcement{
		baseURL: s.BaseURL, tag: served.Tag(), about: about, title: about.Label(cmp.Or(about.Publisher, "Larder") + ": releases of the grocery price index"),
		releases: s.Snapshots.Releases.UpTo(served),
	}
	for at := c.now; len(a.planned) < plannedReleases; {
		at = about.NextRelease(at)
		a.planned = append(a.planned, at)
	}
	return a, nil
}

func (a *announcement) json() ([]byte, error) {
	body := wire.Announced{Title: a.title, Note: a.about.Notice(), Checkpoint: a.baseURL + pathCheckpoint, Planned: a.planned}
	for i := range a.releases {
		r := &a.releases[i]
		body.Releases = append(body.Releases, wire.AnnouncedRelease{ID: r.ID(), ReleasedAt: r.At, Leaf: leafText(r)})
	}
	b, err := json.Marshal(body)
	return append(b, '\n'), err
}

func leafText(r *releaselog.Release) string { return fmt.Sprintf("%x", r.Leaf[:]) }

// The elements of an Atom feed (RFC 4287).
type (
	atomFeed struct {
		XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID       string      `xml:"id"`
		Title    string      `xml:"title"`
		Subtitle string      `xml:"subtitle,omitempty"`
		Updated  time.Time   `xml:"updated"`
		Author   atomAuthor  `xml:"author"`
		Links    []atomLink  `xml:"link"`
		Entries  []atomEntry `xml:"entry"`
	}
	atomAuthor struct {
		Name string `xml:"name"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID      string    `xml:"id"`
		Title   string    `xml:"title"`
		Updated time.Time `xml:"updated"`
		Link    atomLink  `xml:"link"`
		Summary string    `xml:"summary"`
	}
)

// atom returns the Atom feed, newest release first. The id of an entry names its leaf
// (RFC 6920), so it survives a restart and a change of the server's address.
func (a *announcement) atom() ([]byte, error) {
	feed := atomFeed{
		ID: a.baseURL + pathAtom, Title: a.title, Subtitle: a.about.Notice(), Updated: a.newest().At,
		Author: atomAuthor{cmp.Or(a.about.Publisher, "Larder")},
		Links: []atomLink{
			{"self", "application/atom+xml", a.baseURL + pathAtom}, {"alternate", "application/json", a.baseURL + pathReleases},
			{"related", "text/calendar", a.baseURL + pathCalendar},
		},
	}
	for i := range slices.Backward(a.releases) {
		r := &a.releases[i]
		feed.Entries = append(feed.Entries, atomEntry{
			ID: "ni:///sha-256;" + base64.RawURLEncoding.EncodeToString(r.Leaf[:]), Title: a.about.Label("Release " + r.ID()), Updated: r.At,
			Link:    atomLink{"alternate", "text/html", a.baseURL + pathReleasesPage + "#" + r.ID()},
			Summary: "leaf " + leafText(r),
		})
	}
	b, err := xml.MarshalIndent(feed, "", " ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

// calendar returns past and planned releases as iCalendar events (RFC 5545). Times are in UTC,
// so no reader needs a time zone. The stamp of an event is the instant of its release; that of
// a planned event is the instant of the newest release.
func (a *announcement) calendar() ([]byte, error) {
	base, err := url.Parse(a.baseURL)
	if err != nil {
		return nil, err
	}
	cal := ics.NewCalendar()
	cal.SetProductId("-//Larder//Releases//EN")
	cal.SetName(a.title)
	if notice := a.about.Notice(); notice != "" {
		cal.SetDescription(notice)
		cal.SetXWRCalDesc(notice)
	}
	add := func(uid, summary, description string, at, stamp time.Time) {
		e := cal.AddEvent(uid)
		e.SetDtStampTime(stamp)
		e.SetStartAt(at)
		e.SetSummary(a.about.Label(summary))
		e.SetDescription(description)
		e.SetURL(a.baseURL + pathReleasesPage)
		e.SetTimeTransparency(ics.TransparencyTransparent)
	}
	for i := range a.releases {
		r := &a.releases[i]
		add(leafText(r), "Release "+r.ID(), "leaf "+leafText(r), r.At, r.At)
	}
	for _, at := range a.planned {
		add("planned-"+at.Format("20060102T150405Z")+"@"+base.Host, "Planned release", "A planned time may pass without a release.", at, a.newest().At)
	}
	return []byte(cal.Serialize(ics.WithNewLineWindows)), nil
}
