package apitest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

// Releases are a snapshot in service, a release log and the key that signs it.
type Releases struct {
	Live, Log string
	Key       note.Signer
	Verifier  string
}

// newReleases returns the paths of files in a folder, which do not exist yet, and a key.
func newReleases(dir string) (*Releases, error) {
	x := &Releases{Live: filepath.Join(dir, "live.db"), Log: filepath.Join(dir, "releases.db")}
	var err1, err2 error
	x.Verifier, err1 = releaselog.NewKey(filepath.Join(dir, "key"), releaselog.DefaultOrigin)
	if err1 == nil {
		x.Key, err2 = releaselog.ReadKey(filepath.Join(dir, "key"))
	}
	return x, cmp.Or(err1, err2)
}

func (x *Releases) publish(db, note string, now time.Time, accept []string) (*releaselog.Release, error) {
	o := releaselog.Options{Next: db, Live: x.Live, Log: x.Log, Note: note, Signer: x.Key, Now: now}
	for _, rule := range accept {
		o.Accept = append(o.Accept, releaselog.Accepted{ID: rule + "*", Reason: "a test"})
	}
	r, err := releaselog.Publish(context.Background(), o)
	if stopped, ok := errors.AsType[*releaselog.Stopped](err); ok {
		for _, f := range stopped.Stops {
			err = fmt.Errorf("%w: %s", err, f.Text())
		}
	}
	return r.Release, err
}

// Publish releases a snapshot at the server's time. accept names stop rules.
func (x *Releases) Publish(t testing.TB, f *Server, db, note string, accept ...string) *releaselog.Release {
	t.Helper()
	r, err := x.publish(db, note, f.Clock.Now(), accept)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Serve starts another server on the same files, at a time.
func (x *Releases) Serve(t testing.TB, now time.Time, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	f := start(t, "", change, func(clock func() time.Time) *prepared.Snapshots {
		return prepared.NewReleasedSnapshots(x.Live, x.Log, clock)
	})
	f.Clock.Set(now)
	f.Look(false)
	return f
}

// firstRelease is a Monday at 08:30 in Toronto.
var firstRelease = time.Date(2026, time.October, 26, 12, 30, 0, 0, time.UTC)

// delivery is how long a row takes from the shop to the snapshot. Those of late Sunday evening
// miss the release of Monday morning.
const delivery = 12 * time.Hour

// weekly are the snapshots of a panel on firstRelease and on the next three Mondays.
var weekly = sync.OnceValue(func() (paths []string) {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(Now), Weeks: 12})
	must(err)
	before := ""
	for i := range 4 {
		now := firstRelease.AddDate(0, 0, 7*i)
		m := market(d, func(o *panel.Observation) bool { return o.ObservedAt.Add(delivery).Before(now) })
		folder := filepath.Join(dir(), "weekly-"+now.Format(time.DateOnly))
		must(m.Write(folder))
		db := folder + ".db"
		if before != "" {
			must(os.WriteFile(db, Read(before), 0o600))
		}
		_, err := sqlite.Import(context.Background(), folder, db, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect})
		must(err)
		before = db
		paths = append(paths, db)
	}
	return paths
})

// Snapshots returns the snapshots to release, one a week.
func (x *Releases) Snapshots(testing.TB) []string { return weekly() }

// history are the releases of the weekly snapshots, each at its Monday, and what is in their files after each.
var history = sync.OnceValues(func() (x *Releases, after [][2][]byte) {
	folder := filepath.Join(dir(), "history")
	must(os.Mkdir(folder, 0o700))
	x, err := newReleases(folder)
	must(err)
	for i, db := range weekly() {
		_, err := x.publish(db, "", firstRelease.AddDate(0, 0, 7*i), nil)
		must(err)
		after = append(after, [2][]byte{Read(x.Log), Read(x.Live)})
	}
	return x, after
})

// Weekly releases the weekly snapshots, up to n, each at its Monday, and has the server look. each is called after a
// release, with its id.
func (x *Releases) Weekly(t testing.TB, f *Server, n int, each func(id string)) {
	t.Helper()
	made, after := history()
	x.Key, x.Verifier = made.Key, made.Verifier
	for i := range n {
		f.Clock.Set(firstRelease.AddDate(0, 0, 7*i))
		Replace(t, x.Log, after[i][0])
		Replace(t, x.Live, after[i][1])
		if f.Look(false); each != nil {
			each(fmt.Sprint("r", i+1))
		}
	}
}

// ServeReleases starts a server on firstRelease, before anything is released.
func ServeReleases(t testing.TB, change ...func(*httpapi.Config)) (*Server, *Releases) {
	t.Helper()
	x, err := newReleases(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return x.Serve(t, firstRelease, change...), x
}

var demoReleased = sync.OnceValue(func() *prepared.Snapshots {
	_, db := Demo()
	return released("released", db)
})

// released has a snapshot in service that was released at Now. The folder is a new one among those of the panels.
func released(name, db string) *prepared.Snapshots {
	folder := filepath.Join(dir(), name)
	must(os.Mkdir(folder, 0o700))
	x, err := newReleases(folder)
	must(err)
	_, err = x.publish(db, "The first release", Now, nil)
	must(err)
	s := prepared.NewReleasedSnapshots(x.Live, x.Log, func() time.Time { return Now })
	must(s.Refresh(context.Background()))
	return s
}

// ServeReleased starts a server on the demo snapshot, which was released at Now.
func ServeReleased(t testing.TB, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	return start(t, "", change, func(func() time.Time) *prepared.Snapshots { return demoReleased() })
}

// Reference is the projection of the demo snapshot, made beside the server.
var Reference = sync.OnceValue(func() *compare.Projection {
	_, db := Demo()
	all, err := sqlite.LoadAll(context.Background(), db)
	must(err)
	return compare.NewProjection(all.Panel, all.Rows)
})

// List parses a shopping list in its textual form.
func List(t testing.TB, city, items string, stores ...string) compare.Request {
	t.Helper()
	list, err := compare.ParseItems(items)
	if err != nil {
		t.Fatal(err)
	}
	return compare.Request{City: city, Items: list, Stores: stores}
}

// Body is a list as POST sends it.
func Body(t testing.TB, list compare.Request) string {
	t.Helper()
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Query is a list as GET sends it.
func Query(list compare.Request) string { return "?" + parameters(list) }

// PageURL is the address of the page that shows a list, with items by id and stores by key.
func PageURL(base string, list compare.Request) string {
	list.Items, list.Stores = slices.Clone(list.Items), slices.Sorted(slices.Values(list.Stores))
	slices.SortFunc(list.Items, func(a, b compare.Item) int { return int(a.ID - b.ID) })
	return base + compare.ShopperPath + "#" + parameters(list)
}

// Items is the textual form of a list's items.
func Items(list compare.Request) string {
	var items []string
	for _, it := range list.Items {
		items = append(items, fmt.Sprintf("%dx%s", it.ID, it.Qty))
	}
	return strings.Join(items, ",")
}

func parameters(list compare.Request) string {
	text := "city=" + list.City + "&items=" + Items(list)
	for _, x := range []struct {
		name  string
		words []string
	}{{"stores", list.Stores}, {"include", list.Include}, {"conditions", list.Conditions}} {
		if len(x.words) > 0 {
			text += "&" + x.name + "=" + strings.Join(x.words, ",")
		}
	}
	return text
}

// Compared returns the comparison of a list that package compare makes, with its links.
func Compared(t testing.TB, p *compare.Projection, list compare.Request, now time.Time) *compare.Result {
	t.Helper()
	result, err := compare.Evaluate(p, list, now)
	if err != nil {
		t.Fatal(err)
	}
	return result.WithLinks("https://larder.example")
}
