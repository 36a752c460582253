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
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBadSettingEndsImport(t *testing.T) {
	for text, want := range map[string]string{
		"colour,red":           `settings.csv, line 2: key: "colour" is unknown; known are base_week, publisher, contact, source, licence, attribution, coverage_note, place, places, weights_source, weights_period, upgrade_url, release_time, log_origin, synthetic, country, currency, time_zone, language, bundled_words`,
		"base_week,2026-07-20": "settings.csv, line 2: value: base_week needs a Sunday written YYYY-MM-DD: week 2026-07-20 is a Monday; a week is named by its Sunday (2026-07-26)",
		"base_week,soon":       `settings.csv, line 2: value: base_week needs a Sunday written YYYY-MM-DD: date "soon" is not a day written YYYY-MM-DD`,
	} {
		db := filepath.Join(t.TempDir(), "p.db")
		dir := sound.with(files{"settings.csv": "key,value\n" + text + "\n"}).write(t)
		_, err := Import(context.Background(), dir, db, ImportOptions{})
		if err == nil || err.Error() != "sqlite: nothing imported: "+want {
			t.Errorf("%s: %v", text, err)
		}
		onlyFile(t, filepath.Join(filepath.Dir(db), "nothing"))
	}
}

func TestRejectsFileIsOurs(t *testing.T) {
	bad := sound.add("stores.csv", "9,nobody,here,1,1\n")
	for _, c := range []struct {
		name string
		path func(dir, db string) string
		want string
	}{
		{"the snapshot", func(_, db string) string { return db }, "it is the snapshot"},
		{"another file", func(_, db string) string { return db + ".notes" }, "the file is there already and holds no rejects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, db := bad.write(t), imported(t, sound)
			if err := os.WriteFile(db+".notes", []byte("precious"), 0o644); err != nil {
				t.Fatal(err)
			}
			path := c.path(dir, db)
			before, _ := os.ReadFile(path)
			_, err := Import(context.Background(), dir, db, ImportOptions{Rejects: path})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
	// The rejects of an earlier run are replaced, and removed when no row is rejected.
	dir, db := bad.write(t), imported(t, sound)
	for range 2 {
		if s, err := Import(context.Background(), dir, db, ImportOptions{}); err != nil || s.Total().Rejected != 1 {
			t.Fatalf("%v, %v", s, err)
		}
		if text, err := os.ReadFile(db + ".rejects.csv"); err != nil || !strings.Contains(string(text), "nobody") {
			t.Errorf("rejects: %s, %v", text, err)
		}
	}
	into(t, sound, db)
	onlyFile(t, db)
}

func TestRejects(t *testing.T) {
	const row = ",,,3.49,,,,0,,,,2026-08-01T12:00:00Z,,\n"
	long := strings.Repeat("x", 2<<20)
	for _, c := range []struct {
		name  string
		files files
		want  []string
	}{
		{"unknown listing", sound.add("observations.csv", "6,9,1"+row), []string{"observations.csv:6 retailer_product_id: no retailer product 9 in retailer_products.csv or in the snapshot"}},
		{"unknown store", sound.add("observations.csv", "6,1,9"+row), []string{"observations.csv:6 store_id: no store 9 in stores.csv or in the snapshot"}},
		{"another banner's store", sound.add("observations.csv", "6,1,2"+row), []string{`observations.csv:6 retailer_product_id: retailer product 1 is of banner "shop", store 2 of "mart"`}},
		{"id twice", sound.add("observations.csv", "6,1,1"+row+"6,1,1"+row), []string{"observations.csv:7 id: 6 stands in the file before: keep one of the rows"}},
		{"key twice without id", sound.add("observations.csv", ",1,1"+row+",1,1"+row), []string{"observations.csv:7 the file has another row of retailer product 1 at store 1 at that time: keep one of the rows, or give both an id"}},
		{"key of a row with id", sound.add("observations.csv", "6,1,1"+row+",1,1"+row), []string{"observations.csv:7 the file has another row of retailer product 1 at store 1 at that time: keep one of the rows, or give both an id"}},
		{"no id left", sound.add("observations.csv", "4503599627370495,1,1,,,1,,,,0,,,,2026-08-02T12:00:00Z,,\n,1,1"+row), []string{"observations.csv:7 id: there is no id above 4503599627370495, the largest one in use; give the row an id"}},
		{"price", sound.add("observations.csv", "6,1,1,,,0,,,,0,,,,2026-08-01T12:00:00Z,,\n7,1,1"+row), []string{`observations.csv:6 effective_price: price "0" is not above 0`}},
		{"2 MB line", sound.with(files{"observations.csv": "-", "observations.csv.gz": gzipped(sound["observations.csv"] + "6,1," + long + "\n7,1,1" + row)}),
			[]string{"observations.csv.gz:6 the line has 2097156 bytes; a line may have 1048576"}},
		{"unknown product of a listing", sound.add("retailer_products.csv", "4,9,shop,,X,,,1\n"), []string{"retailer_products.csv:5 product_id: no product 9 in products.csv or in the snapshot"}},
		{"unknown banner of a listing", sound.add("retailer_products.csv", "4,1,x,,X,,,1\n"), []string{`retailer_products.csv:5 banner: no banner "x" in banners.csv or in the snapshot`}},
		{"unknown city and its followers", sound.add("stores.csv", "4,shop,nowhere,1,1\n").add("observations.csv", "6,1,4"+row),
			[]string{`stores.csv:5 city: no city "nowhere" in cities.csv or in the snapshot`, "observations.csv:6 store_id: no store 4 in stores.csv or in the snapshot"}},
		{"city name twice", sound.add("cities.csv", "here-2,Here,ON\n"), []string{`cities.csv:4 name: "Here" is the name of here; a display name is for one city`}},
		{"slug twice", sound.add("cities.csv", "here,Here,ON\n"), []string{"cities.csv:4 slug here stands in the file before: keep one of the rows"}},
		{"product", sound.add("products.csv", "3,,dairy,,1,g,0,package,1,,\n"), []string{"products.csv:4 name is empty; it needs a text"}},
		{"unknown category", sound.add("products.csv", "3,Milk,overall,,1,g,0,package,1,,\n"), []string{
			`products.csv:4 category: unknown category "overall"; use one of dairy, meat, bakery, produce_fruit, produce_veg, pantry, frozen, beverages, household`}},
		{"category of the pilot series", sound.add("index_v1.csv", "2026-03-01,national,,,milk,100,,,,,\n"), []string{
			`index_v1.csv:5 category: "milk" is no category; it needs one of dairy, meat, bakery, produce_fruit, produce_veg, pantry, frozen, beverages, household, or is empty for the headline`}},
		{"spec of no product", sound.add("product_specs.csv", "9,x,,,\n"), []string{"product_specs.csv:3 product_id: no product 9 in products.csv or in the snapshot"}},
		{"quarantine", sound.add("quarantine.csv", "9,,x,,,,\n1,9,x,,,,\n1,2,x,,,,\n1,,x,9,,,\n1,,x,2,,,\n1,,again,,,,\n"), []string{
			"quarantine.csv:4 retailer_product_id: no retailer product 9 in retailer_products.csv or in the snapshot",
			"quarantine.csv:5 store_id: no store 9 in stores.csv or in the snapshot",
			`quarantine.csv:6 store_id: store 2 is of banner "mart", retailer product 1 of "shop"`,
			"quarantine.csv:7 observation 9 is neither in observations.csv nor in the snapshot",
			"quarantine.csv:8 observation_id: observation 2 is of retailer product 2 at store 2",
			"quarantine.csv:9 the file has a row with the same key before: keep one of the rows",
		}},
		{"quarantine of a row at another store", sound.add("quarantine.csv", "1,3,x,1,,,\n"), []string{
			"quarantine.csv:4 observation_id: observation 1 is of retailer product 1 at store 1",
		}},
		{"shrink event", sound.add("shrink_events.csv", "2,1,,,,,,,,,,,2026-07-22T12:00:00Z,2\n"), []string{"shrink_events.csv:3 observation_ids: observation 2 is of retailer product 2"}},
		{"pilot", sound.add("index_v1.csv", "2026-03-08,city,There,,,100,,,,,\n2026-03-08,national,,,overall,100,,,,,\n"), []string{
			`index_v1.csv:5 city: no city "There" in cities.csv or in the snapshot; index_v1.csv names cities by slug`,
			"index_v1.csv:6 the file has a row with the same key before: keep one of the rows",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, db := c.files.write(t), filepath.Join(t.TempDir(), "panel.db")
			s, err := Import(context.Background(), dir, db, ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, rejects(t, s.Rejects)); d != "" {
				t.Error(d)
			}
			if s.Rejects != db+".rejects.csv" || s.Total().Rejected != len(c.want) {
				t.Errorf("%+v", s)
			}
			if _, err := Load(context.Background(), db); err != nil {
				t.Error(err)
			}
			// The good rows are in, and are the same as without the bad ones.
			if s := into(t, sound, db); s.Total().Added+s.Total().Updated > 0 {
				t.Errorf("rows were missing: %s", s)
			}
			onlyFile(t, db) // the rejects file of the earlier run is gone
		})
	}
}

// TestRejectsAreBounded lists 10,000 rejects and counts the others by file.
func TestRejectsAreBounded(t *testing.T) {
	bad := sound.add("stores.csv", strings.Repeat("4,shop,nowhere,1,1\n", 9_999)).
		add("observations.csv", strings.Repeat("6,1,9,,,3.49,,,,0,,,,2026-08-01T12:00:00Z,,\n", 7)).
		add("product_specs.csv", "9,x,,,\n")
	s, err := Import(context.Background(), bad.write(t), filepath.Join(t.TempDir(), "panel.db"), ImportOptions{})
	if err != nil || s.Total().Rejected != 10_007 {
		t.Fatalf("%v, %v", s, err)
	}
	list := rejects(t, s.Rejects)
	want := []string{
		"observations.csv:6 store_id: no store 9 in stores.csv or in the snapshot",
		"observations.csv: 6 more rows were rejected; mend those above and import again",
		"product_specs.csv: 1 more rows were rejected; mend those above and import again",
	}
	if d := cmp.Diff(want, list[9_999:]); d != "" {
		t.Error(d)
	}
}

func TestConflicts(t *testing.T) {
	db := imported(t, sound)
	changed := sound.with(files{
		"observations.csv":      strings.NewReplacer("3.59", "3.58", "MILK 2L,2026-07-15", "MILK 2 L,2026-07-15", "5,3,3,,,0.1234", ",3,3,,,0.1235").Replace(sound["observations.csv"]),
		"stores.csv":            strings.Replace(sound["stores.csv"], "3,shop,", "3,mart,", 1),
		"retailer_products.csv": strings.Replace(sound["retailer_products.csv"], "1,1,shop", "1,1,mart", 1),
		"quarantine.csv":        strings.Replace(sound["quarantine.csv"], "per lb", "per kg", 1),
		"index_v1.csv":          strings.Replace(sound["index_v1.csv"], "101.25", "101.26", 1),
	})
	before := content(t, db)
	s, err := Import(context.Background(), changed.write(t), db, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`stores.csv:4 banner: store 3 is of "shop" and can't become "mart"; give the new store an id of its own`,
		`retailer_products.csv:2 banner: retailer product 1 is of "shop" and can't become "mart"; give the new one an id of its own`,
		"observations.csv:2 id: the snapshot has observation 1 with another scraped_name; observations are never overwritten" + correctIt,
		"observations.csv:4 the snapshot has an observation of retailer product 3 at store 3 at that time with another effective_price; observations are never overwritten" + correctIt,
		"observations.csv:5 id: the snapshot has observation 4 with another effective_price; observations are never overwritten" + correctIt,
		`quarantine.csv:3 the snapshot has this entry as "per lb", lifted true; entries are never overwritten: an operator changes them`,
		"index_v1.csv:3 the snapshot has this row with other values; rows of this file are never overwritten",
	}
	if d := cmp.Diff(want, rejects(t, s.Rejects)); d != "" {
		t.Error(d)
	}
	if content(t, db) != before || s.Changed {
		t.Error("the snapshot was changed")
	}
	if want := "nothing changed: stores 1 rejected; retailer_products 1 rejected; observations 3 rejected; quarantine 1 rejected; index_v1 1 rejected; 17 rows are there already"; s.String() != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestStrict(t *testing.T) {
	bad := sound.add("cities.csv", "here,Here,ON\n")
	db := filepath.Join(t.TempDir(), "panel.db")
	s, err := Import(context.Background(), bad.write(t), db, ImportOptions{Strict: true, Rejects: db + ".bad"})
	if !errors.Is(err, ErrRejected) || err.Error() != "sqlite: nothing imported: rows were rejected: 1, listed in "+db+".bad" {
		t.Errorf("got %v", err)
	}
	if len(rejects(t, s.Rejects)) != 1 {
		t.Error("no rejects file")
	}
	if _, err := os.Stat(db); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a snapshot was made")
	}
	into(t, sound, db)
	before := content(t, db)
	if _, err := Import(context.Background(), bad.write(t), db, ImportOptions{Strict: true}); !errors.Is(err, ErrRejected) || content(t, db) != before {
		t.Errorf("got %v", err)
	}
}

func TestImportFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		files files
		want  string
	}{
		{"missing file", sound.with(files{"stores.csv": "-"}), "stores.csv: the file is missing"},
		{"missing column", sound.with(files{"stores.csv": "id\n"}), `stores.csv, line 1: column "banner" is missing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "panel.db")
			for range 2 {
				if _, err := Import(context.Background(), c.files.write(t), db, ImportOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %s", err, c.want)
				}
				entries, _ := os.ReadDir(filepath.Dir(db))
				if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != "panel.db" }) {
					t.Errorf("left behind: %v", entries)
				}
				into(t, sound, db) // the second time with a snapshot to be kept
			}
		})
	}
}

// TestSharedKeyWithoutID imports rows without ids beside rows of the same label, store and time. A row is one of
// the stored rows, or rejected.
func TestSharedKeyWithoutID(t *testing.T) {
	const key, rest = ",1,1,,,", ",,,,0,,,MILK,2026-08-30T12:00:00Z,,\n"
	db := imported(t, sound.add("observations.csv", "6"+key+"3.29"+rest+"7"+key+"3.39"+rest))
	row := func(id, listing, day int) string {
		return strings.TrimPrefix(fmt.Sprintf("%d,%d,%[2]d,,,3.29,,,,0,,,,2026-10-%02dT12:00:00Z,,\n", id, listing, day), "0")
	}
	for _, c := range []struct {
		name, rows string
		want       Counts
	}{
		{"the second of them", key + "3.39" + rest, Counts{Unchanged: 1}},
		{"none of them", key + "3.49" + rest, Counts{Rejected: 1}},
		{"beside one with its id", "7" + key + "3.39" + rest + key + "3.29" + rest, Counts{Unchanged: 1, Rejected: 1}},
		{"twice", key + "3.39" + rest + key + "3.39" + rest, Counts{Unchanged: 1, Rejected: 1}},
		{"new, twice", row(0, 1, 1) + row(0, 1, 1), Counts{Added: 1, Rejected: 1}},
		{"new, not by time", row(0, 1, 3) + row(0, 1, 2) + row(0, 1, 3), Counts{Added: 2, Rejected: 1}},
		{"new, a listing between", row(0, 1, 4) + row(0, 3, 4) + row(0, 1, 4), Counts{Added: 2, Rejected: 1}},
		{"new, beside one with an id", row(0, 1, 5) + row(99, 1, 7) + row(98, 1, 6) + row(0, 1, 7), Counts{Added: 3, Rejected: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := sound.with(files{"observations.csv": obsHeader + c.rows}).write(t)
			s, err := Import(context.Background(), dir, db, ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range s.Tables {
				if table.Table == "observations" && table.Counts != c.want {
					t.Errorf("%+v, want %+v", table.Counts, c.want)
				}
			}
		})
	}
}

// Rejects are counted by file and column, those that follow from others behind them.
func TestReasons(t *testing.T) {
	bad := sound.with(files{
		"products.csv":   strings.NewReplacer("dairy", "diary", "produce_fruit", "fruit").Replace(sound["products.csv"]) + "3,Tea,pantry,,72,unit,x,package,1,,\n4,Rice,pantry\n",
		"cities.csv":     strings.Replace(sound["cities.csv"], "Here,ON", ",ON", 1),
		"index_v1.csv":   "-",
		"settings.csv":   "-",
		"quarantine.csv": "retailer_product_id,store_id,reason,observation_id\n,2,\"by store, without a listing\",\n,,for everything,\n3,,row,5\n",
	})
	bad["retailer_products.csv"] += "4,4,shop,,RICE,,,1\n"
	s, err := Import(context.Background(), bad.write(t), filepath.Join(t.TempDir(), "panel.db"), ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.Reasons {
		got = append(got, fmt.Sprintf("%d %s %s, line %d", r.Rows, r.File, r.Column, r.First.Line))
	}
	want := []string{
		"2 products.csv category, line 2", "1 products.csv basket_weight, line 4", "1 products.csv , line 5", "1 cities.csv name, line 2",
		// These refer to rows that were rejected.
		"1 stores.csv city, line 2", "4 retailer_products.csv product_id, line 2", "4 observations.csv retailer_product_id, line 2",
		"1 product_specs.csv product_id, line 2", "1 quarantine.csv , line 3", "1 quarantine.csv retailer_product_id, line 4",
		"1 shrink_events.csv retailer_product_id, line 2",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// observations.csv alone goes into a snapshot that is there, and into no other.
func TestObservationsAlone(t *testing.T) {
	alone := files{"observations.csv": obsHeader + "9,1,1,,,3.49,,2 L,1,0,,,MILK 2L,2026-07-29T12:00:00Z,,\n"}
	db := imported(t, sound)
	if s := into(t, alone, db); s.Total().Added != 1 {
		t.Error(s)
	}
	if out := exported(t, db); out["products.csv"] != exported(t, imported(t, sound))["products.csv"] {
		t.Error("the products changed")
	}
	none := filepath.Join(t.TempDir(), "panel.db")
	_, err := Import(context.Background(), alone.write(t), none, ImportOptions{})
	if err == nil || !strings.Contains(err.Error(), "a new snapshot needs them: products.csv: the file is missing") {
		t.Errorf("into a new snapshot: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(none)); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
