package csvdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
)

func each[T any](rows []T) func(func(*T, error) bool) {
	return func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

var twoCities = []basket.City{{Slug: "b", Name: `Bee, "B"`, Province: "ON"}, {Slug: "a", Name: "Ay", Province: "QC"}}

// writeAll writes the required files.
func writeAll(w *Writer) error {
	return errors.Join(WriteSorted(w, Cities, twoCities), WriteSorted(w, Products, nil), WriteSorted(w, Banners, nil),
		WriteSorted(w, Stores, nil), WriteSorted(w, Listings, nil), WriteSorted(w, Observations, nil), WriteSorted(w, Settings, nil))
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

// TestWriteDir writes a new folder, and one in the place of an empty folder that a link leads to.
func TestWriteDir(t *testing.T) {
	parent := t.TempDir()
	link := filepath.Join(parent, "link")
	os.Mkdir(filepath.Join(parent, "real"), 0o700)
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{filepath.Join(parent, "new") + string(filepath.Separator), link} {
		if err := WriteDir(dir, writeAll); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, "banners.csv", "cities.csv", "observations.csv", "products.csv", "retailer_products.csv", "stores.csv")
		b, _ := os.ReadFile(filepath.Join(dir, "cities.csv"))
		if want := "slug,name,province\na,Ay,QC\nb,\"Bee, \"\"B\"\"\",ON\n"; string(b) != want {
			t.Errorf("got %q, want %q", b, want)
		}
		got, _ := readAll(t, dir, Cities)
		slices.Reverse(got)
		if d := cmp.Diff(twoCities, got); d != "" {
			t.Error(d)
		}
	}
	if info, err := os.Stat(link); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the empty folder's mode was not kept: %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", info, err)
	}
	holds(t, parent, "link", "new", "real")
}

func TestWriteDirRefuses(t *testing.T) {
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
		err := WriteDir(c.dir, writeAll)
		if want := "csvdir: " + c.dir + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	holds(t, parent, "dangling", "file", "here")
}

// TestWriteDirLeavesNothing fails while it writes, and where a file was put meanwhile, which stays.
func TestWriteDirLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir, boom := filepath.Join(parent, "out"), errors.New("boom")
	err := WriteDir(dir, func(w *Writer) error {
		for _, bad := range []basket.City{{Slug: "a", Name: "\xff"}, {Slug: "\x00a", Name: "A"}} { // the NUL is the first byte of the row
			if err := WriteSorted(w, Cities, []basket.City{bad}); err == nil || !strings.Contains(err.Error(), "cities.csv, row 1: a text is not UTF-8") {
				t.Errorf("got %v", err)
			}
		}
		return Write(w, Cities, func(yield func(*basket.City, error) bool) { yield(nil, boom) })
	})
	if !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	holds(t, parent)
	err = WriteDir(dir, func(w *Writer) error {
		return errors.Join(writeAll(w), os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644))
	})
	if err == nil || !strings.HasSuffix(err.Error(), "out: something was put there meanwhile") {
		t.Errorf("got  %v", err)
	}
	holds(t, dir, "mine")
	holds(t, parent, "out")
}
