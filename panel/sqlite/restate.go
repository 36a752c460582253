package sqlite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// restating are the columns of reference tables that move published numbers of
// past weeks when they change.
var restating = map[string][]string{
	"products":          {"category", "basket_weight", "active"},
	"banners":           {"in_index"},
	"stores":            {"city", "active"},
	"retailer_products": {"product_id", "active"},
	"product_specs":     {"require", "forbid", "min_size", "max_size"},
}

// restatement says how a changed row moves published numbers, or nothing. old is
// nil for a new row, which moves none; but a first base_week may differ from the
// default.
func restatement[T any](im *importer, t *table[T], v, old *T) string {
	if im.work.old == nil {
		return ""
	}
	if s, ok := any(v).(*panel.Setting); ok {
		before := panel.DefaultBaseWeek.String()
		if was, ok := any(old).(*panel.Setting); ok && was != nil {
			before = was.Value
		}
		if s.Key != panel.KeyBaseWeek || s.Value == before {
			return ""
		}
		return fmt.Sprintf("base_week: %s before, %s now", before, s.Value)
	}
	if old == nil {
		return ""
	}
	var changes []string
	for i := range t.columns {
		c := &t.columns[i]
		before, now := string(c.Append(nil, old)), string(c.Append(nil, v))
		if before != now && slices.Contains(restating[t.name], c.Name) {
			changes = append(changes, fmt.Sprintf("%s %s before, %s now", c.Name, im.refs.cellFor(c.Name, before), im.refs.cellFor(c.Name, now)))
		}
	}
	if len(changes) == 0 {
		return ""
	}
	return im.refs.subject(v) + ": " + strings.Join(changes, "; ")
}

// subject names a reference row for people.
func (r *refs) subject(v any) string {
	switch x := v.(type) {
	case *basket.Product:
		return fmt.Sprintf("product %d %q", x.ID, x.Name)
	case *basket.Banner:
		return "banner " + x.Key
	case *panel.Store:
		return fmt.Sprintf("store %d", x.ID)
	case *panel.Listing:
		return fmt.Sprintf("retailer product %d %q", x.ID, x.Name)
	case *basket.Spec:
		return fmt.Sprintf("spec of product %d %q", x.ProductID, r.products[x.ProductID].Name)
	}
	return ""
}

// cellFor writes a cell for people: a product with its name, an empty cell as
// "none".
func (r *refs) cellFor(column, cell string) string {
	if cell == "" {
		return "none"
	}
	if id, err := strconv.Atoi(cell); err == nil && column == "product_id" {
		return fmt.Sprintf("%d %q", id, r.products[id].Name)
	}
	return cell
}
