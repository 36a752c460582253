package csvdir

import (
	"errors"
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

func TestWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, gz := range []bool{false, true} {
		w, err := Create(dir, WriteOptions{Gzip: gz})
		if err != nil {
			t.Fatal(err)
		}
		cities := []basket.City{{Slug: "b", Name: `Bee, "B"`, Province: "ON"}, {Slug: "a", Name: "Ay", Province: "QC"}}
		for _, err := range []error{
			WriteSorted(w, Cities, cities), WriteSorted(w, Settings, nil), WriteSorted(w, Products, nil), WriteSorted(w, Banners, nil),
			WriteSorted(w, Stores, nil), WriteSorted(w, Listings, nil), WriteSorted(w, Observations, nil), w.Commit(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Abort()
		got, _ := readAll(t, dir, Cities)
		slices.Reverse(got)
		if d := cmp.Diff(cities, got); d != "" {
			t.Error(d)
		}
		if !gz {
			b, _ := os.ReadFile(filepath.Join(dir, "cities.csv"))
			if want := "slug,name,province\na,Ay,QC\nb,\"Bee, \"\"B\"\"\",ON\n"; string(b) != want {
				t.Errorf("got %q, want %q", b, want)
			}
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 6 {
			t.Errorf("files: %v", entries)
		}
		os.RemoveAll(dir)
	}
}

func TestWriterLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	w, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	if err := Write(w, Cities, func(yield func(*basket.City, error) bool) { yield(nil, boom) }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	for _, bad := range []basket.City{{Slug: "a", Name: "\xff"}, {Slug: "\x00a", Name: "A"}} { // the NUL is the first byte of the row
		if err := WriteSorted(w, Cities, []basket.City{bad}); err == nil || !strings.Contains(err.Error(), "cities.csv, row 1: a text is not UTF-8") {
			t.Errorf("got %v", err)
		}
	}
	w.Abort()
	if entries, _ := os.ReadDir(parent); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
