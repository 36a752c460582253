package prepared

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
)

// Catalog returns the active products by category slug, then name.
func (s *Served) Catalog() []wire.Product {
	list := []wire.Product{}
	for _, p := range s.Panel.Products() {
		if p.Active {
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

// newShoppingCatalog returns what the catalog answers. Its tag changes only when
// the catalog does, which is with few snapshots.
func newShoppingCatalog(p *compare.Projection) *reply.Document {
	body := append(reply.AppendPlainJSON(nil, compare.Catalog(p)), '\n')
	return reply.NewDocument(reply.JSONType, body, "Cache-Control", reply.DocumentAge, "X-Robots-Tag", "noindex")
}
