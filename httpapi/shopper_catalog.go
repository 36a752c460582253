package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/larder-index/larder/compare"
)

const pathCatalog = compare.CatalogPath

// shopperData is what comparisons are made from.
type shopperData struct {
	*compare.Projection
	catalog *document
}

// newShopperData makes it. It takes a second for years of prices, so each
// snapshot has one, made when it is first asked for.
func newShopperData(s *Served) *shopperData {
	p := compare.NewProjection(s.Panel, s.Rows)
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(compare.Catalog(p)); err != nil {
		panic("httpapi: " + err.Error()) // texts and finite numbers have a JSON form
	}
	return &shopperData{p, newDocument(pathCatalog, jsonType, body.Bytes())}
}

// catalog answers with the catalog of the snapshot. Its tag changes when the
// catalog does, which few snapshots bring about.
func (s *shopper) catalog(w http.ResponseWriter, r *http.Request) error {
	if _, err := readQuery(r.URL.RawQuery); err != nil {
		return err
	}
	served := s.Snapshots.Current()
	if served == nil {
		return errNoData
	}
	return served.shopper().catalog.serve(w, r)
}
