// Package feeds announces releases: as JSON, as an Atom feed, and as a checkpoint.
package feeds

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
)

// Addresses of the forms, and of the page of releases for people.
const (
	PathJSON       = "/releases.json"
	PathAtom       = "/releases.atom"
	PathCheckpoint = "/releases/checkpoint"
	PathPage       = "/releases"
)

const (
	plannedReleases = 8
	saidReleases    = 10 // whose entries say what the headline shows: each table takes time
)

// Announcement holds the facts about releases that anybody may know. It has no note or count of a release. Say says
// what its headline shows; nothing if that is not public.
type Announcement struct {
	baseURL  string
	Tag      string          // of the vintage in service
	Lang     *words.Language // of the feed
	about    *panel.About
	title    string
	releases []releaselog.Release // oldest first; at least one
	Say      func(*releaselog.Release) (title, notes string)
	Planned  []time.Time // the next one first
}

// New returns the announcement of a server at an instant, in a language.
func New(served *prepared.Snapshot, all *prepared.Releases, l *words.Language, baseURL string,
	now time.Time) *Announcement {
	about := served.Words
	a := &Announcement{
		baseURL: baseURL, Tag: served.Tag(), Lang: l, about: about, releases: all.UpTo(served),
		title: l.Label(about, l.T("{publisher}: releases of the grocery price index",
			cmp.Or(about.Publisher, "Larder"))),
	}
	for at := served.NextDue(now); len(a.Planned) < plannedReleases; at = about.NextRelease(at) {
		a.Planned = append(a.Planned, at)
	}
	return a
}

func (a *Announcement) newest() *releaselog.Release { return &a.releases[len(a.releases)-1] }

// JSON returns the announcement for programs.
func (a *Announcement) JSON() ([]byte, error) {
	body := wire.Announced{Title: a.title, Note: a.about.Notice(), Checkpoint: a.baseURL + PathCheckpoint,
		Planned: a.Planned}
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
		Author   string      `xml:"author>name"`
		Links    []atomLink  `xml:"link"`
		Entries  []atomEntry `xml:"entry"`
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

// Atom returns the Atom feed, newest release first. The id of an entry names its leaf
// (RFC 6920), so it survives a restart and a change of the server's address.
func (a *Announcement) Atom() ([]byte, error) {
	address := a.baseURL + a.Lang.At(PathAtom)
	feed := atomFeed{
		ID: address, Title: a.title, Subtitle: a.Lang.T(a.about.Notice()), Updated: a.newest().At,
		Author: cmp.Or(a.about.Publisher, "Larder"),
		Links: []atomLink{
			{"self", "application/atom+xml", address}, {"alternate", "application/json", a.baseURL + PathJSON},
		},
	}
	for i := range slices.Backward(a.releases) {
		r, title, notes := &a.releases[i], "", ""
		if len(a.releases)-i <= saidReleases {
			title, notes = a.Say(r)
		}
		feed.Entries = append(feed.Entries, atomEntry{
			ID:    "ni:///sha-256;" + base64.RawURLEncoding.EncodeToString(r.Leaf[:]),
			Title: a.Lang.Label(a.about, cmp.Or(title, a.Lang.T("Release {id}", r.ID()))), Updated: r.At,
			Link:    atomLink{"alternate", "text/html", a.baseURL + a.Lang.At(PathPage) + "#" + r.ID()},
			Summary: a.Lang.T("Release {id}, leaf {hash}", r.ID(), leafText(r)) + notes,
		})
	}
	b, err := xml.MarshalIndent(feed, "", " ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

// Checkpoint returns the checkpoint of the newest release as text.
func (a *Announcement) Checkpoint() ([]byte, error) { return []byte(a.newest().Checkpoint), nil }
