package sqlite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/panel/sqlite"
)

func Example() {
	tmp, err := os.MkdirTemp("", "larder")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	dir, db := filepath.Join(tmp, "prices"), filepath.Join(tmp, "panel.db")
	os.Mkdir(dir, 0o755)
	for name, content := range map[string]string{
		"products.csv":          "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n1,Milk,dairy,,2000,mL,1,package,1\n",
		"cities.csv":            "slug,name,province\nhere,Here,ON\n",
		"banners.csv":           "key,name,retailer,in_index,in_shopper,verified\nshop,Shop,Shop Inc.,1,1,0\n",
		"stores.csv":            "id,banner,city,active,location_certain\n1,shop,here,1,1\n",
		"retailer_products.csv": "id,product_id,banner,sku,name,brand,is_store_brand,active\n1,1,shop,,MILK 2L,,,1\n",
		"observations.csv": "id,retailer_product_id,store_id,regular_price,sale_price,effective_price,unit_price,package_size," +
			"in_stock,is_on_sale,sale_ends_on,sale_condition,scraped_name,observed_at,regular_price_source,promo_detail\n" +
			"1,1,1,,,3.49,,2 L,1,0,,,MILK 2L,2026-07-15T12:00:00-04:00,,\n" +
			"2,1,1,,,0,,2 L,1,0,,,MILK 2L,2026-07-22T12:00:00-04:00,,\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	summary, err := sqlite.Import(context.Background(), dir, db, sqlite.ImportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary)
	for _, r := range summary.Reasons {
		fmt.Printf("%s, line %d: %s\n", r.File, r.First.Line, r.First.Reason)
	}
	p, err := sqlite.Load(context.Background(), db)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Counts().Used, "price in week", p.Weeks()[0])
	// Output:
	// products 1 added; cities 1 added; banners 1 added; stores 1 added; retailer_products 1 added; observations 1 added, 1 rejected
	// observations.csv, line 3: effective_price: price "0" is not above 0
	// 1 price in week 2026-07-19
}
