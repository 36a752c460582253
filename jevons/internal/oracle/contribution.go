package oracle

import (
	"math"
	"slices"
	"strconv"
)

// Contribution is one part of a row's level and of its change (section 14).
type Contribution struct {
	ID    string   // of a category or a product
	Level float64  // points
	WoW   *float64 // percentage points; nil is null
}

// contributions. Section 14: "the nine categories on a headline, the matched
// products on a category row; level sums exactly to index_value - 100 and wow
// exactly to pct_change_wow at four decimals". Where section 14 is silent:
//
//   - The change of a headline is split like its level, with D = rho_w - rho_u
//     on the common set of section 6 in place of rho. A category without a
//     product in the common set has 0.
//   - The change of a category row is split by a_i rho_i of this week less
//     a_i rho_i of the earlier week, each with its own matched products.
//   - "The previous week" is the week 7 days before if it is published, for
//     else there is no change to split.
//   - The published change of a category is a ratio of two rounded levels. What
//     their rounding moved is spread over the parts in proportion to their
//     sizes, without sign, before the remainders are handed out.
func (p *panel) contributions(g geography, row *Row, cell published, b string) []Contribution {
	var ids []string
	var level, wow map[string]float64
	if row.Category == overall {
		level = p.categoryParts(row.products)
		wow = map[string]float64{}
		if row.WoW != nil {
			wow = p.categoryParts(p.commonChange(g, b, cell.last, row.Date))
		}
		for _, category := range p.categories {
			if _, ok := level[category]; ok {
				ids = append(ids, category)
			}
		}
	} else {
		level = p.productParts(row.Category, row.products)
		wow = map[string]float64{}
		var before map[string]float64
		if row.WoW != nil {
			before = p.productParts(row.Category, cell.rows[addDays(row.Date, -7)].products)
		}
		for _, product := range p.slice(row.Category) {
			id := strconv.FormatInt(product.ID, 10)
			_, now := level[id]
			_, then := before[id]
			if now || then {
				ids = append(ids, id)
				wow[id] = level[id] - before[id]
			}
		}
	}

	levels := apportion(points(ids, level), row.indexUnits-100*10_000)
	all := make([]Contribution, len(ids))
	for i, id := range ids {
		all[i] = Contribution{ID: id, Level: fromUnits(levels[i], 4)}
	}
	if row.WoW != nil {
		parts := points(ids, wow)
		if row.Category != overall {
			earlier := cell.rows[addDays(row.Date, -7)].indexUnits
			parts = spread(parts, 100*float64(row.indexUnits-earlier)/float64(earlier))
		}
		for i, units := range apportion(parts, roundUnits(*row.WoW, 4)) {
			v := fromUnits(units, 4)
			all[i].WoW = &v
		}
	}
	return all
}

// productParts is a_i rho_i of a category's matched products, by id, "with a_i
// the weight of the product in rho".
func (p *panel) productParts(category string, rho map[int64]float64) map[string]float64 {
	var matched []float64
	for _, product := range p.slice(category) {
		if _, ok := rho[product.ID]; ok {
			matched = append(matched, product.Weight)
		}
	}
	parts := map[string]float64{}
	for _, product := range p.slice(category) {
		if value, ok := rho[product.ID]; ok {
			parts[strconv.FormatInt(product.ID, 10)] = product.Weight / sum(matched) * value
		}
	}
	return parts
}

// categoryParts is the same for the categories of a headline: V_c/V rho_c of
// those with a matched product.
func (p *panel) categoryParts(rho map[int64]float64) map[string]float64 {
	var weights []float64
	for _, category := range p.categories {
		if _, ok := p.categoryRelative(category, rho); ok {
			weights = append(weights, p.categoryWeight(category))
		}
	}
	parts := map[string]float64{}
	for _, category := range p.categories {
		if value, ok := p.categoryRelative(category, rho); ok {
			parts[category] = p.categoryWeight(category) / sum(weights) * value
		}
	}
	return parts
}

// points turns parts of rho into points. Section 14: "100 expm1(rho)/rho a_i
// rho_i [...] (the limit 100 a_i rho_i at rho = 0)".
func points(ids []string, parts map[string]float64) []float64 {
	var values []float64
	for _, id := range ids {
		values = append(values, parts[id])
	}
	scale, rho := 100.0, sum(values)
	if rho != 0 {
		scale = 100 * math.Expm1(rho) / rho
	}
	for i := range values {
		values[i] *= scale
	}
	return values
}

// spread adds to each part its share of what they lack of total.
func spread(parts []float64, total float64) []float64 {
	var sizes []float64
	for _, v := range parts {
		sizes = append(sizes, math.Abs(v))
	}
	all, lack := sum(sizes), total-sum(parts)
	if all == 0 {
		return parts
	}
	var whole []float64
	for i, v := range parts {
		whole = append(whole, v+lack*sizes[i]/all)
	}
	return whole
}

// apportion turns points into ten-thousandths that add up to total. Section 14:
// "remainders go to the largest fractions, ties to the first".
func apportion(parts []float64, total int64) []int64 {
	units, left := make([]int64, len(parts)), total
	fractions, order := make([]int64, len(parts)), make([]int, len(parts)) // fractions in tieWidths
	for i, v := range parts {
		exact := v * 10_000
		units[i] = int64(math.Floor(exact + tieWidth))
		fractions[i] = int64(math.Round((exact - float64(units[i])) / tieWidth))
		left -= units[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(fractions[b] - fractions[a]) })
	if left < 0 || left > int64(len(order)) {
		panic("the parts do not add up to the change")
	}
	for k := range left {
		units[order[k]]++
	}
	return units
}
