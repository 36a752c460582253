package prepared

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/reply"
)

// Catalog returns the active products by category slug, then name.
func (s *Served) Catalog() (list []*basket.Product) {
	for i := range s.Panel.Products() {
		if p := &s.Panel.Products()[i]; p.Active {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(x, y *basket.Product) int {
		return cmp.Or(cmp.Compare(x.Category.String(), y.Category.String()), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// newShoppingCatalog returns what the catalog answers. Its tag changes only when
// the catalog does, which is with few snapshots.
func newShoppingCatalog(p *compare.Projection) *reply.Document {
	body := append(reply.AppendPlainJSON(nil, compare.Catalog(p)), '\n')
	return reply.NewDocument(reply.JSONType, body, "Cache-Control", reply.DocumentAge, "X-Robots-Tag", "noindex")
}
