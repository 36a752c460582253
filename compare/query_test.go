package compare_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

func TestParseItems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"7", "7x1"}, {"1x2,7x0.5", "1x2,7x0.5"}, {"7x0.50", "7x0.5"}, {"1x2.0", "1x2"}, {"7x0.25", "7x0.25"}, {"7x10", "7x10"}, {"7x10.00000", "7x10"},
		{"50,1", "50x1,1x1"}, {"1x20", "1x20"},
		{"7x10.25", "7x10.25"}, // what the item allows is for the projection to say
		{"", "invalid_items items"}, {",", "invalid_items items"}, {"1,", "invalid_items items"}, {",1", "invalid_items items"}, {"1,,2", "invalid_items items"},
		{" 1", "invalid_items items"}, {"1 ", "invalid_items items"}, {"1, 2", "invalid_items items"}, {"1 x2", "invalid_items items"},
		{"1X2", "invalid_items items"}, {"1x", "invalid_items items"}, {"x2", "invalid_items items"}, {"1x2x3", "invalid_items items"},
		{"01", "invalid_items items"}, {"1x02", "invalid_items items"}, {"7x00.5", "invalid_items items"}, {"00", "invalid_items items"},
		{"+1", "invalid_items items"}, {"-1", "invalid_items items"}, {"1x+2", "invalid_items items"}, {"1x-2", "invalid_items items"},
		{"1x1e0", "invalid_items items"}, {"1e0", "invalid_items items"}, {"1.0", "invalid_items items"}, {"7x.5", "invalid_items items"}, {"7x5.", "invalid_items items"},
		{"7x0,5", "invalid_quantity items[0].qty"}, {"１", "invalid_items items"}, {"1\n", "invalid_items items"}, {"1;2", "invalid_items items"},
		{"0", "unknown_item items[0].id"}, {"9007199254740991", "9007199254740991x1"}, {"9007199254740992", "unknown_item items[0].id"}, {"1,99999999999999999999", "unknown_item items[1].id"}, {"1000000000000000001", "unknown_item items[0].id"},
		{"1,2,1", "duplicate_item items[2].id"}, {"1x1,1x2", "duplicate_item items[1].id"},
		{"7x0.3", "invalid_quantity items[0].qty"}, {"7x0", "invalid_quantity items[0].qty"}, {"1x21", "invalid_quantity items[0].qty"}, {"1x20.25", "invalid_quantity items[0].qty"},
		{"7x0.251", "invalid_quantity items[0].qty"}, {"1x99999999999999999999999", "invalid_quantity items[0].qty"},
		{"0,1x0", "unknown_item items[0].id"}, {"1x0,0", "invalid_quantity items[0].qty"}, {"1x0,y", "invalid_items items"},
	} {
		items, err := parsed(c.text)
		got := refusal(t, err)
		if err == nil {
			got = itemsText(items)
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// parsed reads and checks items.
func parsed(text string) ([]compare.Item, error) {
	items, err := compare.ParseItems(text)
	r := compare.Request{Items: items}
	return items, cmp.Or(err, r.Validate())
}

func TestParseItemsLimits(t *testing.T) {
	list := func(n int) string {
		var ids []string
		for id := 1; id <= n; id++ {
			ids = append(ids, fmt.Sprint(id))
		}
		return strings.Join(ids, ",")
	}
	if items, err := compare.ParseItems(list(50)); err != nil || len(items) != 50 {
		t.Errorf("50 items: %v", err)
	}
	if _, err := parsed(list(51)); refusal(t, err) != "too_many_items items" {
		t.Errorf("51 items: %v", err)
	}
	long := "7x0.5" + strings.Repeat("0", 1195)
	if items, err := compare.ParseItems(long); err != nil || itemsText(items) != "7x0.5" {
		t.Errorf("1200 characters: %v", err)
	}
	_, err := compare.ParseItems(long + "0")
	if refusal(t, err) != "invalid_items items" || !strings.Contains(err.Error(), "1201 characters") {
		t.Errorf("1201 characters: %v", err)
	}
	// Characters, not bytes: this one is malformed, but not too long.
	if _, err := compare.ParseItems(strings.Repeat("é", 1200)); strings.Contains(err.Error(), "characters") {
		t.Errorf("1200 characters of two bytes: %v", err)
	}
}

func TestParseStores(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"alder", "alder"}, {"birch,alder", "birch|alder"}, {"a-b_c.d9,é", "a-b_c.d9|é"}, {"Alder", "Alder"},
		{"", "invalid_stores stores"}, {"a,", "invalid_stores stores"}, {",a", "invalid_stores stores"}, {"a,,b", "invalid_stores stores"},
		{"a, b", "invalid_stores stores"}, {"a b", "invalid_stores stores"}, {"a;b", "invalid_stores stores"}, {"a\x00", "invalid_stores stores"}, {"\xff", "invalid_stores stores"},
	} {
		stores, err := compare.ParseStores(c.text)
		got := refusal(t, err)
		if err == nil {
			got = strings.Join(stores, "|")
		}
		if got != c.want {
			t.Errorf("%.60q: %s, want %s", c.text, got, c.want)
		}
	}
}

// itemsText writes items as a query has them.
func itemsText(items []compare.Item) string {
	var parts []string
	for _, it := range items {
		parts = append(parts, fmt.Sprintf("%dx%s", it.ID, it.Qty))
	}
	return strings.Join(parts, ",")
}
