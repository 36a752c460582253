package httpapi

import (
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

// A basket may have no product that can be asked for: then none is proposed.
func TestNoProductToAskFor(t *testing.T) {
	for _, products := range [][]basket.Product{nil, {{ID: lastProduct + 1}, {ID: 60}}} {
		for _, v := range []string{"60", "1", "x"} {
			_, err := params{"product_id": v}.product(products)
			if err == nil || !strings.Contains(err.Error(), "no product has an id from 1 to 50") || strings.Contains(err.Error(), "did you mean") {
				t.Errorf("%d products, product_id=%s: %v", len(products), v, err)
			}
		}
	}
}
