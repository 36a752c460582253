package httpapi

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/larder-index/larder/basket"
)

// productsMeta is meta of /api/v1/products.
type productsMeta struct {
	Source      string `json:"source"`
	Version     string `json:"version"`
	Endpoint    string `json:"endpoint"`
	Count       int    `json:"count"`
	GeneratedAt string `json:"generated_at"`
}

func (s *Server) products(c *call, b []byte) ([]byte, error) {
	if err := c.begin(); err != nil {
		return b, err
	}
	list := c.served.catalog()
	m := productsMeta{Source: source, Version: apiVersion, Endpoint: c.path, Count: len(list.ends), GeneratedAt: c.generatedAt()}
	return appendResponse(b, &m, "products", func(b []byte) []byte { return append(b, list.text...) })
}

// newCatalog writes the active products by category slug, then name.
func newCatalog(products []basket.Product) *jsonRows {
	var active []*basket.Product
	for i := range products {
		if products[i].Active {
			active = append(active, &products[i])
		}
	}
	slices.SortFunc(active, func(x, y *basket.Product) int {
		return cmp.Or(cmp.Compare(x.Category.String(), y.Category.String()), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	list := &jsonRows{}
	for _, p := range active {
		list.text = append(appendProduct(list.text, p), ',')
		list.ends = append(list.ends, len(list.text))
	}
	return list
}

// appendProduct appends a product as the JSON object that /api/v1/products
// lists, its members in the document's order.
func appendProduct(b []byte, p *basket.Product) []byte {
	b = strconv.AppendInt(append(b, `{"id":`...), int64(p.ID), 10)
	b = appendString(append(b, `,"name":`...), p.Name)
	b = appendString(append(b, `,"category":`...), p.Category.String())
	b = appendText(append(b, `,"subcategory":`...), p.Subcategory)
	b = strconv.AppendFloat(append(b, `,"standard_size":`...), p.StandardSize, 'f', -1, 64)
	b = appendString(append(b, `,"unit":`...), p.Unit.String())
	b = strconv.AppendFloat(append(b, `,"basket_weight":`...), p.Weight, 'f', -1, 64)
	return append(b, '}')
}
