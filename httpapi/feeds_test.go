package httpapi_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/state"
)

// feeds are the addresses that announce releases.
var feeds = []string{"/releases.json", "/releases.atom", "/releases/checkpoint"}

// TestFeeds reads the feeds after several releases and a restart. Each release is there once,
// under the same names.
func TestFeeds(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	before := map[string]string{}
	for i, db := range x.Snapshots(t) {
		if i > 0 {
			f.Clock.Advance(7 * 24 * time.Hour)
		}
		x.Publish(t, f, db, "")
		f.Look(false)
	}
	for _, path := range feeds {
		before[path] = string(f.Get(path, "").Content)
	}
	restarted := x.Serve(t, f.Clock.Now())
	for _, path := range feeds {
		if got := restarted.Get(path, ""); string(got.Content) != before[path] {
			t.Errorf("%s after a restart:\n%s\nwas\n%s", path, got.Content, before[path])
		}
	}

	hidden := x.Serve(t, f.Clock.Now(), func(c *httpapi.Config) { c.Public = figure.PublicNone })
	if text := string(hidden.Get("/releases.atom", "").Content); !strings.Contains(text, "<title>Release r4</title>") || strings.Contains(text, "%") {
		t.Errorf("nothing is public: %s", text)
	}

	titles := []string{"Grocery prices in 13 cities: no clear change since August, +0.5%", "Grocery prices in 13 cities: no clear change since August, +0.4%", "Grocery prices in 13 cities: no clear change since August, +0.2%", "Grocery prices in 12 cities: no clear change since August, +0.3%"}
	instants := []string{"2026-10-26T12:30:00Z", "2026-11-02T12:30:00Z", "2026-11-09T12:30:00Z", "2026-11-16T12:30:00Z"}
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	french := string(f.Get("/fr/releases.atom", "").Content)
	for _, part := range []string{"\u00a0: diffusions de l’indice des prix à l’épicerie</title>", "<title>Épicerie dans 13 villes\u00a0: rien de concluant depuis août, +0,5\u00a0%</title>", "<summary>Diffusion r4, feuille ", "/fr/releases#r4"} {
		if !strings.Contains(french, part) {
			t.Errorf("the French feed lacks %q: %.900s", part, french)
		}
	}
	check(xml.Unmarshal([]byte(before["/releases.atom"]), &feed))
	ids := map[string]bool{}
	for i, e := range feed.Entries {
		ids[e.ID] = true
		if e.Updated != instants[3-i] || !strings.HasPrefix(e.Summary, "Release r"+string('4'-rune(i))+", leaf ") || !strings.HasSuffix(e.Summary, " The first change in 52 weeks can be that of the week ending August 29, 2027.") || e.Title != titles[i] {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	if len(ids) != 4 || len(feed.Entries) != 4 || feed.Updated != instants[3] {
		t.Errorf("the feed has %+v", feed)
	}
	v := f.Get("/releases.json", "").JSON(t)
	if got := at(v, "releases.0.id") + at(v, "releases.3.id") + at(v, "planned.0"); got != `"r1""r4""2026-11-23T13:30:00Z"` {
		t.Errorf("announced %s", got)
	}
	if at(v, "planned.0") != at(f.Get("/api/v1/releases", f.Key(state.Research)).JSON(t), "meta.next_due") {
		t.Error("the next release is due at two times")
	}
}
