package sqlite

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/shrink"
)

const obsHeader = "id,retailer_product_id,store_id,regular_price,sale_price,effective_price,unit_price,package_size," +
	"in_stock,is_on_sale,sale_ends_on,sale_condition,scraped_name,observed_at,regular_price_source,promo_detail\n"

// files is a panel directory by file name; "-" leaves a file out.
type files map[string]string

// sound is a small panel directory without faults that has every file.
var sound = files{
	"settings.csv": "key,value\nbase_week,2026-07-19\n",
	"products.csv": "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active,name_fr,aliases\n" +
		"1,Milk,dairy,fluid,2000,mL,0.5,package,1,Lait,moo|lait 2 %\n2,\"Apples, red\",produce_fruit,,1000,g,0.25,kg,1,,\n",
	"cities.csv":  "slug,name,province\nhere,Here,ON\nst-there,St. There,QC\n",
	"banners.csv": "key,name,retailer,in_index,in_shopper,verified\nshop,Shop,Shop Inc.,1,1,0\nmart,Mart,\"Mart, Inc.\",0,1,1\n",
	"stores.csv":  "id,banner,city,active,location_certain\n1,shop,here,1,1\n2,mart,st-there,1,0\n3,shop,st-there,0,1\n",
	"retailer_products.csv": "id,product_id,banner,sku,name,brand,is_store_brand,active\n" +
		"1,1,shop,A1,MILK 2L,Moo,0,1\n2,2,mart,,POMMES,,1,1\n3,2,shop,,APPLES,,,0\n",
	"observations.csv": obsHeader +
		"1,1,1,3.99,3.49,3.49,0.001745,2 L,1,1,2026-07-22,multi_buy,MILK 2L,2026-07-15T12:00:00.5-04:00,,\n" +
		"2,2,2,4.40,,4.40,,,0,0,,,\"POMMES \"\"R\"\"\",2026-07-15T12:00:00Z,derived,\"{\"\"packagePrice\"\": 4.40}\"\n" +
		"5,3,3,,,0.1234,,1 kg,,0,,,,2026-07-22T12:00:00Z,,\n" +
		"4,1,1,,,3.59,,2 L,1,0,,member,MILK 2L,2026-07-22T12:00:00Z,,\n",
	"product_specs.csv": "product_id,require,forbid,min_size,max_size\n1,milk|lait&2l,chocolate,1000,4000\n",
	"quarantine.csv": "retailer_product_id,store_id,reason,observation_id,rule,found_at,released\n" +
		"1,,\"looks wrong, see list\",,,,\n1,1,per lb,4,wrong_basis_row,2026-07-22T12:00:00Z,1\n",
	"shrink_events.csv": "id,retailer_product_id,old_package_size,new_package_size,old_size_numeric,new_size_numeric,size_unit,pct_size_change," +
		"old_unit_price,new_unit_price,pct_unit_price_change,shelf_price_at_change,detected_at,observation_ids\n" +
		"1,1,2 L,1.89 L,2000,1890,mL,-5.5,0.001745,0.0019,8.8825,3.59,2026-07-22T12:00:00Z,1|4\n",
	"index_v1.csv": "date,level,city,banner,category,index_value,basket_cost_cad,pct_change_wow,pct_change_mom,item_count,total_items\n" +
		"2026-03-08,national,,,,100,182.31,,,50,50\n2026-03-08,city,here,,dairy,101.25,,-0.5,,,\n2026-03-08,banner,here,shop,,99.1234,,,,30,50\n",
}

// with returns the directory with some files replaced.
func (f files) with(changed files) files {
	all := maps.Clone(f)
	maps.Copy(all, changed)
	return all
}

// add returns the directory with rows added to a file.
func (f files) add(name, rows string) files { return f.with(files{name: f[name] + rows}) }

func (f files) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range f {
		if content == "-" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// imported imports a directory into a new snapshot and wants no reject.
func imported(t testing.TB, f files) (db string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "panel.db")
	into(t, f, db)
	return db
}

// into imports a directory into a snapshot and wants no reject.
func into(t testing.TB, f files, db string) Summary {
	t.Helper()
	return importDir(t, f.write(t), db)
}

func importDir(t testing.TB, dir, db string) Summary {
	t.Helper()
	s, err := Import(context.Background(), dir, db, ImportOptions{Detect: shrink.Detect})
	if err != nil {
		t.Fatal(err)
	}
	if s.Total().Rejected > 0 {
		t.Fatalf("rejects: %v", s.Reasons)
	}
	return s
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// exported exports a snapshot and returns the files.
func exported(t testing.TB, db string) files {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := Export(context.Background(), db, dir); err != nil {
		t.Fatal(err)
	}
	f := files{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		f[e.Name()] = content(t, filepath.Join(dir, e.Name()))
	}
	return f
}

// rejects reads a rejects file as "file:line reason".
func rejects(t testing.TB, path string) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(content(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"file", "line", "reason", "text"}, rows[0]); d != "" {
		t.Error(d)
	}
	var list []string
	for _, r := range rows[1:] {
		list = append(list, fmt.Sprintf("%s:%s %s", r[0], r[1], r[2]))
	}
	return list
}

// onlyFile wants nothing beside the snapshot.
func onlyFile(t testing.TB, db string) {
	t.Helper()
	entries, _ := os.ReadDir(filepath.Dir(db))
	for _, e := range entries {
		if e.Name() != filepath.Base(db) {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}
