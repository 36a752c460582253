package sqlite

import (
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestViews queries the views for analysts.
func TestViews(t *testing.T) {
	c, err := open(imported(t, sound), readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for query, want := range map[string][]string{
		"SELECT id, regular_price, sale_price, effective_price, package_size, sale_ends_on, sale_condition, observed_at FROM prices WHERE id = 1": {
			"[1 3.99 3.49 3.49 2 L 2026-07-22 multi_buy 2026-07-15T16:00:00Z]",
		},
		"SELECT id, scraped_name, regular_price_source, promo_detail FROM prices WHERE id = 2": {
			`[2 POMMES "R" derived {"packagePrice": 4.40}]`,
		},
		"SELECT city, banner, product, category, effective_price FROM priced_products WHERE observation_id = 5": {
			"[St. There shop Apples, red produce_fruit 0.1234]",
		},
		// No row refers to one that is not there.
		"PRAGMA foreign_key_check": nil,
		"PRAGMA integrity_check":   {"[ok]"},
		"SELECT * FROM labels": {
			"[1 1 MILK 2L 2 L]", `[2 2 POMMES "R" <nil>]`, "[3 3 <nil> 1 kg]",
		},
	} {
		var got []string
		c.each(query, func(r row) { got = append(got, fmt.Sprint([]any(nil), r)[3:]) })
		if c.err != nil {
			t.Fatal(c.err)
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s", query, d)
		}
	}
}

// TestColumnsAreStored compares the lists of columns with the schema. Only columns that a
// label or a place implies are missing on one side.
func TestColumnsAreStored(t *testing.T) {
	c, err := open(imported(t, sound), readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	columnsAreStored(t, c, settings, "[] []")
	columnsAreStored(t, c, products, "[] []")
	columnsAreStored(t, c, cities, "[] []")
	columnsAreStored(t, c, banners, "[] []")
	columnsAreStored(t, c, stores, "[] []")
	columnsAreStored(t, c, listings, "[] []")
	columnsAreStored(t, c, observations, "[retailer_product_id package_size scraped_name shelf_price] [label_id]")
	columnsAreStored(t, c, specs, "[] []")
	columnsAreStored(t, c, quarantine, "[released withdrawn_at confirmed_at] []") // the acts say it
	columnsAreStored(t, c, shrinkEvents, "[] []")
	columnsAreStored(t, c, pilot, "[level] [id]")
}

// columnsAreStored wants these columns in the list alone, and these in the schema alone.
func columnsAreStored[T any](t *testing.T, c *conn, table *table[T], want string) {
	t.Helper()
	var listed, stored []string
	for _, col := range table.columns {
		listed = append(listed, col.Name)
	}
	c.each("SELECT name FROM pragma_table_info(?)", func(r row) {
		name := r.text(0)
		if i := slices.Index(listed, name); i >= 0 {
			listed = slices.Delete(listed, i, i+1)
		} else {
			stored = append(stored, name)
		}
	}, table.name)
	if got := fmt.Sprint(listed, stored); c.err != nil || got != want {
		t.Errorf("%s: not stored and not listed: %s, %v", table.name, got, c.err)
	}
}
