package sqlite

import (
	"strings"
	"testing"
)

const own = "slug,name,name_fr\nobst,Obst,Fruits\nmilch,Milch,\nalpha,Alpha,\n"

// ofOwn is a panel with categories of its own.
var ofOwn = sound.with(files{
	"categories.csv": own, "index_v1.csv": "-", "products.csv": strings.NewReplacer("dairy", "milch", "produce_fruit", "obst").Replace(sound["products.csv"]),
})

// TestCategories imports categories in the order of their file, exports them, and replaces them by another list.
func TestCategories(t *testing.T) {
	db := imported(t, ofOwn)
	if got := exported(t, db)["categories.csv"]; got != own {
		t.Errorf("exported: %s", got)
	}
	again := into(t, ofOwn, db)
	if again.Changed {
		t.Errorf("the same again: %v", again)
	}
	const other = "slug,name,name_fr\nmilch,Milch und Ei,\nobst,Obst,Fruits\n"
	into(t, files{"categories.csv": other}, db)
	if got := exported(t, db)["categories.csv"]; got != other {
		t.Errorf("exported: %s", got)
	}
	p, err := Load(t.Context(), db)
	if err != nil || strings.Join(p.Categories().Words(), " ") != "overall milch obst" {
		t.Errorf("%v, %v", p.Categories(), err)
	}
	if names, ok := exported(t, imported(t, sound))["categories.csv"]; ok {
		t.Errorf("the default list is exported: %s", names)
	}
}

// TestBadCategories refuses lists that a snapshot can't have. The snapshot stays as it was.
func TestBadCategories(t *testing.T) {
	for rows, want := range map[string]string{
		"":                             "categories.csv: there are 0 categories; a basket has 1 to 64",
		"a,A,\na,B,\n":                 "categories.csv, line 3: the file has a row with the same key before: keep one of the rows",
		"obst,Obst,\noverall,Alles,\n": `categories.csv, line 3: slug "overall" is the word overall or all`,
		"obst,Obst,\nx.y,X,\n":         `categories.csv, line 3: slug "x.y"`,
		"obst,Obst,\n":                 `categories.csv lacks a category in use: product 1 (number 1 added): unknown category "milch"; use one of obst`,
	} {
		db := imported(t, ofOwn)
		before := content(t, db)
		dir := files{"categories.csv": "slug,name,name_fr\n" + rows}.write(t)
		_, err := Import(t.Context(), dir, db, ImportOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), "sqlite: nothing imported: "+want) || content(t, db) != before {
			t.Errorf("%q: %v", rows, err)
		}
	}
	db := imported(t, ofOwn)
	summary, err := Import(t.Context(), ofOwn.add("products.csv", "3,Brot,bakery,,500,g,1,package,1,,\n").write(t), db, ImportOptions{})
	if r := summary.Reasons; err != nil || len(r) != 1 || r[0].First.Reason != `category: unknown category "bakery"; use one of obst, milch, alpha` {
		t.Errorf("%+v", r)
	}
}
