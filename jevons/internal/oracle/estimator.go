package oracle

// matchedSeries. Section 4.1: "those of g with a price in both b and w".
// Section 6 takes three weeks: "only series priced in all of b, u and w".
func (p *panel) matchedSeries(g geography, first string, others ...string) []series {
	var matched []series
	for _, s := range p.prices[g][first].order {
		inAll := true
		for _, w := range others {
			if _, ok := p.prices[g][w].ln[s]; !ok {
				inAll = false
			}
		}
		if inAll {
			matched = append(matched, s)
		}
	}
	return matched
}

// productStore is one product at one store.
type productStore struct {
	product, store int64
}

// storeRelatives. Section 4.2: "for each product and store, the mean of
// ln P(w) - ln P(b) over the matched series of that product at that store".
// The result lists the store relatives of each product.
func (p *panel) storeRelatives(g geography, matched []series, b, w string) map[int64][]float64 {
	return p.storeMeans(matched, func(s series) float64 {
		return p.prices[g][w].ln[s] - p.prices[g][b].ln[s]
	})
}

// storeMeans takes the mean of a value over the series of each product at
// each store, and lists the means of each product.
func (p *panel) storeMeans(all []series, value func(series) float64) map[int64][]float64 {
	atStore := map[productStore][]float64{}
	var order []productStore
	for _, s := range all {
		k := productStore{p.productOf(s), s.store}
		if atStore[k] == nil {
			order = append(order, k)
		}
		atStore[k] = append(atStore[k], value(s))
	}
	byProduct := map[int64][]float64{}
	for _, k := range order {
		byProduct[k.product] = append(byProduct[k.product], mean(atStore[k]))
	}
	return byProduct
}

// productRelatives. Section 4.3: "product relative rho_i: sort the store
// relatives of product i; drop floor(0.10 * n) at each end; take the mean".
func (p *panel) productRelatives(g geography, matched []series, b, w string) map[int64]float64 {
	rho := map[int64]float64{}
	for product, relatives := range p.storeRelatives(g, matched, b, w) {
		rho[product] = trimmedMean(relatives, p.trimPercent)
	}
	return rho
}

// categoryRelative. Section 4.4: "category rho_c = mean of rho_i over the
// matched products of c, weighted by basket_weight". False when none matched.
func (p *panel) categoryRelative(category string, products map[int64]float64) (float64, bool) {
	var values, weights []float64
	for _, product := range p.slice(category) {
		if rho, ok := products[product.ID]; ok {
			values = append(values, rho)
			weights = append(weights, product.Weight)
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	return weightedMean(values, weights), true
}

// categoryWeight. Section 4.5: "V_c = the sum of basket_weight over all
// active products of c".
func (p *panel) categoryWeight(category string) float64 {
	var weights []float64
	for _, product := range p.slice(category) {
		weights = append(weights, product.Weight)
	}
	return sum(weights)
}

// headlineRelative. Section 4.5: "headline rho = mean of rho_c over the
// categories that have a matched product, weighted by V_c". False when no
// product matched.
func (p *panel) headlineRelative(products map[int64]float64) (float64, bool) {
	var values, weights []float64
	for _, category := range p.categories {
		if rho, ok := p.categoryRelative(category, products); ok {
			values = append(values, rho)
			weights = append(weights, p.categoryWeight(category))
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	return weightedMean(values, weights), true
}

// relative is rho of a slice over product relatives (sections 4.4 and 4.5), with
// the number of products it stands on (section 4.6: "the number of matched
// products in the slice"). False when no product matched.
func (p *panel) relative(slice string, products map[int64]float64) (rho float64, items int, ok bool) {
	for _, product := range p.slice(slice) {
		if _, found := products[product.ID]; found {
			items++
		}
	}
	if slice == overall {
		rho, ok = p.headlineRelative(products)
	} else {
		rho, ok = p.categoryRelative(slice, products)
	}
	return rho, items, ok
}
