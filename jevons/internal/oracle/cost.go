package oracle

import "math"

// productPrices holds p_i(g, w) of every product priced there. Section 7: "exp
// of the trimmed mean (as in 4.3) over stores of the store's mean log price of
// product i in week w. Not matched with the base: all series priced in w
// count."
func (p *panel) productPrices(g geography, w string) map[int64]float64 {
	k := geoWeek{g, w}
	if known, ok := p.productPriceMemo[k]; ok {
		return known
	}
	priced := p.prices[g][w]
	prices := map[int64]float64{}
	byProduct := p.storeMeans(priced.order, func(s series) float64 { return priced.ln[s] })
	for product, logs := range byProduct {
		prices[product] = math.Exp(trimmedMean(logs, p.trimPercent))
	}
	p.productPriceMemo[k] = prices
	return prices
}

// basketCost. Section 7: "With A = the slice's products priced in g in w, and
// N = those priced nationally in w: basket_cost_cad = sum_A p_i(g) *
// sum_N p_i(national) / sum_A p_i(national)".
func (p *panel) basketCost(g geography, slice, w string) float64 {
	here := p.productPrices(g, w)
	everywhere := p.productPrices(national, w)
	var sumAHere, sumNEverywhere, sumAEverywhere []float64
	for _, product := range p.slice(slice) {
		if price, ok := here[product.ID]; ok {
			sumAHere = append(sumAHere, price)
			sumAEverywhere = append(sumAEverywhere, everywhere[product.ID])
		}
		if price, ok := everywhere[product.ID]; ok {
			sumNEverywhere = append(sumNEverywhere, price)
		}
	}
	return sum(sumAHere) * sum(sumNEverywhere) / sum(sumAEverywhere)
}
