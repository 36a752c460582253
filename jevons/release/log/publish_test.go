package releaselog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// files are the tables of a tiny panel: two products of two stores.
var files = map[string]string{
	"products.csv": "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n" +
		"1,Milk,dairy,,2000,mL,0.2,package,1\n2,Cheddar,dairy,,400,g,0.1,package,1\n",
	"cities.csv":            "slug,name,province\nhalifax,Halifax,NS\n",
	"banners.csv":           "key,name,retailer,in_index,in_shopper,verified\ntern,Tern Foods,Tern,1,1,0\n",
	"stores.csv":            "id,banner,city,active,location_certain\n1,tern,halifax,1,1\n2,tern,halifax,1,1\n",
	"retailer_products.csv": "id,product_id,banner,sku,name,brand,is_store_brand,active\n1,1,tern,,Milk 2 L,,,1\n2,2,tern,,Old Cheddar 400 g,,,1\n",
}

// snapshotOfWeeks makes a snapshot whose prices go up by a cent a week, with a note on
// coverage.
func snapshotOfWeeks(t *testing.T, weeks int, note string) string {
	t.Helper()
	dir := t.TempDir()
	rows := "id,retailer_product_id,store_id,regular_price,sale_price,effective_price,unit_price,package_size,in_stock,is_on_sale,sale_ends_on,sale_condition,scraped_name,observed_at,regular_price_source,promo_detail\n"
	for k := range weeks {
		at := panel.DefaultBaseWeek.Add(k).Date().Time(panel.Calendar{}.Zone()).Format(time.RFC3339)
		for i := range 4 {
			rows += fmt.Sprintf("%d,%d,%d,,,4.%02d,,,,0,,,,%s,,\n", 4*k+i+1, 1+i/2, 1+i%2, 10+10*i+k, at)
		}
	}
	write := func(name, content string) {
		check(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	for name, content := range files {
		write(name, content)
	}
	write("observations.csv", rows)
	write("settings.csv", "key,value\ncoverage_note,"+note+"\n")
	db := filepath.Join(t.TempDir(), "next.db")
	must(sqlite.Import(context.Background(), dir, db, sqlite.ImportOptions{Strict: true, Rejects: db + ".rejects.csv"}))
	return db
}

// monday returns a Monday noon on which the first n weeks from the base week have closed.
func monday(n int) time.Time {
	return panel.DefaultBaseWeek.Add(n - 1).Date().Time(panel.Calendar{}.Zone()).Add(36 * time.Hour)
}

// publisherIn returns options for a release in a folder of its own.
func publisherIn(t *testing.T, next string, now time.Time) Options {
	dir := t.TempDir()
	return Options{Next: next, Live: filepath.Join(dir, "live.db"), Log: filepath.Join(dir, "releases.db"), Now: now}
}

func mustPublish(t *testing.T, o Options) Result {
	t.Helper()
	return must(Publish(t.Context(), o))
}

// same reports whether two files have the same content.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err1 := os.ReadFile(a)
	y, err2 := os.ReadFile(b)
	check(errors.Join(err1, err2))
	return bytes.Equal(x, y)
}

// inService checks that the log has n releases and that Live is the snapshot of the last,
// with nothing beside the two files.
func inService(t *testing.T, o Options, next string, n int) {
	t.Helper()
	if v, err := Verify(o.Log, VerifyOptions{}); err != nil || v.Releases != n {
		t.Errorf("%d releases, want %d: %v", v.Releases, n, err)
	}
	if !same(t, next, o.Live) {
		t.Error("another snapshot is in service")
	}
	entries, err := os.ReadDir(filepath.Dir(o.Live))
	if err != nil || len(entries) != 2 {
		t.Errorf("beside each other: %v, %v", entries, err)
	}
}

// A server that reads both files by its group goes on reading them, whatever the publisher's umask.
func TestReleaseKeepsModes(t *testing.T) {
	o := publisherIn(t, snapshotOfWeeks(t, 1, "a"), monday(1))
	mustPublish(t, o)
	check(errors.Join(os.Chmod(o.Live, 0o640), os.Chmod(o.Log, 0o660)))
	defer syscall.Umask(syscall.Umask(0o077))
	o.Next, o.Now = snapshotOfWeeks(t, 2, "a"), monday(2)
	mustPublish(t, o)
	for path, want := range map[string]fs.FileMode{o.Live: 0o640, o.Log: 0o660} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v, want %o; %v", path, info.Mode(), want, err)
		}
	}
}

// A run that was killed between the append and the rename is ended by the next one.
func TestPublishResumes(t *testing.T) {
	t.Parallel()
	one, two := snapshotOfWeeks(t, 1, "a"), snapshotOfWeeks(t, 2, "a")
	o := publisherIn(t, one, monday(1))
	mustPublish(t, o)
	o.Next, o.Now = two, monday(2)
	mustPublish(t, o)
	back := func() {
		t.Helper()
		check(copyFile(one, o.Live, o.Live))
	}
	back()
	dry := o
	dry.DryRun = true
	if _, err := Publish(t.Context(), dry); err == nil || same(t, two, o.Live) {
		t.Errorf("a dry run: %v", err)
	}
	if r := mustPublish(t, o); !r.Done || r.Release.ID() != "r2" {
		t.Errorf("%+v", r)
	}
	inService(t, o, two, 2)

	back()
	left := o.Live + copySuffix
	check(errors.Join(copyFile(two, left, o.Live), os.Rename(two, two+".gone")))
	if r := mustPublish(t, o); !r.Done || r.Release.ID() != "r2" {
		t.Errorf("from the copy that was left: %+v", r)
	}
	inService(t, o, two+".gone", 2)

	back()
	check(copyFile(one, left, o.Live))
	if _, err := Publish(t.Context(), o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the file: %v", err)
	}
	// A damaged Live is mended the same way.
	check(errors.Join(os.Rename(two+".gone", two), os.WriteFile(o.Live, []byte("damaged"), 0o600)))
	if r := mustPublish(t, o); !r.Done {
		t.Errorf("over a damaged file: %+v", r)
	}
	inService(t, o, two, 2)

	// The next week was imported before the command was run again.
	back()
	check(copyFile(two, left, o.Live))
	o.Next, o.Now = snapshotOfWeeks(t, 3, "a"), monday(3)
	if r := mustPublish(t, o); r.Release.ID() != "r3" || r.Done {
		t.Errorf("with the next week: %+v", r)
	}
	inService(t, o, o.Next, 3)
}

// Of several releases at once, one is made. The others are refused or find it complete.
func TestPublishTogether(t *testing.T) {
	t.Parallel()
	o := publisherIn(t, snapshotOfWeeks(t, 1, "a"), monday(1))
	mustPublish(t, o)
	o.Next, o.Now = snapshotOfWeeks(t, 2, "a"), monday(2)
	log, err := Open(o.Log)
	if err != nil {
		t.Fatal(err)
	}
	var made, refused atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			switch r, err := Publish(t.Context(), o); {
			case errors.Is(err, ErrBusy), err == nil && r.Done:
				refused.Add(1)
			case err != nil || r.Release.ID() != "r2":
				t.Errorf("%+v, %v", r, err)
			default:
				made.Add(1)
			}
			if _, err := log.Refresh(); err != nil { // as a server reads it meanwhile
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if log, err = log.Refresh(); err != nil || made.Load() != 1 || refused.Load() != 5 || len(log.Releases()) != 2 {
		t.Errorf("%d made, %d refused, %d in the log", made.Load(), refused.Load(), len(log.Releases()))
	}
	inService(t, o, o.Next, 2)
}

// What must not be released is refused, and nothing changes.
func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	one, two, three := snapshotOfWeeks(t, 1, "a"), snapshotOfWeeks(t, 2, "a"), snapshotOfWeeks(t, 3, "a")
	o := publisherIn(t, one, monday(1))
	mustPublish(t, o)
	refused := func(want string, change func(o *Options)) {
		t.Helper()
		x := o
		x.Next, x.Now = two, monday(2)
		change(&x)
		if _, err := Publish(t.Context(), x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		inService(t, o, one, 1)
	}
	refused("was made at", func(x *Options) { x.Now = monday(1).Add(-time.Hour) })
	refused("LIVE and LOG are the same file", func(x *Options) { x.Log = x.Live })
	refused("has no release", func(x *Options) { x.Log += ".other" })
	refused("releases.db: not a Larder snapshot", func(x *Options) { x.Next = x.Log })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	late := o
	late.Next, late.Now = two, monday(2)
	if _, err := Publish(ctx, late); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, held := range []string{o.Log, o.Live} {
		unlock := must(atomicfile.Lock(held+".lock", 0o600))
		x := o
		x.Next, x.Now = two, monday(2)
		if _, err := Publish(t.Context(), x); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), held) {
			t.Errorf("while %s is locked: %v", held, err)
		}
		unlock()
	}
	inService(t, o, one, 1)

	// A snapshot that was never released is in service.
	check(copyFile(three, o.Live, o.Live))
	x := o
	x.Next, x.Now = two, monday(2)
	if _, err := Publish(t.Context(), x); err == nil || !strings.Contains(err.Error(), "it is not the snapshot of release r1") {
		t.Errorf("over a snapshot that was not released: %v", err)
	}
	if r := mustPublish(t, o); !r.Done {
		t.Errorf("the released one is put back: %+v", r)
	}
	inService(t, o, one, 1)
}

// A server that runs without a log gets one by releasing the snapshot in service.
func TestPublishAdopts(t *testing.T) {
	t.Parallel()
	one := snapshotOfWeeks(t, 1, "a")
	for _, samePath := range []bool{true, false} {
		o := publisherIn(t, one, monday(1))
		check(copyFile(one, o.Live, o.Live))
		if samePath {
			o.Next = o.Live
		}
		if r := mustPublish(t, o); r.Release.ID() != "r1" || r.Done {
			t.Errorf("%+v", r)
		}
		inService(t, o, one, 1)
		if r := mustPublish(t, o); !r.Done {
			t.Errorf("again: %+v", r)
		}
	}
}
