package httpapi_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// TestCellsRefused asks a server of a snapshot of cells for what needs single prices.
func TestCellsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"products":          "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n1,Milk,dairy,,2000,mL,1,package,1\n",
		"cities":            "slug,name,province\nhere,Here,ON\n",
		"banners":           "key,name,retailer,in_index,in_shopper,verified\nshop,Shop,Shop Inc.,1,1,0\n",
		"stores":            "id,banner,city,active,location_certain\n1,shop,here,1,1\n",
		"retailer_products": "id,product_id,banner,sku,name,brand,is_store_brand,active\n1,1,shop,,MILK 2L,,,1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type cell struct {
		Listing int64   `parquet:"listing_id"`
		Store   int64   `parquet:"store_id"`
		Week    int32   `parquet:"week,date"`
		MeanLog float64 `parquet:"mean_log_price"`
		Prices  int32   `parquet:"prices"`
	}
	made := t.TempDir()
	file, db := filepath.Join(made, "cells.parquet"), filepath.Join(made, "cells.db")
	if err := parquet.WriteFile(file, []cell{{1, 1, int32(panel.DefaultBaseWeek), 1.25, 7}}); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), dir, db, sqlite.ImportOptions{Cells: file}); err != nil {
		t.Fatal(err)
	}
	f := apitest.ServeFile(t, db, apitest.Ample)
	key := f.Key(state.Standard)
	own := apitest.Header("Sec-Fetch-Site", "same-origin")
	const list = `{"city":"here","items":[{"id":1,"qty":1}]}`
	for what, r := range map[string]*apitest.Response{
		"prices":            f.Get("/api/v1/prices", key),
		"regular companion": f.Get("/api/v1/companions/regular", key),
		"bulk prices":       f.Get("/api/v1/bulk/"+f.Get("/api/v1/index", key).Header.Get("X-Snapshot")+"/prices.csv.gz", key),
		"catalog":           f.Get("/api/shopper/catalog", ""),
		"compare by query":  f.Get("/api/shopper/compare?city=here&items=1x1", ""),
		"compare by body":   f.Post("/api/shopper/compare", list),
		"lines":             f.Post("/shopper/lines", list, own),
		"search":            f.Post("/shopper/search", `{"text":"milk"}`, own),
	} {
		apitest.WantStatus(t, r, http.StatusNotFound)
		if body := string(r.Content); !strings.Contains(body, panel.ErrCells.Error()) || !strings.Contains(body, `"not_found"`) {
			t.Errorf("%s: %s", what, body)
		}
	}
	apitest.WantStatus(t, f.Get("/api/v1/index?from=2026-07-19", key), http.StatusOK)
	apitest.WantStatus(t, f.Get("/readyz", ""), http.StatusOK)
}
