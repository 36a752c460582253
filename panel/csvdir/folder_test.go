package csvdir

import (
	"io/fs"
	"os"
	"path/filepath"
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

// holds fails unless the folder has these files and no others, hidden ones too.
func holds(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%s has %v, want %v", dir, got, want)
	}
}

var written = []string{"banners.csv", "cities.csv", "observations.csv", "products.csv", "retailer_products.csv", "stores.csv"}

func TestCreate(t *testing.T) {
	t.Run("new", func(t *testing.T) {
		parent := t.TempDir()
		export(t, filepath.Join(parent, "out")+string(filepath.Separator))
		holds(t, filepath.Join(parent, "out"), written...)
		holds(t, parent, "out")
	})
	t.Run("empty, by a link", func(t *testing.T) {
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
}

func TestCreateRefuses(t *testing.T) {
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	os.WriteFile(at("file"), nil, 0o644)
	os.Mkdir(at("here"), 0o755)
	t.Chdir(at("here"))
	if err := os.Symlink("nowhere", at("dangling")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ dir, want string }{
		{at("file"), "it is a file, not a folder"},
		{at("dangling"), "it is a symbolic link to something that does not exist"},
		{at("none/out"), "there is no folder " + at("none") + " to make it in"},
		{at("file/out"), at("file") + " is a file, not a folder"},
		{at("here"), "it is the working folder, which can't be replaced; give a new folder"},
		{parent, "it is not empty (it has dangling); give a new or an empty folder"},
	} {
		_, err := Create(c.dir, WriteOptions{})
		if want := "csvdir: " + c.dir + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	holds(t, parent, "dangling", "file", "here")
}

// TestCommitRefuses commits to a folder that got a file meanwhile. It is not overwritten.
func TestCommitRefuses(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	w, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, w)
	os.Mkdir(dir, 0o755)
	os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644)
	if err := w.Commit(); err == nil || !strings.HasSuffix(err.Error(), "out: something was put there meanwhile") {
		t.Errorf("got  %v", err)
	}
	holds(t, dir, "mine")
	holds(t, parent, "out")
	if err := w.Commit(); err == nil {
		t.Error("committed twice")
	}
	if err := WriteSorted(w, Stores, nil); err == nil {
		t.Error("written after the end")
	}
}
