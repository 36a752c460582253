package httpapi

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
)

func (s *Server) products(c *call, b []byte) ([]byte, error) {
	if err := s.begin(c); err != nil {
		return b, err
	}
	list, about := c.served.catalog(), c.served.Panel.About()
	return reply.AppendJSON(b, wire.Products{
		Meta: wire.ProductsMeta{
			Source: about.SourceLabel(), Version: apiVersion, Endpoint: c.path, Note: about.Notice(), Count: len(list), GeneratedAt: c.generatedAt(), Release: c.vintage.ref,
		},
		Products: list,
	})
}

// newCatalog returns the active products by category slug, then name.
func newCatalog(products []basket.Product) []wire.Product {
	list := []wire.Product{}
	for i := range products {
		if p := &products[i]; p.Active {
			list = append(list, wire.Product{
				ID: p.ID, Name: p.Name, Category: p.Category.String(), Subcategory: wire.Text(p.Subcategory),
				StandardSize: p.StandardSize, Unit: p.Unit.String(), BasketWeight: p.Weight,
			})
		}
	}
	slices.SortFunc(list, func(x, y wire.Product) int {
		return cmp.Or(cmp.Compare(x.Category, y.Category), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	return list
}
