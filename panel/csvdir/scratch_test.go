package csvdir

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

// export writes an empty panel directory.
func export(t testing.TB, dir string) {
	t.Helper()
	w, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	writeAll(t, w)
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

func writeAll(t testing.TB, w *Writer) {
	t.Helper()
	for _, err := range []error{
		WriteSorted(w, Cities, []basket.City{{Slug: "a", Name: "A", Province: "ON"}}), WriteSorted(w, Products, nil),
		WriteSorted(w, Banners, nil), WriteSorted(w, Stores, nil), WriteSorted(w, Listings, nil), WriteSorted(w, Observations, nil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// names returns the files in a folder, hidden ones too.
func names(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// holds fails unless the folder has these files and no others, in any order.
func holds(t testing.TB, dir string, want ...string) {
	t.Helper()
	if got := names(t, dir); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%s has %v, want %v", dir, got, want)
	}
}

var written = []string{"banners.csv", "cities.csv", "observations.csv", "products.csv", "retailer_products.csv", "stores.csv"}

// TestCreateFillsFolder writes to folders of every kind. They are filled, not replaced.
func TestCreateFillsFolder(t *testing.T) {
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Stat(dir)
		export(t, dir)
		after, _ := os.Stat(dir)
		if !os.SameFile(before, after) || after.Mode() != before.Mode() {
			t.Errorf("the folder is another one: %v, then %v", before.Mode(), after.Mode())
		}
		holds(t, dir, written...)
	})
	t.Run("link", func(t *testing.T) {
		parent := t.TempDir()
		dir, link := filepath.Join(parent, "real"), filepath.Join(parent, "link")
		os.Mkdir(dir, 0o755)
		if err := os.Symlink("real", link); err != nil {
			t.Skip(err)
		}
		export(t, link)
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link has become %v, %v", info, err)
		}
		holds(t, dir, written...)
		holds(t, parent, "link", "real")
	})
	t.Run("here", func(t *testing.T) {
		t.Chdir(t.TempDir())
		export(t, ".")
		holds(t, ".", written...)
	})
	t.Run("new", func(t *testing.T) {
		parent := t.TempDir()
		export(t, filepath.Join(parent, "out")+string(filepath.Separator))
		holds(t, filepath.Join(parent, "out"), written...)
		holds(t, parent, "out")
	})
}

func TestCreateRefuses(t *testing.T) {
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	os.WriteFile(at("file"), nil, 0o644)
	if err := os.Symlink("nowhere", at("dangling")); err != nil {
		t.Skip(err)
	}
	before := names(t, parent)
	for _, c := range []struct{ dir, want string }{
		{at("file"), "it is a file, not a folder"},
		{at("dangling"), "it is a symbolic link to something that does not exist"},
		{at("none/out"), "there is no folder " + at("none") + " to make it in"},
		{parent, "it is not empty (it has dangling); give a new or an empty folder"},
	} {
		_, err := Create(c.dir, WriteOptions{})
		if want := "csvdir: " + c.dir + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := Create(at("file/out"), WriteOptions{}); err == nil || !strings.HasPrefix(err.Error(), "csvdir: "+at("file/out")+": ") || strings.Contains(err.Error(), "tmp-") {
		t.Errorf("below a file: %v", err)
	}
	holds(t, parent, before...)
}

func TestCreateWithoutPermission(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("permissions do not bind this user")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	os.Mkdir(dir, 0o555)
	os.Chmod(parent, 0o555)
	defer os.Chmod(parent, 0o755)
	for _, place := range []string{dir, filepath.Join(parent, "new")} {
		if _, err := Create(place, WriteOptions{}); err == nil || err.Error() != "csvdir: "+place+": permission denied" {
			t.Errorf("got %v", err)
		}
	}
}

// TestCommitRefuses commits to a folder that got a file meanwhile. It is not overwritten.
func TestCommitRefuses(t *testing.T) {
	for _, exists := range []bool{false, true} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		want := "csvdir: " + dir + ": something was put there meanwhile"
		if exists {
			os.Mkdir(dir, 0o755)
			want = "csvdir: " + dir + ": it is not empty (it has cities.csv); give a new or an empty folder"
		}
		w, err := Create(dir, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, w)
		os.MkdirAll(dir, 0o755)
		os.WriteFile(filepath.Join(dir, "cities.csv"), []byte("mine"), 0o644)
		if err := w.Commit(); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if b, _ := os.ReadFile(filepath.Join(dir, "cities.csv")); string(b) != "mine" {
			t.Errorf("the file has become %q", b)
		}
		if got := append(names(t, parent), names(t, dir)...); !slices.Equal(got, []string{"out", "cities.csv"}) {
			t.Errorf("left behind: %v", got)
		}
		if err := w.Commit(); err == nil {
			t.Error("committed twice")
		}
		if err := WriteSorted(w, Stores, nil); err == nil {
			t.Error("written after the end")
		}
	}
}

// TestFillOrder lets each move fail in turn. The moves before it are undone. The observations
// are moved last.
func TestFillOrder(t *testing.T) {
	defer func() { renameFile = os.Rename }()
	for fail := range len(written) + 1 {
		dir := t.TempDir()
		w, err := Create(dir, WriteOptions{Gzip: true})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, w)
		var moves []string
		renameFile = func(from, to string) error {
			if len(moves) == fail {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrPermission}
			}
			moves = append(moves, filepath.Base(to))
			return os.Rename(from, to)
		}
		err = w.Commit()
		if fail == len(written) {
			if err != nil || moves[fail-1] != "observations.csv.gz" {
				t.Errorf("moved %v: %v", moves, err)
			}
			continue
		}
		if want := "csvdir: " + dir + ": " + fs.ErrPermission.Error(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		holds(t, dir)
	}
}

// die leaves a folder as a killed process does, with files and without the lock.
func die(t testing.TB, s *scratch) {
	t.Helper()
	if s.lock == nil {
		t.Skip("nothing can be locked here")
	}
	if err := os.WriteFile(filepath.Join(s.dir, "cities.csv"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.lock.Close()
}

func TestCreateSweeps(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	others := []string{".other.tmp-" + strings.Repeat("A", suffixLen), ".out.tmp-mine", ".out.tmp-" + strings.Repeat("B", suffixLen)}
	for _, name := range others {
		os.Mkdir(filepath.Join(parent, name), 0o755)
		os.WriteFile(filepath.Join(parent, name, "keep"), nil, 0o644) // no lock file: not ours
	}
	for range 3 {
		w, err := Create(dir, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		die(t, w.scratch)
	}
	held, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(parent, ".out.tmp-"+strings.Repeat("C", suffixLen)), 0o755) // died before it locked
	second, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := append([]string{filepath.Base(held.scratch.dir), filepath.Base(second.scratch.dir)}, others...)
	holds(t, parent, want...)
	second.Abort()
	writeAll(t, held)
	if err := held.Commit(); err != nil {
		t.Error(err)
	}
	holds(t, dir, written...)
}

func TestCreateSweepsInside(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, WriteOptions{}); err == nil || !strings.Contains(err.Error(), dir+": another program is writing to it") {
		t.Errorf("two at once: %v", err)
	}
	die(t, w.scratch)
	export(t, dir)
	holds(t, dir, written...)
}

func TestScratch(t *testing.T) {
	parent := t.TempDir()
	db := filepath.Join(parent, "demo.db")
	dead, err := newScratch(parent, ".demo.db.scratch-")
	if err != nil {
		t.Fatal(err)
	}
	first, remove, err := Scratch(db)
	if err != nil {
		t.Fatal(err)
	}
	export(t, filepath.Join(first, "panel"))
	if runtime.GOOS != "windows" {
		die(t, dead)
		second, remove2, err := Scratch(db)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, parent, filepath.Base(first), filepath.Base(second))
		remove2()
	}
	remove()
	holds(t, parent)
	if _, _, err := Scratch(filepath.Join(parent, "none", "demo.db")); err == nil || strings.Contains(err.Error(), "scratch-") {
		t.Errorf("got %v", err)
	}
}
