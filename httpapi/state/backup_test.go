package state

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestBackup backs a state up under load, again and again into one file. Each backup has what was
// answered before it, is whole, and serves.
func TestBackup(t *testing.T) {
	db, c := serving(t)
	k, secret := newKey(t, db, NewKey{})
	var mu sync.Mutex
	answered := map[string]bool{}
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for i := range 4 {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				e := ok(k)
				e.Query, e.Limit = fmt.Sprintf("n=%d-%d", i, n), k.Limits.PerMonth
				if err := db.Append(context.Background(), e); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				answered[e.Query] = true
				mu.Unlock()
			}
		})
	}
	out := filepath.Join(t.TempDir(), "backup.db")
	for range 5 {
		for {
			mu.Lock()
			n := len(answered)
			mu.Unlock()
			if n >= 100 {
				break
			}
			check(db.Ping(t.Context()))
		}
		mu.Lock()
		before := answered
		answered = map[string]bool{}
		mu.Unlock()
		keys, requests := must2(Backup(t.Context(), db.path, out))
		onlyFile(t, out)
		if info := must(os.Stat(out)); info.Mode().Perm() != 0o600 || keys != 1 || requests != count(t, out, "SELECT count(*) FROM requests") {
			t.Errorf("%v with %d keys and %d requests", info.Mode(), keys, requests)
		}
		for query := range before {
			if count(t, out, "SELECT count(*) FROM requests WHERE query = $1", query) != 1 {
				t.Fatalf("%s was answered and is not in the backup", query)
			}
		}
		if n, sum := count(t, out, "SELECT counted FROM quotas"), count(t, out, "SELECT sum(counted) FROM daily_usage"); n != requests || sum != n {
			t.Errorf("%d counted, %d in the sums, %d requests", n, sum, requests)
		}
	}
	stop()
	wg.Wait()
	served := open(t, out, Options{Serve: true, Now: c.now})
	must(served.Lookup(t.Context(), secret))
	check(served.Append(t.Context(), ok(k)))
}

// TestBackupRefused asks for backups that can't be made, or not there. What was there stays.
func TestBackupRefused(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	db := open(t, in("state.db"), Options{})
	newKey(t, db, NewKey{})
	for range 100 {
		newKey(t, db, NewKey{Name: strings.Repeat("x", 100)})
	}
	must2(Backup(t.Context(), db.path, in("backup.db")))
	damaged := bytes.Clone(must(os.ReadFile(in("backup.db"))))
	for i := 4096 * 2; i < len(damaged); i += 512 {
		damaged[i] ^= 0xff
	}
	check(os.WriteFile(in("damaged.db"), damaged, 0o600))
	check(os.WriteFile(in("notes.txt"), bytes.Repeat([]byte("notes\n"), 100), 0o600))
	check(os.WriteFile(in("empty.db"), nil, 0o600))
	check(os.Symlink(db.path, in("link.db")))
	other := open(t, in("other.db"), Options{Serve: true})
	newKey(t, other, NewKey{})
	crashed := open(t, in("crashed.db"), Options{})
	newKey(t, crashed, NewKey{})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, x := range []struct {
		ctx                  context.Context
		from, to, want, name string
	}{
		{nil, "state.db", "state.db", "it is the state itself; give another file", "itself"},
		{nil, "state.db", "link.db", "it is the state itself", "by a link"},
		{nil, "state.db", "notes.txt", "not a Larder state: it is no SQLite file", "a text"},
		{nil, "state.db", "other.db", "it is no backup: its server runs, or was killed", "a server's"},
		{nil, "state.db", "crashed.db", "it is no backup", "in use"},
		{nil, "state.db", "none/backup.db", "none/backup.db: no such file or directory", "no folder"},
		{nil, "none.db", "backup.db", "file does not exist", "no state"},
		{nil, "empty.db", "backup.db", "it is empty", "empty"},
		{nil, "damaged.db", "backup.db", "damaged.db", "damaged"},
		{cancelled, "state.db", "backup.db", context.Canceled.Error(), "interrupted"},
	} {
		before := must(os.ReadFile(in("backup.db")))
		there, _ := os.ReadFile(in(x.to))
		ctx := x.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		if _, _, err := Backup(ctx, in(x.from), in(x.to)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
		if now, _ := os.ReadFile(in(x.to)); !bytes.Equal(now, there) || !bytes.Equal(before, must(os.ReadFile(in("backup.db")))) {
			t.Errorf("%s: a file was changed", x.name)
		}
		if left, _ := filepath.Glob(in(".*.tmp")); len(left) > 0 {
			t.Errorf("%s: %v is left", x.name, left)
		}
	}
	if _, _, err := Backup(t.Context(), "postgres://larder:secret@127.0.0.1:1/larder", in("new.db")); err == nil ||
		!strings.Contains(err.Error(), "pg_dump") || strings.Contains(err.Error(), "secret") {
		t.Errorf("on PostgreSQL: %v", err)
	}
	age(t, db, 4)
	must2(Backup(t.Context(), db.path, in("backup.db")))
	if n := count(t, in("backup.db"), "SELECT user_version FROM pragma_user_version"); n != 4 {
		t.Errorf("a backup of version 4 has version %d", n)
	}
}
