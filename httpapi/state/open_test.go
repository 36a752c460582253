package state

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// onlyFile checks that no other file is beside a closed state.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries := must(os.ReadDir(filepath.Dir(path)))
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("beside the state: %v", entries)
	}
}

// makeFile makes an SQLite file by statements.
func makeFile(t *testing.T, statements string) string {
	t.Helper()
	path := statePath(t)
	db := must(sql.Open("sqlite3", "file:"+path))
	defer db.Close()
	must(db.Exec(statements))
	return path
}

// TestRefusedFiles opens files that are not a state of this version. They stay unchanged.
func TestRefusedFiles(t *testing.T) {
	text := statePath(t)
	check(os.WriteFile(text, bytes.Repeat([]byte("id,name\n"), 999), 0o644))
	short := statePath(t)
	check(os.WriteFile(short, []byte("x"), 0o644))
	nowhere := statePath(t)
	check(os.Symlink(nowhere+".gone", nowhere))
	for _, c := range []struct {
		name, path string
		is         error
		want       string
	}{
		{"text", text, ErrNotState, "not a Larder state: it is no SQLite file"},
		{"short", short, ErrNotState, "not a Larder state: it is no SQLite file"},
		{"a folder", t.TempDir(), ErrNotState, "it is no regular file"},
		{"another program's", makeFile(t, "CREATE TABLE t (a)"), ErrNotState,
			"its application_id is 0x00000000, not 0x4c525354; give a file that larder keys create made, or one " +
				"that does not exist"},
		{"a snapshot", makeFile(t, "PRAGMA application_id = 0x4C524452; PRAGMA user_version = 1; CREATE TABLE t (a)"),
			ErrNotState,
			"its application_id is 0x4c524452, not 0x4c525354"},
		{"newer", makeFile(t, "PRAGMA application_id = 0x4C525354; PRAGMA user_version = 7; CREATE TABLE t (a)"),
			ErrNotState,
			"its schema version is 7, this larder knows 6; use a newer larder"},
		{"older", makeFile(t, "PRAGMA application_id = 0x4C525354; PRAGMA user_version = 2; CREATE TABLE t (a)"),
			ErrNotState,
			"its schema version is 2, this larder knows 6; use the larder that made it, or make a new one"},
		{"no version", makeFile(t, "PRAGMA application_id = 0x4C525354; CREATE TABLE t (a)"), ErrNotState,
			"its schema version is 0"},
		{"a broken link", nowhere, nil, ""},
		{"no folder", filepath.Join(t.TempDir(), "none", "state.db"), nil, "no such file or directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _ := os.ReadFile(c.path)
			for _, serve := range []bool{false, true} {
				_, err := Open(t.Context(), c.path, Options{Now: newClock().now, Serve: serve})
				if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) ||
					!strings.Contains(err.Error(), c.path) {
					t.Errorf("got %v, want %s", err, c.want)
				}
			}
			if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
			if len(before) > 0 {
				onlyFile(t, c.path)
			}
		})
	}
}

// TestName shows addresses of databases without their passwords.
func TestName(t *testing.T) {
	for path, want := range map[string]string{
		"larder-state.db": "larder-state.db",
		"postgres://a:secret@h:5432/d?sslmode=verify-full": "postgres://a:xxxxx@h:5432/d?sslmode=verify-full",
		"postgresql://h/d?password=secret&sslpassword=s2":  "postgresql://h/d?password=xxxxx&sslpassword=xxxxx",
		"postgres://a:secret@h:%zz/d":                      "postgres://...",
	} {
		if got := Name(path); got != want {
			t.Errorf("%s is shown as %s", path, got)
		}
	}
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c%#.db") // no part of it is a parameter
	if _, err := Open(t.Context(), path, Options{Now: newClock().now, Existing: true}); !errors.Is(err,
		fs.ErrNotExist) ||
		err.Error() != "open state "+path+": file does not exist; larder keys create makes a new one" {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was made")
	}
	db := open(t, path, Options{Serve: true})
	newKey(t, db, NewKey{})
	for _, suffix := range []string{"", "-wal", "-shm", lockSuffix} {
		info, err := os.Stat(path + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", suffix, info, err)
		}
	}
	check(os.Chmod(path, 0o660)) // from now on a group may use it
	check(open(t, path, Options{Existing: true}).Close())
	for _, suffix := range []string{"-wal", "-shm"} {
		if info := must(os.Stat(path + suffix)); info.Mode().Perm() != 0o660 {
			t.Errorf("%s: %v", suffix, info.Mode())
		}
	}
	check(db.Close())
	onlyFile(t, path)
	db = open(t, path, Options{Existing: true})
	if keys, err := db.Keys(t.Context()); len(keys) != 1 || err != nil {
		t.Error(keys, err)
	}
	for query, want := range map[string]int64{"PRAGMA foreign_keys": 1, "PRAGMA synchronous": 2,
		"PRAGMA busy_timeout": 5000} {
		var n int64
		if _, err := write(t.Context(), db, func(t tx) (int, error) { return 0, t.row(query).Scan(&n) }); n != want ||
			err != nil {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
	// A crash may leave an empty file. It becomes a new state.
	empty := statePath(t)
	check(os.WriteFile(empty, nil, 0o600))
	open(t, empty, Options{})

	if _, err := Open(t.Context(), path, Options{Now: func() time.Time { return time.Time{} }}); err == nil ||
		err.Error() != "state: the clock says 0001-01-01T00:00:00Z; set it to a time in the years 1970 to 2199" {
		t.Errorf("got %v", err)
	}
}

// TestOneServer opens a state twice for serving, also by a link. The second is refused.
// Other processes may change keys, and the server sees the change at once.
func TestOneServer(t *testing.T) {
	db, _ := serving(t)
	link := filepath.Join(t.TempDir(), "link.db")
	check(os.Symlink(db.path, link))
	for _, path := range []string{db.path, link} {
		_, err := Open(t.Context(), path, Options{Now: newClock().now, Serve: true})
		if !errors.Is(err, ErrServing) ||
			err.Error() != "open state "+path+": another server is using this state; stop it first, or give this "+
				"one a state of its own" {
			t.Errorf("got %v", err)
		}
	}
	admin := open(t, link, Options{})
	k, secret := newKey(t, admin, NewKey{})
	must(db.Lookup(t.Context(), secret))
	must(admin.DisableKey(t.Context(), k.ID))
	if _, err := db.Lookup(t.Context(), secret); err != ErrKeyDisabled {
		t.Error(err)
	}
	check(db.Close())
	again := open(t, link, Options{Serve: true})
	check(again.Append(t.Context(), ok(k)))
}

// TestOpenAtOnce makes a file from eight goroutines. They share one state.
func TestOpenAtOnce(t *testing.T) {
	path := statePath(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			db, err := Open(context.Background(), path, Options{Now: newClock().now})
			if err != nil {
				t.Error(err)
				return
			}
			must2(db.CreateKey(context.Background(), NewKey{Name: "a", Tier: Research}))
			check(db.Close())
		})
	}
	wg.Wait()
	if keys, err := open(t, path, Options{}).Keys(t.Context()); len(keys) != 8 || err != nil {
		t.Error(len(keys), err)
	}
}

// TestReplaced replaces or deletes the file of a server. The server refuses every call, and
// other processes refuse to open the file.
func TestReplaced(t *testing.T) {
	other := statePath(t)
	newKey(t, open(t, other, Options{}), NewKey{})
	for name, replace := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"replaced": func(path string) error { return os.Rename(other, path) },
	} {
		path := statePath(t)
		server := open(t, path, Options{Serve: true})
		_, secret := newKey(t, server, NewKey{})
		token, _ := must2(server.SignIn(t.Context(), secret))
		check(errors.Join(server.Ping(t.Context()), replace(path)))
		_, err1 := server.Lookup(t.Context(), secret)
		_, err2 := server.Session(t.Context(), token)
		_, err3 := Open(t.Context(), path, Options{Now: newClock().now})
		_, err4 := Open(t.Context(), path, Options{Now: newClock().now, Existing: true})
		for call, err := range map[string]error{"Lookup": err1, "Session": err2, "Ping": server.Ping(t.Context()),
			"Open": err3, "Open existing": err4} {
			if !errors.Is(err, ErrReplaced) {
				t.Errorf("%s, %s: %v", name, call, err)
			}
		}
		check(server.Close())
		if _, err := Open(t.Context(), path, Options{Now: newClock().now, Existing: name == "replaced"}); err != nil {
			t.Errorf("%s, after the server ended: %v", name, err)
		}
	}
}
