package csvdir

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const obsHeader = "id,retailer_product_id,store_id,regular_price,sale_price,effective_price,unit_price,package_size," +
	"in_stock,is_on_sale,sale_ends_on,sale_condition,scraped_name,observed_at,regular_price_source,promo_detail\n"

// sound is a small panel directory without faults.
var sound = map[string]string{
	"products.csv":          "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n1,Milk,dairy,,2000,mL,0.5,package,1\n",
	"cities.csv":            "slug,name,province\nhere,Here,ON\n",
	"banners.csv":           "key,name,retailer,in_index,in_shopper,verified\nshop,Shop,Shop Inc.,1,1,0\n",
	"stores.csv":            "id,banner,city,active,location_certain\n1,shop,here,1,1\n",
	"retailer_products.csv": "id,product_id,banner,sku,name,brand,is_store_brand,active\n1,1,shop,,MILK 2L,,,1\n",
	"observations.csv":      obsHeader + "1,1,1,,,3.49,,2 L,1,0,,,MILK 2L,2026-07-15T12:00:00Z,,\n",
}

// folder writes the sound directory with some files replaced; "-" leaves a
// file out.
func folder(t testing.TB, changed map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := maps.Clone(sound)
	maps.Copy(files, changed)
	for name, content := range files {
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

func TestOpenRefuses(t *testing.T) {
	const (
		cities     = "expected are slug, name, province"
		utf16      = "cities.csv: the file is UTF-16 text; save it as UTF-8"
		semicolons = "cities.csv, line 1: the columns are separated by semicolons; save the file with commas between them"
		carriage   = "cities.csv, line 1: the lines end in a carriage return (CR) alone; save the file with LF or CRLF line ends"
	)
	notRead := func(name, want string) string {
		return fmt.Sprintf("%s: a file of this name is not read; name it %[2]s or %[2]s.gz, or take it out of the folder", name, want)
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // what follows ": "
	}{
		{"missing file", map[string]string{"cities.csv": "-"}, "cities.csv: the file is missing (as cities.csv or cities.csv.gz)"},
		{"plain and gzipped", map[string]string{"cities.csv.gz": gzipped("x")}, "cities.csv.gz: cities.csv is there too; keep one of them"},
		{"unknown file", map[string]string{"citys.csv": "x"}, "citys.csv: unknown CSV file; a panel directory has settings.csv, categories.csv, products.csv, " +
			"cities.csv, banners.csv, stores.csv, retailer_products.csv, observations.csv, product_specs.csv, quarantine.csv, shrink_events.csv, index_v1.csv, words.csv, matches.csv"},
		{"unknown column", map[string]string{"cities.csv": "slug,name,province,region\n"}, `cities.csv, line 1: column "region" is unknown; ` + cities},
		{"missing column", map[string]string{"cities.csv": "slug,name\n"}, `cities.csv, line 1: column "province" is missing; ` + cities},
		{"column twice", map[string]string{"cities.csv": "slug,name,province,name\n"}, `cities.csv, line 1: column "name" stands twice; ` + cities},
		{"needed columns of rows", map[string]string{"observations.csv": "retailer_product_id,store_id,effective_price,observed_at\n"},
			`observations.csv, line 1: column "is_on_sale" is missing; expected are retailer_product_id, store_id, effective_price, is_on_sale, observed_at and optionally id, ` +
				"regular_price, sale_price, unit_price, package_size, in_stock, sale_ends_on, sale_condition, scraped_name, regular_price_source, promo_detail, shelf_price"},
		{"a file that others need", map[string]string{
			"products.csv": "-", "cities.csv": "-", "banners.csv": "-", "stores.csv": "-", "observations.csv": "-", "product_specs.csv": "product_id,require,forbid,min_size,max_size\n",
		}, "products.csv: the file is missing (as products.csv or products.csv.gz)\ncities.csv: the file is missing (as cities.csv or cities.csv.gz)\n" +
			"banners.csv: the file is missing (as banners.csv or banners.csv.gz)\nstores.csv: the file is missing (as stores.csv or stores.csv.gz)\n" +
			"observations.csv: the file is missing (as observations.csv or observations.csv.gz)"},
		{"misspelt column", map[string]string{"cities.csv": "slug,Nmae,province\n"}, `cities.csv, line 1: column "Nmae" is unknown; column "name" is missing; ` + cities},
		{"optional columns named", map[string]string{"quarantine.csv": "retailer_product_id,store_id\n"}, `quarantine.csv, line 1: column "reason" is missing; ` +
			"expected are retailer_product_id, store_id, reason and optionally observation_id, rule, found_at, released, city, banner, product_id, from, to, withdrawn_at, confirmed_at"},
		{"empty file", map[string]string{"cities.csv": ""}, "cities.csv, line 1: the header row is missing"},
		{"UTF-16", map[string]string{"cities.csv": "\xff\xfes\x00l\x00u\x00g\x00"}, utf16},
		{"semicolons", map[string]string{"cities.csv": "slug;name;province\nhere;Here;ON\n"}, semicolons},
		{"tabs", map[string]string{"cities.csv": "slug\tname\tprovince\n"}, "cities.csv, line 1: the columns are separated by tabs; save the file with commas between them"},
		{"CR only", map[string]string{"cities.csv": "slug,name,province\rhere,Here,ON\r"}, carriage},
		{"CR only, long", map[string]string{"cities.csv": strings.Repeat("slug,name,province\r", 1<<16)}, carriage},
		{"one column", map[string]string{"cities.csv": "slug\r\n"}, `cities.csv, line 1: column "name" is missing; column "province" is missing; ` + cities},
		{"upper case", map[string]string{"product_specs.CSV": ""}, notRead("product_specs.CSV", "product_specs.csv")},
		{"other compression", map[string]string{"quarantine.csv.zst": ""}, notRead("quarantine.csv.zst", "quarantine.csv")},
		{"copy", map[string]string{"index_v1.csv~": ""}, notRead("index_v1.csv~", "index_v1.csv")},
		{"not gzip", map[string]string{"cities.csv": "-", "cities.csv.gz": "slug,name,province\n"}, "cities.csv.gz: not gzip data: gzip: invalid header"},
		{"header never ends", map[string]string{"cities.csv": strings.Repeat("a", maxLine+1)}, "cities.csv, line 1: the line has 1048577 bytes; a line may have 1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, c.files)
			_, err := Open(dir)
			want := "csvdir: " + dir + " is no panel directory: " + c.want
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "csvdir: no folder ") {
		t.Errorf("missing folder: %v", err)
	}
}

func TestOpenIgnoresOtherFiles(t *testing.T) {
	dir := folder(t, map[string]string{
		"README.md": "x", "._cities.csv": "x", "notes.txt": "x", ".quarantine.csv.swp": "x", "quarantine.xlsx": "x", "old-cities.CSV": "x", "cities": "x",
		"cities.csv": "-", "cities.csv.gz": gzipped("\xef\xbb\xbfProvince,SLUG,Name\r\nON,here,Here\r\n"),
	})
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(d, Cities)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !r.Next() || r.Reject() != nil || r.Record().Slug != "here" || r.Record().Province != "ON" || r.Next() || r.Err() != nil {
		t.Errorf("columns in another order and in capitals, with a BOM, CRLF and gzip: %+v, %v", r.Record(), r.Err())
	}
}

func TestTruncatedGzip(t *testing.T) {
	whole := gzipped(sound["observations.csv"] + strings.Repeat("2,1,1,,,3.49,,,1,0,,,,2026-07-15T12:00:00Z,,\n", 99))
	d, err := Open(folder(t, map[string]string{"observations.csv": "-", "observations.csv.gz": whole[:len(whole)-20]}))
	if err == nil {
		var r *Reader[obs]
		if r, err = Read(d, Observations); err == nil {
			for r.Next() {
			}
			err = r.Err()
		}
	}
	const want = "the compressed data end too early; make the file again"
	if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), "observations.csv.gz, line ") {
		t.Errorf("got %v, want ... %s", err, want)
	}
}

// observations.csv may come without the files that its rows refer to, but not with
// some of them.
func TestOpenWithoutReferences(t *testing.T) {
	alone := map[string]string{"products.csv": "-", "cities.csv": "-", "banners.csv": "-", "stores.csv": "-", "retailer_products.csv": "-"}
	for name, tt := range map[string]struct {
		more           map[string]string
		open, complete string // the errors
	}{
		"alone":             {nil, "", "observations.csv without the files that its rows refer to, and a new snapshot needs them: products.csv: the file is missing"},
		"with some of them": {map[string]string{"stores.csv": sound["stores.csv"]}, "is no panel directory: products.csv: the file is missing", ""},
		"nothing":           {map[string]string{"observations.csv": "-"}, "observations.csv: the file is missing", ""},
	} {
		files := maps.Clone(alone)
		maps.Copy(files, tt.more)
		d, err := Open(folder(t, files))
		if fmt.Sprint(err) != "<nil>" && tt.open == "" || tt.open != "" && (err == nil || !strings.Contains(err.Error(), tt.open)) {
			t.Errorf("%s: open: %v, want %q", name, err, tt.open)
		}
		if err != nil {
			continue
		}
		if err := d.Complete(); err == nil || !strings.Contains(err.Error(), tt.complete) {
			t.Errorf("%s: complete: %v, want %q", name, err, tt.complete)
		}
	}
	if d, err := Open(folder(t, nil)); err != nil || d.Complete() != nil {
		t.Errorf("a whole folder: %v", err)
	}
}
