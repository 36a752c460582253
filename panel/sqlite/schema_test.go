package sqlite

import (
	"fmt"
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
