package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel/sqlite"
)

// Reference is the projection of the demo snapshot, made beside the server.
var Reference = sync.OnceValue(func() *compare.Projection {
	_, db := Demo()
	return ReferenceOf(db)
})

// ReferenceOf is the projection of a snapshot.
func ReferenceOf(db string) *compare.Projection {
	all, err := sqlite.LoadAll(context.Background(), db)
	must(err)
	return compare.NewProjection(all.Panel, all.Rows)
}

// List parses a shopping list in its textual form.
func List(t testing.TB, city, items string, stores ...string) compare.Request {
	t.Helper()
	list, err := compare.ParseItems(items)
	if err != nil {
		t.Fatal(err)
	}
	return compare.Request{City: city, Items: list, Stores: stores}
}

// Body is a list as POST sends it.
func Body(t testing.TB, list compare.Request) string {
	t.Helper()
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Query is a list as GET sends it.
func Query(list compare.Request) string { return "?" + parameters(list) }

// PageURL is the address of the page that shows a list, with items by id and stores by key.
func PageURL(base string, list compare.Request) string {
	list.Items, list.Stores = slices.Clone(list.Items), slices.Sorted(slices.Values(list.Stores))
	slices.SortFunc(list.Items, func(a, b compare.Item) int { return int(a.ID - b.ID) })
	return base + compare.ShopperPath + "#" + parameters(list)
}

// Items is the textual form of a list's items.
func Items(list compare.Request) string {
	var items []string
	for _, it := range list.Items {
		items = append(items, fmt.Sprintf("%dx%s", it.ID, it.Qty))
	}
	return strings.Join(items, ",")
}

func parameters(list compare.Request) string {
	text := "city=" + list.City + "&items=" + Items(list)
	for _, x := range []struct {
		name  string
		words []string
	}{{"stores", list.Stores}, {"include", list.Include}, {"conditions", list.Conditions}} {
		if len(x.words) > 0 {
			text += "&" + x.name + "=" + strings.Join(x.words, ",")
		}
	}
	return text
}

// Compared returns the comparison of a list that package compare makes, with its links.
func Compared(t testing.TB, p *compare.Projection, list compare.Request, now time.Time) *compare.Result {
	t.Helper()
	result, err := compare.Evaluate(p, list, now)
	if err != nil {
		t.Fatal(err)
	}
	return result.WithLinks("https://larder.example")
}
