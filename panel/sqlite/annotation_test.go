package sqlite

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

// TestAnnotations imports events for charts into a snapshot that has none, changes one and
// refuses what names no series. A folder without the file leaves the snapshot as it is.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	const header = "date,text,series,text_fr\n"
	db := imported(t, sound)
	before := content(t, db)
	rows := func() []panel.Annotation {
		t.Helper()
		p, err := Load(context.Background(), db)
		if err != nil {
			t.Fatal(err)
		}
		return p.Annotations()
	}
	if got := rows(); got != nil {
		t.Errorf("there are %v", got)
	}
	first := files{"annotations.csv": header +
		"2026-08-20,Strike,,\n2026-08-13,\"Milk, dearer\",here.dairy,Lait plus cher\n2026-08-20,Shop opens,here.shop.overall,\n" +
		"2026-08-20,Strike again,,\n2026-08-20,x,there.dairy,\n2026-08-20,x,here.mart.dairy,\n2026-08-20,x,national,\n"}
	s, err := Import(context.Background(), sound.with(first).write(t), db, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Total(); c.Added != 3 || c.Rejected != 4 {
		t.Errorf("%+v", c)
	}
	if d := gocmp.Diff([]string{
		"annotations.csv:5 the file has a row with the same key before: keep one of the rows",
		`annotations.csv:6 series: there is no city "there"; did you mean "here"?`,
		`annotations.csv:7 series: there is no banner "mart"; known are shop`,
		`annotations.csv:8 series: "national" is no name of a series; write national.CATEGORY, CITY.CATEGORY or CITY.BANNER.CATEGORY, such as national.overall`,
	}, rejects(t, db+".rejects.csv")); d != "" {
		t.Error(d)
	}
	day := panel.DateOf(2026, 8, 13)
	want := []panel.Annotation{
		{Date: day, Series: "here.dairy", Text: "Milk, dearer", TextFr: "Lait plus cher"}, {Date: day + 7, Text: "Strike"},
		{Date: day + 7, Series: "here.shop.overall", Text: "Shop opens"},
	}
	if d := gocmp.Diff(want, rows()); d != "" {
		t.Error(d)
	}
	if s := into(t, sound, db); s.Changed {
		t.Error("a folder without the file changed the snapshot")
	}
	s = into(t, sound.with(files{"annotations.csv": "series,date,text\n,2026-08-20,Strike of drivers\nhere.shop.overall,2026-08-20,Shop opens\n"}), db)
	if c := s.Total(); c.Updated != 1 || c.Added != 0 || c.Rejected != 0 {
		t.Errorf("%+v", c)
	}
	want[1].Text = "Strike of drivers"
	if d := gocmp.Diff(want, rows()); d != "" {
		t.Error(d)
	}
	again := exported(t, db)
	if got, want := again["annotations.csv"], header+"2026-08-13,\"Milk, dearer\",here.dairy,Lait plus cher\n2026-08-20,Strike of drivers,,\n2026-08-20,Shop opens,here.shop.overall,\n"; got != want {
		t.Errorf("exported: %q", got)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	into(t, again, copied)
	if d := gocmp.Diff(again, exported(t, copied)); d != "" {
		t.Error(d)
	}
	info, err := Check(copied)
	if err != nil || !slices.Contains(info.Rows, TableRows{"annotations", 3}) {
		t.Errorf("%v %v", info.Rows, err)
	}
	if content(t, imported(t, sound)) != before {
		t.Error("a snapshot without annotations has other bytes than before")
	}
	// A banner that leaves the index keeps its annotations, and the snapshot loads.
	into(t, sound.with(files{"banners.csv": "key,name,retailer,in_index,in_shopper,verified\nshop,Shop,Shop Inc.,0,1,0\nmart,Mart,\"Mart, Inc.\",0,1,1\n"}), db)
	if got := rows(); len(got) != 3 {
		t.Errorf("%v", got)
	}
}
