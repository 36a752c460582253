//go:build linux && torture

package torture

import (
	"bytes"
	"net/http"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
)

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

// Replaced again and again under load, every answer is that of one of the
// snapshots, values and tag; then the server holds no more than before.
func TestServeReplaced(t *testing.T) {
	dir := t.TempDir()
	db, state := filepath.Join(dir, "panel.db"), filepath.Join(dir, "state.db")
	key := newKey(t, state)
	var contents [][]byte
	for _, seed := range []string{"1", "2", "3"} {
		contents = append(contents, read(t, small(t, seed)))
	}
	put(t, db, contents[0])
	s := serve(t, db, state, few)
	var known []map[string][2]string
	var hashes []string
	for i, c := range contents {
		put(t, db, c)
		s.reload()
		eventually(t, "served", func() bool {
			_, x := s.readiness(t)
			return x.Status == "ready" && (i == 0 || *x.Snapshot.Hash != hashes[i-1])
		})
		_, x := s.readiness(t)
		hashes, known = append(hashes, *x.Snapshot.Hash), append(known, answersOf(t, s, key))
	}
	before := s.rest(t, key)
	done := make(chan struct{})
	var asked atomic.Int64
	var seen [3]atomic.Int64
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			client := newClient(t)
			defer client.CloseIdleConnections()
			for i := worker; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				path := paths[i%len(paths)]
				got, err := get(client, s.public+path, key)
				if err != nil || got.status != http.StatusOK {
					t.Errorf("%s: %+v %v", path, got, err)
					return
				}
				is, n := [2]string{normal(got.body), got.header.Get("ETag")}, -1
				for k := range known {
					if known[k][path] == is {
						n = k
					}
				}
				if n < 0 {
					t.Errorf("%s: an answer of no snapshot, with the tag %s", path, is[1])
					return
				}
				seen[n].Add(1)
				asked.Add(1)
			}
		})
	}
	times := pick(30, 1000)
	for i := range times {
		content := contents[i%3]
		put(t, db, content)
		s.reload()
		if i%4 == 3 { // the others may be replaced before they are looked at
			eventually(t, "served", func() bool { _, x := s.readiness(t); return *x.Snapshot.Hash == hashes[i%3] })
		}
		if i%10 == 9 { // and one that is none in between
			put(t, db, bytes.Repeat([]byte{byte(i)}, 9999))
			s.reload()
		}
	}
	put(t, db, contents[1])
	s.reload()
	eventually(t, "the last one is served", func() bool {
		_, x := s.readiness(t)
		return *x.Snapshot.Hash == hashes[1] && x.Status == "ready"
	})
	close(done)
	wg.Wait()
	_, x := s.readiness(t)
	if !same(answersOf(t, s, key), known[1]) {
		t.Error("the last snapshot has other answers than before")
	}
	after := s.backTo(t, before, key)
	t.Logf("promised: each answer of exactly one snapshot; seen: %d replacements, %d swaps, %d answers of the three snapshots %d, %d, %d; held before %+v, after %+v",
		times, x.Snapshot.Swaps, asked.Load(), seen[0].Load(), seen[1].Load(), seen[2].Load(), before, after)
}
