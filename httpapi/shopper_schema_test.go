package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperRequestSchema holds what the schema of a request says of bodies
// against what the server says of them. Faults that no schema can tell, such as
// an id that stands twice with two quantities, are not among them.
func TestShopperRequestSchema(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	schema := apitest.OpenAPI().Schema("ShopperRequest")
	for body, good := range map[string]bool{
		goodList:                        true,
		itemsOf(1):                      true,
		itemsOf(50):                     true,
		itemsOf(51):                     false,
		`{"city":"toronto","items":[]}`: false,
		`{"city":"st-johns","items":[{"id":7,"qty":0.25}],"stores":[]}`:                      true,
		`{"city":"st-johns","items":[{"id":7,"qty":1.0},{"id":1,"qty":20e0}]}`:               true,
		`{"city":"springfield","items":[{"id":1,"qty":1}]}`:                                  false,
		`{"city":"toronto","items":[{"id":0,"qty":1}]}`:                                      false,
		`{"city":"toronto","items":[{"id":51,"qty":1}]}`:                                     false,
		`{"city":"toronto","items":[{"id":1.5,"qty":1}]}`:                                    false,
		`{"city":"toronto","items":[{"id":"1","qty":1}]}`:                                    false,
		`{"city":"toronto","items":[{"id":7,"qty":0.30}]}`:                                   false,
		`{"city":"toronto","items":[{"id":7,"qty":0}]}`:                                      false,
		`{"city":"toronto","items":[{"id":1,"qty":20.25}]}`:                                  false,
		`{"city":"toronto","items":[{"id":1}]}`:                                              false,
		`{"city":"toronto","items":[{"qty":1}]}`:                                             false,
		`{"city":"toronto","items":[{"id":1,"qty":1,"note":""}]}`:                            false,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"currency":"CAD"}`:                     false,
		`{"items":[{"id":1,"qty":1}]}`:                                                       false,
		`{"city":"toronto"}`:                                                                 false,
		`{"city":null,"items":[{"id":1,"qty":1}]}`:                                           false,
		`{"city":"toronto","items":null}`:                                                    false,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"stores":null}`:                        false,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["northlarch"]}`:              true,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["northlarch","northlarch"]}`: false,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"stores":[1]}`:                         false,
		storesOf(41): false,
		`[]`:         false,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		err = apitest.OpenAPI().Validate(schema, v)
		got := f.Post("/api/shopper/compare", body)
		if (err == nil) != good || (got.StatusCode == http.StatusOK) != good {
			t.Errorf("%.100s: the schema says %v, the server %d %s", body, err, got.StatusCode, got.Content)
		}
	}
}

// TestShopperSchemaLimits holds the limits in the schemas against those of the
// specification of the comparison.
func TestShopperSchemaLimits(t *testing.T) {
	t.Parallel()
	d := apitest.OpenAPI()
	for path, want := range map[string]string{
		"ShopperRequest/items/minItems": "1", "ShopperRequest/items/maxItems": "50", "ShopperRequest/stores/maxItems": "40", "ShopperRequest/stores/uniqueItems": "true",
		"ShopperComparison/stores/maxItems": "40", "ShopperComparison/excludedStores/maxItems": "40", "ShopperComparison/exclusions/maxItems": "2000",
		"ShopperComparison/sourceUrls/maxItems": "4", "ShopperStore/itemObservationDates/maxItems": "50",
	} {
		part := strings.Split(path, "/")
		got, _ := json.Marshal(d.At(d.Schema(part[0]), "properties", part[1], part[2]))
		if string(got) != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"ShopperItemIds/maxItems": "50", "ShopperChainKeys/maxItems": "40", "ShopperItemId/minimum": "1", "ShopperItemId/maximum": "50", "ShopperAmount/minimum": "0",
	} {
		name, member, _ := strings.Cut(path, "/")
		if got, _ := json.Marshal(d.At(d.Schema(name), member)); string(got) != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	reasons, _ := json.Marshal(d.At(d.Schema("ShopperComparison"), "properties", "recommendation", "properties", "reasons", "maxItems"))
	if string(reasons) != "40" {
		t.Errorf("there are at most %s reasons", reasons)
	}
	for _, name := range []string{"city", "items"} {
		found := false
		parameters, _ := d.At(d.Paths()["/api/shopper/compare"], "get", "parameters").([]any)
		for _, p := range parameters {
			found = found || d.At(p, "name") == name && d.At(p, "required") == true
		}
		if !found {
			t.Errorf("parameter %s is not said to be needed", name)
		}
	}
}
