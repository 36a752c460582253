package oracle

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var panelFiles = map[string]string{
	"settings.csv": "key,value\nbase_week,2024-06-16\n",
	"products.csv": "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n" +
		"1,\"Milk, 2 L\",dairy,,2000,mL,0.5,package,1\n" +
		"2,Gone,dairy,,1,unit,0.5,package,0\n",
	"cities.csv":            "slug,name,province\nquebec,Quebec City,QC\n",
	"banners.csv":           "key,name,retailer,in_index,in_shopper,verified\nacme,Acme,Acme,1,1,0\n",
	"stores.csv":            "id,banner,city,active,location_certain\n7,acme,quebec,1,1\n",
	"retailer_products.csv": "id,product_id,banner,sku,name,brand,is_store_brand,active\n9,1,acme,,Milk,,,1\n",
	"observations.csv.gz": "id,retailer_product_id,store_id,effective_price,observed_at\n" +
		"1,9,7,4.00,2024-06-10T11:30:00-04:00\n" +
		"2,9,7,4.10,2024-06-20T11:30:00-04:00\n",
}

func writePanel(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		content := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(content)
			z.Close()
			content = packed.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// 4.10 / 4.00 = 1.025.
func TestReadDir(t *testing.T) {
	d, err := ReadDir(writePanel(t, panelFiles))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2024, 6, 24, 4, 0, 0, 0, time.UTC) // the second week has just closed
	rows := Table(d, Options{Now: now})
	if len(rows) != 12 {
		t.Fatalf("%d rows, want 12", len(rows))
	}
	wantRow(t, find(rows, "2024-06-16", "Quebec City", "acme", "dairy"), 100, 1, 1, null)
	wantRow(t, find(rows, "2024-06-23", "Quebec City", "acme", "dairy"), 102.5, 1, 1, 2.5)
	wantCost(t, headline(rows, "2024-06-23"), 4.10)
}

func TestReadDirErrors(t *testing.T) {
	cases := map[string]struct{ file, text string }{
		"unknown city":     {"stores.csv", "id,banner,city,active,location_certain\n7,acme,nowhere,1,1\n"},
		"missing column":   {"cities.csv", "slug\nquebec\n"},
		"bad boolean":      {"banners.csv", "key,in_index\nacme,yes\n"},
		"bad price":        {"observations.csv.gz", "id,retailer_product_id,store_id,effective_price,observed_at\n1,9,7,0,2024-06-10T11:30:00Z\n"},
		"unknown listing":  {"observations.csv.gz", "id,retailer_product_id,store_id,effective_price,observed_at\n1,8,7,1,2024-06-10T11:30:00Z\n"},
		"bad time":         {"observations.csv.gz", "id,retailer_product_id,store_id,effective_price,observed_at\n1,9,7,1,2024-06-10\n"},
		"unknown category": {"products.csv", "id,category,basket_weight,active\n1,toys,1,1\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for f, text := range panelFiles {
				files[f] = text
			}
			files[c.file] = c.text
			if _, err := ReadDir(writePanel(t, files)); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestSettingsAreOptional(t *testing.T) {
	files := map[string]string{}
	for f, text := range panelFiles {
		if f != "settings.csv" {
			files[f] = text
		}
	}
	d, err := ReadDir(writePanel(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if d.BaseWeek != "2026-07-19" {
		t.Errorf("base week %s", d.BaseWeek)
	}
}
