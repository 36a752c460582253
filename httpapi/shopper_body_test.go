package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

const goodList = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`

// padded is a list of so many bytes.
func padded(bytes int) string { return goodList + strings.Repeat(" ", bytes-len(goodList)) }

// itemsOf is a list of n items, of which the ids go on past the last.
func itemsOf(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id":%d,"qty":1}`, i+1))
	}
	return `{"city":"toronto","items":[` + strings.Join(list, ",") + `]}`
}

func storesOf(n int) string {
	return `{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["` + strings.ReplaceAll(chainKeys(n), ",", `","`) + `"]}`
}

// TestShopperBody tries bodies of POST, each with its length and without.
func TestShopperBody(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	f := apitest.Serve(t, apitest.Ample)
	for _, c := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"a list", goodList, 200, ""},
		{"8192 bytes", padded(8192), 200, ""},
		{"8193 bytes", padded(8193), 413, "body_too_large"},
		{"8193 bytes that are no JSON", strings.Repeat("x", 8193), 413, "body_too_large"},
		{"8192 bytes that are no JSON", strings.Repeat("x", 8192), 400, "invalid_json"},
		{"a megabyte", strings.Repeat("[", 1<<20), 413, "body_too_large"},

		{"nothing", "", 400, "invalid_json"},
		{"spaces", "   ", 400, "invalid_json"},
		{"half a list", goodList[:40], 400, "invalid_json"},
		{"more after the list", goodList + "x", 400, "invalid_json"},
		{"two lists", goodList + goodList, 400, "invalid_json"},
		{"a comma at the end", `{"city":"toronto","items":[{"id":1,"qty":2},]}`, 400, "invalid_json"},
		{"a comment", `{"city":"toronto",/**/"items":[{"id":1,"qty":2}]}`, 400, "invalid_json"},
		{"single quotes", `{'city':'toronto'}`, 400, "invalid_json"},
		{"a byte order mark", "\xef\xbb\xbf" + goodList, 400, "invalid_json"},
		{"no UTF-8", `{"city":"toront` + "\xff" + `","items":[{"id":1,"qty":2}]}`, 400, "invalid_json"},
		{"half a surrogate pair", `{"city":"\ud800","items":[{"id":1,"qty":2}]}`, 400, "invalid_json"},
		{"UTF-16", "\xff\xfe{\x00}\x00", 400, "invalid_json"},
		{"a city twice", `{"city":"toronto","city":"toronto","items":[{"id":1,"qty":2}]}`, 400, "invalid_json"},
		{"a city twice, once escaped", `{"city":"toronto","\u0063ity":"toronto","items":[{"id":1,"qty":2}]}`, 400, "invalid_json"},
		{"a quantity twice", `{"city":"toronto","items":[{"id":1,"qty":2,"qty":2}]}`, 400, "invalid_json"},
		{"an unknown member twice", `{"city":"toronto","items":[{"id":1,"qty":2}],"x":1,"x":1}`, 400, "invalid_json"},
		{"NaN", `{"city":"toronto","items":[{"id":1,"qty":NaN}]}`, 400, "invalid_json"},
		{"a plus", `{"city":"toronto","items":[{"id":1,"qty":+2}]}`, 400, "invalid_json"},
		{"a zero in front", `{"city":"toronto","items":[{"id":01,"qty":2}]}`, 400, "invalid_json"},
		{"deep arrays", strings.Repeat("[", 4096) + strings.Repeat("]", 4096), 400, "invalid_body"},
		{"deep arrays without an end", strings.Repeat("[", 8192), 400, "invalid_json"},
		{"deep objects", strings.Repeat(`{"a":`, 1300) + "1" + strings.Repeat("}", 1300), 400, "invalid_body"},
		{"deep items", `{"city":"toronto","items":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000) + `}`, 400, "invalid_body"},

		{"an array", "[]", 400, "invalid_body"},
		{"null", "null", 400, "invalid_body"},
		{"a string", `"toronto"`, 400, "invalid_body"},
		{"an empty object", "{}", 400, "invalid_body"},
		{"an unknown member", `{"city":"toronto","items":[{"id":1,"qty":2}],"date":"2026-11-20"}`, 400, "invalid_body"},
		{"an unknown member of an item", `{"city":"toronto","items":[{"id":1,"qty":2,"name":"milk"}]}`, 400, "invalid_body"},
		{"a member in capitals", `{"City":"toronto","items":[{"id":1,"qty":2}]}`, 400, "invalid_body"},
		{"no city", `{"items":[{"id":1,"qty":2}]}`, 400, "invalid_body"},
		{"no items", `{"city":"toronto"}`, 400, "invalid_body"},
		{"no quantity", `{"city":"toronto","items":[{"id":1}]}`, 400, "invalid_body"},
		{"no id", `{"city":"toronto","items":[{"qty":1}]}`, 400, "invalid_body"},
		{"null for a city", `{"city":null,"items":[{"id":1,"qty":2}]}`, 400, "invalid_body"},
		{"null for items", `{"city":"toronto","items":null}`, 400, "invalid_body"},
		{"null for an item", `{"city":"toronto","items":[null]}`, 400, "invalid_body"},
		{"null for stores", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":null}`, 400, "invalid_body"},
		{"null for a store", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":[null]}`, 400, "invalid_body"},
		{"items as text", `{"city":"toronto","items":"1x2"}`, 400, "invalid_body"},
		{"stores as text", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":"northlarch"}`, 400, "invalid_body"},
		{"an id as text", `{"city":"toronto","items":[{"id":"1","qty":2}]}`, 400, "invalid_body"},
		{"a quantity as text", `{"city":"toronto","items":[{"id":1,"qty":"2"}]}`, 400, "invalid_body"},
		{"a quantity as truth", `{"city":"toronto","items":[{"id":1,"qty":true}]}`, 400, "invalid_body"},
		{"half an id", `{"city":"toronto","items":[{"id":1.5,"qty":2}]}`, 400, "invalid_body"},

		{"no such city", `{"city":"springfield","items":[{"id":1,"qty":2}]}`, 400, "unsupported_city"},
		{"an empty city", `{"city":"","items":[{"id":1,"qty":2}]}`, 400, "unsupported_city"},
		{"a city in capitals", `{"city":"Toronto","items":[{"id":1,"qty":2}]}`, 400, "unsupported_city"},
		{"an empty list", `{"city":"toronto","items":[]}`, 400, "invalid_items"},
		{"50 items", itemsOf(50), 200, ""},
		{"51 items", itemsOf(51), 400, "too_many_items"},
		{"item 0", `{"city":"toronto","items":[{"id":0,"qty":1}]}`, 400, "unknown_item"},
		{"item 51", `{"city":"toronto","items":[{"id":51,"qty":1}]}`, 400, "unknown_item"},
		{"item -1", `{"city":"toronto","items":[{"id":-1,"qty":1}]}`, 400, "unknown_item"},
		{"an endless id", `{"city":"toronto","items":[{"id":1e999999999,"qty":1}]}`, 400, "unknown_item"},
		{"an item twice", `{"city":"toronto","items":[{"id":1,"qty":1},{"id":1.0,"qty":2}]}`, 400, "duplicate_item"},
		{"0.30 kilograms", `{"city":"toronto","items":[{"id":7,"qty":0.30}]}`, 400, "invalid_quantity"},
		{"10.25 kilograms", `{"city":"toronto","items":[{"id":7,"qty":10.25}]}`, 400, "invalid_quantity"},
		{"10 kilograms", `{"city":"toronto","items":[{"id":7,"qty":10}]}`, 200, ""},
		{"a quarter of a package", `{"city":"toronto","items":[{"id":1,"qty":0.25}]}`, 400, "invalid_quantity"},
		{"20 packages", `{"city":"toronto","items":[{"id":1,"qty":20}]}`, 200, ""},
		{"20.25 packages", `{"city":"toronto","items":[{"id":1,"qty":20.25}]}`, 400, "invalid_quantity"},
		{"no packages", `{"city":"toronto","items":[{"id":1,"qty":0}]}`, 400, "invalid_quantity"},
		{"minus one package", `{"city":"toronto","items":[{"id":1,"qty":-1}]}`, 400, "invalid_quantity"},
		{"an endless quantity", `{"city":"toronto","items":[{"id":1,"qty":1e999999999}]}`, 400, "invalid_quantity"},
		{"a quantity of next to nothing", `{"city":"toronto","items":[{"id":7,"qty":1e-999999999}]}`, 400, "invalid_quantity"},
		{"40 stores", storesOf(40), 400, "unknown_store"},
		{"41 stores", storesOf(41), 400, "too_many_stores"},
		{"an empty store", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":[""]}`, 400, "unknown_store"},
		{"a store twice", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":["northlarch","northlarch"]}`, 400, "duplicate_store"},
		{"a store of other cities", `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":["gullhaven"]}`, 400, "store_unavailable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			for form, got := range map[string]*apitest.Response{
				"with its length": f.Post("/api/shopper/compare", c.body), "in chunks": f.Post("/api/shopper/compare", "x", apitest.Chunked(c.body)),
			} {
				if c.code == "" {
					apitest.WantStatus(t, got, c.status)
					continue
				}
				apitest.WantError(t, form, got, c.status, c.code)
			}
			wantSameAnswer(t, f.Post("/shopper/lines", c.body), f.Post("/api/shopper/compare", c.body))
			// The documented schema refuses what the server does, but for the faults that
			// no schema can tell.
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(c.body))
			untold := []string{"duplicate_item", "unknown_store", "store_unavailable", "invalid_json", "body_too_large", "10.25 kilograms", "a quarter of a package"}
			if err == nil && !slices.Contains(untold, c.code) && !slices.Contains(untold, c.name) && !strings.Contains(c.body, "99999999") {
				if err := d.Validate(d.Schema("ShopperRequest"), v); (err == nil) != (c.code == "") {
					t.Errorf("the schema says %v", err)
				}
			}
		})
	}
}

// TestShopperMediaType tries the headers that say what a body is.
func TestShopperMediaType(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	for _, c := range []struct {
		name   string
		change apitest.Change
		status int
	}{
		{"JSON", apitest.Header("Content-Type", "application/json"), 200},
		{"in capitals", apitest.Header("Content-Type", "Application/JSON"), 200},
		{"with its encoding", apitest.Header("Content-Type", "application/json; charset=utf-8"), 200},
		{"with its encoding in capitals and quotes", apitest.Header("Content-Type", `application/json;charset="UTF-8"`), 200},
		{"in Latin-1", apitest.Header("Content-Type", "application/json; charset=iso-8859-1"), 415},
		{"in no encoding", apitest.Header("Content-Type", "application/json; charset="), 415},
		{"no type", func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		{"an empty type", apitest.Header("Content-Type", ""), 415},
		{"two types", func(r *http.Request) { r.Header.Add("Content-Type", "application/json") }, 415},
		{"text", apitest.Header("Content-Type", "text/plain"), 415},
		{"a form", apitest.Header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"a kind of JSON", apitest.Header("Content-Type", "application/ld+json"), 415},
		{"JSON among others", apitest.Header("Content-Type", "application/json, text/plain"), 415},
		{"packed", apitest.Header("Content-Encoding", "gzip"), 415},
		{"packed by name only", apitest.Header("Content-Encoding", "identity"), 415},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f.For(t)
			got := f.Post("/api/shopper/compare", goodList, c.change)
			wantSameAnswer(t, f.Post("/shopper/lines", goodList, c.change), got)
			if c.status == http.StatusOK {
				apitest.WantStatus(t, got, http.StatusOK)
				return
			}
			apitest.WantError(t, c.name, got, c.status, "unsupported_media_type")
		})
	}
}
