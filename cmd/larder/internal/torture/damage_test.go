//go:build linux && torture

package torture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const page = 4096

// damage is a snapshot that must not be served.
type damage struct {
	name    string
	content []byte // nil: none
	beside  string // a file that lies beside it
	reason  string
}

// damages are all kinds of it, of a snapshot that would be served otherwise.
func damages(t *testing.T, good []byte) (all []damage) {
	edit := func(f func(b []byte)) []byte {
		b := bytes.Clone(good)
		f(b)
		return b
	}
	add := func(name string, content []byte, reason string) {
		all = append(all, damage{name: name, content: content, reason: reason})
	}
	add("zero-length", []byte{}, "not_a_snapshot")
	for _, n := range []int{1, 15, 16, 17, 59, 60, 64, 68, 72, 99} {
		add(fmt.Sprintf("cut off after %d bytes", n), good[:n], "not_a_snapshot")
	}
	for _, n := range []int{100, 101, page - 1, page, page + 1, len(good) / 3, len(good) / 2, len(good) - page, len(good) - 41, len(good) - 1} {
		add(fmt.Sprintf("cut off after %d bytes", n), good[:n], "changed_since_published")
	}
	add("with a page more", append(bytes.Clone(good), make([]byte, page)...), "changed_since_published")
	r := rand.New(rand.NewPCG(7, 8))
	pages := len(good) / page
	for i := range min(pages, pick(20, pages)) {
		at := i * pages / min(pages, pick(20, pages)) * page
		bit := r.IntN(page * 8)
		for at == 0 && bit < 100*8 { // the head has its own below
			bit = r.IntN(page * 8)
		}
		add(fmt.Sprintf("bit %d of page %d flipped", bit, at/page), edit(func(b []byte) { b[at+bit/8] ^= 1 << (bit % 8) }), "changed_since_published")
	}
	const userVersion, applicationID = 60, 68
	version := binary.BigEndian.Uint32(good[userVersion:])
	for _, v := range []uint32{0, version - 1, version + 1, 1 << 31} {
		add(fmt.Sprintf("of version %d", v), edit(func(b []byte) { binary.BigEndian.PutUint32(b[userVersion:], v) }), "other_schema_version")
	}
	add("another program's", edit(func(b []byte) { b[applicationID] ^= 1 }), "not_a_snapshot")
	add("text", []byte(strings.Repeat("id,name\n", 999)), "not_a_snapshot")
	other := read(t, small(t, "2"))
	half := min(len(good), len(other)) / 2 / page * page
	add("half of another one", append(bytes.Clone(good[:half]), other[half:]...), "changed_since_published")
	for _, suffix := range []string{"-wal", "-journal"} {
		all = append(all, damage{suffix + " beside it", other, suffix, "opened_by_another_program"})
	}
	return append(all, damage{name: "none", reason: "missing"})
}

// put puts a file in the place of another one as import does.
func put(t *testing.T, path string, content []byte) {
	t.Helper()
	write(t, path+".new", content)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// Whatever takes the snapshot's place and is none, the server serves the old one
// on, to the byte, and says what is wrong in its log, its readiness and its
// metrics.
func TestServeDamaged(t *testing.T) {
	dir := t.TempDir()
	db, state := filepath.Join(dir, "panel.db"), filepath.Join(dir, "state.db")
	good := read(t, small(t, "1"))
	put(t, db, good)
	key := newKey(t, state)
	s := serve(t, db, state)
	want := answersOf(t, s, key)
	_, first := s.readiness(t)
	reasons := map[string]int{}
	for _, d := range damages(t, good) {
		lines := strings.Count(s.log.String(), `"msg":"snapshot refused"`)
		if d.beside != "" {
			write(t, db+d.beside, make([]byte, 32))
		}
		if d.content != nil {
			put(t, db, d.content)
		} else if err := os.Remove(db); err != nil {
			t.Fatal(err)
		}
		s.reload()
		var x ready
		eventually(t, d.name+": refused", func() bool { _, x = s.readiness(t); return x.Status != "ready" })
		if x.Status != "degraded" || x.Snapshot.File.Reason != d.reason || *x.Snapshot.Hash != *first.Snapshot.Hash {
			t.Errorf("%s: readiness %+v", d.name, x)
		}
		if v := s.metric(t, "larder_snapshot_file_served"); v != 0 {
			t.Errorf("%s: the metric says that it is served", d.name)
		}
		eventually(t, "logged", func() bool {
			return strings.Count(s.log.String(), `"msg":"snapshot refused"`) > lines
		})
		if !strings.Contains(s.log.String()[strings.LastIndex(s.log.String(), `"msg":"snapshot refused"`):], `"reason":"`+d.reason+`"`) {
			t.Errorf("%s: the log gives another reason", d.name)
		}
		if got := answersOf(t, s, key); !same(got, want) {
			t.Errorf("%s: another answer", d.name)
		}
		reasons[d.reason]++
		if d.beside != "" {
			os.Remove(db + d.beside)
		}
		put(t, db, good)
		s.reload()
		eventually(t, d.name+": ready again", func() bool { _, x = s.readiness(t); return x.Status == "ready" })
	}
	if _, x := s.readiness(t); x.Snapshot.Swaps != 0 {
		t.Errorf("%d swaps", x.Snapshot.Swaps)
	}
	t.Logf("promised: the old snapshot is served on, and what is wrong is said; seen: %v", reasons)
}

// paths are addresses that answer from every part of a snapshot.
var paths = []string{
	"/api/v1/products", "/api/v1/index?limit=400", "/api/v1/index?city=Toronto&level=city", "/api/v1/prices?limit=300",
	"/api/v1/shrinkflation?confidence=low", "/api/public/index?series=v1&limit=50",
}

// moment is the one part of an answer that two of them don't share.
var moment = regexp.MustCompile(`"generated_at":"[^"]*"`)

func normal(body []byte) string { return string(moment.ReplaceAll(body, nil)) }

// answersOf returns the answer and the tag of each path.
func answersOf(t *testing.T, s *server, key string) map[string][2]string {
	t.Helper()
	all, client := map[string][2]string{}, newClient(t)
	defer client.CloseIdleConnections()
	for _, path := range paths {
		got, err := get(client, s.public+path, key)
		if err != nil || got.status != 200 || len(got.body) < 50 {
			t.Fatalf("%s: %v %v\n%s", path, got, err, s.log.tail())
		}
		all[path] = [2]string{normal(got.body), got.header.Get("ETag")}
	}
	return all
}

func same(a, b map[string][2]string) bool {
	for path := range a {
		if a[path] != b[path] {
			return false
		}
	}
	return len(a) == len(b)
}
