package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// sequence writes n numbers from 1 on, parted by commas.
func sequence(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i + 1)
	}
	return strings.Join(list, ",")
}

// chainKeys writes n different keys.
func chainKeys(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = "chain" + strconv.Itoa(i)
	}
	return strings.Join(list, ",")
}

// TestShopperQuery tries queries of GET.
func TestShopperQuery(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	// A quantity with so many zeros makes items of any length.
	items := func(length int) string { return "7x0.5" + strings.Repeat("0", length-len("7x0.5")) }
	for _, c := range []struct{ name, query, code string }{
		{"a list", "city=toronto&items=1x2,7x0.5", ""},
		{"an id alone", "city=toronto&items=1", ""},
		{"an id alone by the kilogram", "city=toronto&items=7", ""},
		{"quantities by value", "city=toronto&items=1x2.0,7x0.50,8x1.250", ""},
		{"in another order", "stores=tillbrook,northlarch&items=12,3&city=toronto", ""},
		{"escaped", "city=%74oronto&%69tems=1x2%2C7x0.5", ""},
		{"empty pairs", "&city=toronto&&items=1&", ""},
		{"1200 characters", "city=toronto&items=" + items(1200), ""},
		{"the smallest and the largest", "city=toronto&items=7x0.25,8x10,1x1,2x20", ""},

		{"no query", "", "missing_parameter"},
		{"no city", "items=1", "missing_parameter"},
		{"no items", "city=toronto", "missing_parameter"},
		{"unknown", "city=toronto&items=1&store=northlarch", "unknown_parameter"},
		{"in capitals", "City=toronto&items=1", "unknown_parameter"},
		{"without a name", "city=toronto&items=1&=x", "unknown_parameter"},
		{"an array's name", "city=toronto&items[]=1", "unknown_parameter"},
		{"unknown before twice", "city=toronto&city=toronto&x=1", "unknown_parameter"},
		{"a city twice", "city=toronto&city=toronto&items=1", "duplicate_parameter"},
		{"twice, once escaped", "city=toronto&items=1&i%74ems=1", "duplicate_parameter"},
		{"twice, once empty", "city=toronto&items=1&stores=&stores=northlarch", "duplicate_parameter"},
		{"twice before missing", "city=toronto&city=toronto", "duplicate_parameter"},
		{"a bad escape", "city=toronto&items=%zz", "invalid_query"},
		{"half an escape", "city=toronto&items=1%", "invalid_query"},
		{"semicolons", "city=toronto;items=1", "invalid_query"},
		{"no UTF-8 in a value", "city=toronto%ff&items=1", "invalid_query"},
		{"no UTF-8 in a name", "city=toronto&items=1&%c3=1", "invalid_query"},

		{"no such city", "city=springfield&items=1", "unsupported_city"},
		{"an empty city", "city=&items=1", "unsupported_city"},
		{"a city in capitals", "city=Toronto&items=1", "unsupported_city"},
		{"a city with a space", "city=+toronto&items=1", "unsupported_city"},
		{"a city's name", "city=Quebec+City&items=1", "unsupported_city"},

		{"empty items", "city=toronto&items=", "invalid_items"},
		{"1201 characters", "city=toronto&items=" + items(1201), "invalid_items"},
		{"an empty entry", "city=toronto&items=1,,2", "invalid_items"},
		{"a comma at the end", "city=toronto&items=1,", "invalid_items"},
		{"a space", "city=toronto&items=1,+2", "invalid_items"},
		{"a plus", "city=toronto&items=%2B1", "invalid_items"},
		{"a minus", "city=toronto&items=1x-2", "invalid_items"},
		{"a capital X", "city=toronto&items=1X2", "invalid_items"},
		{"a zero in front of an id", "city=toronto&items=01", "invalid_items"},
		{"a zero in front of a quantity", "city=toronto&items=1x02", "invalid_items"},
		{"an exponent", "city=toronto&items=1x1e0", "invalid_items"},
		{"no quantity", "city=toronto&items=1x", "invalid_items"},
		{"no id", "city=toronto&items=x2", "invalid_items"},
		{"two quantities", "city=toronto&items=1x2x3", "invalid_items"},
		{"no digit after the point", "city=toronto&items=7x1.", "invalid_items"},
		{"no digit before the point", "city=toronto&items=7x.5", "invalid_items"},
		{"a comma for a point", "city=toronto&items=7x0%2C5", "invalid_quantity"}, // of the entries 7x0 and 5
		{"digits of another script", "city=toronto&items=%D9%A1", "invalid_items"},
		{"a NUL", "city=toronto&items=1%00", "invalid_items"},
		{"a name", "city=toronto&items=milk", "invalid_items"},

		{"item 0", "city=toronto&items=0", "unknown_item"},
		{"item 51", "city=toronto&items=51", "unknown_item"},
		{"an endless id", "city=toronto&items=" + strings.Repeat("9", 400), "unknown_item"},
		{"50 items", "city=toronto&items=" + sequence(50), ""},
		{"51 items", "city=toronto&items=" + sequence(51), "too_many_items"},
		{"an item twice", "city=toronto&items=1,2,1x3", "duplicate_item"},
		{"half a package", "city=toronto&items=1x0.5", "invalid_quantity"},
		{"21 packages", "city=toronto&items=1x21", "invalid_quantity"},
		{"no packages", "city=toronto&items=1x0", "invalid_quantity"},
		{"10.25 kilograms", "city=toronto&items=7x10.25", "invalid_quantity"},
		{"0.3 kilograms", "city=toronto&items=7x0.30", "invalid_quantity"},
		{"0.1 kilograms", "city=toronto&items=7x0.1", "invalid_quantity"},
		{"just above half a kilogram", "city=toronto&items=7x0.5000000000000000000000001", "invalid_quantity"},
		{"an endless quantity", "city=toronto&items=1x" + strings.Repeat("9", 400), "invalid_quantity"},

		{"empty stores", "city=toronto&items=1&stores=", "invalid_stores"},
		{"an empty store", "city=toronto&items=1&stores=northlarch,", "invalid_stores"},
		{"a store with a space", "city=toronto&items=1&stores=northlarch,+tillbrook", "invalid_stores"},
		{"40 stores", "city=toronto&items=1&stores=" + chainKeys(40), "unknown_store"},
		{"41 stores", "city=toronto&items=1&stores=" + chainKeys(41), "too_many_stores"},
		{"no such store", "city=toronto&items=1&stores=nonesuch", "unknown_store"},
		{"a store in capitals", "city=toronto&items=1&stores=Northlarch", "unknown_store"},
		{"a store twice", "city=toronto&items=1&stores=northlarch,tillbrook,northlarch", "duplicate_store"},
		{"a store of other cities", "city=toronto&items=1&stores=gullhaven", "store_unavailable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			got := f.Get("/api/shopper/compare?"+c.query, "")
			if c.code == "" {
				apitest.WantStatus(t, got, http.StatusOK)
				return
			}
			apitest.WantError(t, c.name, got, http.StatusBadRequest, c.code)
		})
	}
}
