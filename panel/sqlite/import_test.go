package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

func TestImportExportImport(t *testing.T) {
	db := imported(t, sound)
	first := exported(t, db)
	if want := obsHeader +
		"1,1,1,3.99,3.49,3.49,0.001745,2 L,1,1,2026-07-22,multi_buy,MILK 2L,2026-07-15T16:00:00.5Z,,\n" +
		"2,2,2,4.40,,4.40,,,0,0,,,\"POMMES \"\"R\"\"\",2026-07-15T12:00:00Z,derived,\"{\"\"packagePrice\"\": 4.40}\"\n" +
		"4,1,1,,,3.59,,2 L,1,0,,member,MILK 2L,2026-07-22T12:00:00Z,,\n" +
		"5,3,3,,,0.1234,,1 kg,,0,,,,2026-07-22T12:00:00Z,,\n"; first["observations.csv"] != want {
		t.Error(cmp.Diff(want, first["observations.csv"]))
	}
	for _, name := range []string{"products.csv", "cities.csv", "settings.csv", "stores.csv", "retailer_products.csv", "product_specs.csv", "shrink_events.csv"} {
		want := sound[name]
		if name == "shrink_events.csv" {
			want = strings.ReplaceAll(want, "-5.5,", "-5.5000,")
		}
		if first[name] != want {
			t.Error(cmp.Diff(want, first[name]))
		}
	}
	again := imported(t, first)
	if d := cmp.Diff(first, exported(t, again)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(len(sound), len(first)); d != "" {
		t.Errorf("number of files: %s", d)
	}
	if content(t, imported(t, first)) != content(t, again) {
		t.Error("the same directory gives snapshots with different bytes")
	}
}

func TestImportAdds(t *testing.T) {
	db := imported(t, sound)
	s := into(t, sound.with(files{
		"observations.csv": obsHeader + "3,1,1,,,3.29,,,,0,,,MILK 2L,2026-07-29T12:00:00Z,,\n9,1,1,,,3.30,,,,0,,,MILK 2L,2026-07-30T12:00:00Z,,\n",
		"stores.csv":       sound["stores.csv"][:len(sound["stores.csv"])-len("3,shop,st-there,0,1\n")] + "3,shop,here,1,1\n7,shop,here,1,1\n",
		"settings.csv":     "-", "quarantine.csv": "-", "shrink_events.csv": "-", "index_v1.csv": "-", "product_specs.csv": "-",
	}), db)
	if want := "stores 1 added, 1 updated; observations 2 added; 11 rows unchanged"; s.String() != want {
		t.Errorf("got %s, want %s", s, want)
	}
	p, err := Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Counts().Observations; got != 6 {
		t.Errorf("%d observations", got)
	}
	if got := exported(t, db)["quarantine.csv"]; strings.Count(got, "\n") != 3 {
		t.Errorf("quarantine was lost: %s", got)
	}
}

// TestModeIsKept imports into a snapshot that its group reads, as a user whose new files are
// private. The rejects are for the same readers.
func TestModeIsKept(t *testing.T) {
	db := imported(t, sound)
	if err := os.Chmod(db, 0o640); err != nil {
		t.Fatal(err)
	}
	defer syscall.Umask(syscall.Umask(0o077))
	dir := sound.add("stores.csv", "9,nobody,here,1,1\n").add("observations.csv", "60,1,1,,,3.29,,,,0,,,MILK,2026-08-29T12:00:00Z,,\n").write(t)
	if _, err := Import(context.Background(), dir, db, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{db, db + ".rejects.csv"} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestNamesAreRepairedOnRead(t *testing.T) {
	text := strings.Replace(sound["retailer_products.csv"], "MILK", "CrÃ¨me &amp; lait", 1)
	if text == sound["retailer_products.csv"] {
		t.Fatal("the folder has no MILK")
	}
	db := imported(t, sound.with(files{"retailer_products.csv": text}))
	p, err := Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(p.Listings(), func(m panel.Listing) bool { return strings.Contains(m.Name, "Crème & lait") }) {
		t.Errorf("names %v", p.Listings())
	}
	if got := exported(t, db)["retailer_products.csv"]; !strings.Contains(got, "CrÃ¨me &amp; lait") {
		t.Errorf("the file does not keep what was scraped: %s", got)
	}
}

func TestRowsWithoutID(t *testing.T) {
	rows := ",1,1,,,3.19,,,,0,,,,2026-08-02T12:00:00Z,,\n7,1,1,,,3.29,,,,0,,,,2026-08-03T12:00:00Z,,\n,1,1,,,3.39,,,,0,,,,2026-08-01T12:00:00Z,,\n"
	db := imported(t, sound.add("observations.csv", rows))
	got := exported(t, db)["observations.csv"]
	for _, want := range []string{"\n6,1,1,,,3.19,", "\n8,1,1,,,3.39,"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	before := content(t, db)
	if s := into(t, sound.add("observations.csv", rows), db); s.Changed || content(t, db) != before {
		t.Errorf("not idempotent: %s", s)
	}
}

// TestProgress follows an import, and cancels another, which leaves no file.
func TestProgress(t *testing.T) {
	var last, size int64
	_, err := Import(context.Background(), sound.write(t), filepath.Join(t.TempDir(), "panel.db"), ImportOptions{Progress: func(done, total int64) {
		if done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last, size = done, total
	}})
	if err != nil || last != size || size == 0 {
		t.Errorf("ended at %d of %d, %v", last, size, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	db := filepath.Join(t.TempDir(), "panel.db")
	_, err = Import(ctx, sound.write(t), db, ImportOptions{Progress: func(done, total int64) { cancel() }})
	if entries, _ := os.ReadDir(filepath.Dir(db)); !errors.Is(err, context.Canceled) || len(entries) > 0 {
		t.Errorf("got %v; left behind: %v", err, entries)
	}
}

func TestTwoImports(t *testing.T) {
	db := filepath.Join(t.TempDir(), "panel.db")
	unlock, err := atomicfile.Lock(db+".lock", 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Import(context.Background(), sound.write(t), db, ImportOptions{}); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	unlock()
	into(t, sound, db)
	onlyFile(t, db)
}

func TestSnapshotBehindLink(t *testing.T) {
	db := imported(t, sound)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(db, link); err != nil {
		t.Skip(err)
	}
	into(t, sound.add("cities.csv", "far,Far,BC\n"), link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if !strings.Contains(exported(t, db)["cities.csv"], "far,Far,BC") {
		t.Error("the snapshot was not changed")
	}
}

// TestLoadWhileImporting loads while imports replace the snapshot. Every load is whole.
func TestLoadWhileImporting(t *testing.T) {
	db := imported(t, sound)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := Load(context.Background(), db); err != nil && !errors.Is(err, errReplaced) {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 8 {
		into(t, sound.with(files{
			"observations.csv": obsHeader + fmt.Sprintf("%d,1,1,,,3.49,,,,0,,,,2026-08-01T12:%02d:00Z,,\n", 100+i, i),
		}), db)
	}
	close(done)
	wg.Wait()
}
