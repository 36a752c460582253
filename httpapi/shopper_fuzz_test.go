package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// ask sends a request to the handler without a connection and checks the answer against
// the OpenAPI document.
func ask(t *testing.T, f *apitest.Server, method, path, query, contentType string, body []byte) *apitest.Response {
	t.Helper()
	r := (&http.Request{
		Method: method, URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{}, RemoteAddr: "192.0.2.1:1234",
		Body: http.NoBody, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(context.Background())
	if method == http.MethodPost {
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if len(body)%2 == 1 {
			r.ContentLength = -1
		}
	}
	return f.Ask(t, r)
}

// wantAnswer checks that an answer compares the list that the test itself read, or is a
// refusal.
func wantAnswer(t *testing.T, got *apitest.Response, list compare.Request, read bool, refusals ...int) {
	t.Helper()
	if got.StatusCode == http.StatusOK {
		if !read || !bytes.Equal(got.Content, comparison(t, list, apitest.Now)) {
			t.Errorf("compared is another list than %+v: %s", list, got.Content)
		}
		return
	}
	if !slices.Contains(refusals, got.StatusCode) {
		t.Errorf("%d %s", got.StatusCode, got.Content)
	}
}

// FuzzShopperQuery sends queries and compares each answer with package compare's for the
// list that net/url and compare.ParseItems read.
func FuzzShopperQuery(f *testing.F) {
	for _, query := range []string{
		"", "city=toronto&items=1x2,7x0.5", "city=toronto&items=1&stores=northlarch,tillbrook", "city=toronto&items=7x0.30", "city=toronto&city=toronto",
		"items=%31x%32&city=st-johns", "city=toronto&items=1,1", "city=toronto&items=1&stores=", "a=%zz", "city=toronto;items=1", "&&=&", "city=%ff",
		"stores=tillbrook,northlarch&items=12x1.0,7x1.00,1x2&city=toronto", "city=toronto&items=" + strings.Repeat("9", 300), "city=montreal&items=12x20,7x10,50x9.75", "city=toronto&items=1x2\x00", "+city=toronto&items=1",
	} {
		f.Add(query)
	}
	server := apitest.Serve(f, apitest.Ample)
	f.Fuzz(func(t *testing.T, query string) {
		got := ask(t, server, http.MethodGet, "/api/shopper/compare", query, "", nil)
		values, err := url.ParseQuery(query)
		if err != nil {
			values = url.Values{}
		}
		list := compare.Request{City: values.Get("city")}
		items, err := compare.ParseItems(values.Get("items"))
		list.Items = items
		if stores := values.Get("stores"); stores != "" {
			list.Stores = strings.Split(stores, ",")
		}
		if values.Has("include") {
			list.Include = strings.Split(values.Get("include"), ",")
		}
		if values.Has("conditions") {
			list.Conditions = strings.Split(values.Get("conditions"), ",")
		}
		wantAnswer(t, got, list, err == nil && len(values["city"]) == 1 && len(values["items"]) == 1, http.StatusBadRequest)
	})
}

// FuzzShopperBody sends bodies and compares each answer with package compare's for the
// list that encoding/json reads.
func FuzzShopperBody(f *testing.F) {
	for _, body := range []string{
		goodList, goodList + "x", "", "null", "{}", strings.Repeat("[", 100), `{"city":"toronto","items":[{"id":1e0,"qty":0.2e1}],"stores":["northlarch"]}`, `{"city":"toronto","items":[{"id":1,"qty":2}],"stores":[]}`,
		` { "stores" : ["tillbrook","\u006eorthlarch"], "items":[{"qty":1.0,"id":12.0},{"qty":1e0,"id":0.7e1},{"qty":200e-2,"id":1}], "city":"toronto" } `,
		`{"city":"toronto","city":"toronto"}`, "{\"city\":\"\xff\"}", `{"city":"toronto","items":[{"id":1,"qty":1e99999}]}`, padded(8193), itemsOf(50),
	} {
		f.Add("application/json", []byte(body))
	}
	f.Add("text/plain", []byte(goodList))
	server := apitest.Serve(f, apitest.Ample)
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := ask(t, server, http.MethodPost, "/api/shopper/compare", "", contentType, body)
		wantSameAnswer(t, ask(t, server, http.MethodPost, "/shopper/lines", "", contentType, body), got)
		var read struct {
			City  string
			Items []struct{ ID, Qty float64 }
			Store []string `json:"stores"`

			Include, Conditions []string
		}
		err := json.Unmarshal(body, &read)
		list := compare.Request{City: read.City, Stores: read.Store, Include: read.Include, Conditions: read.Conditions}
		for _, it := range read.Items {
			list.Items = append(list.Items, compare.Item{ID: int(it.ID), Qty: compare.Quantity(it.Qty * 100)}) // quarters are exact
		}
		wantAnswer(t, got, list, err == nil && len(body) <= 8192 && strings.HasPrefix(strings.ToLower(strings.TrimSpace(contentType)), "application/json"),
			http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	})
}
