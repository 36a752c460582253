package lanes

// Aggregate adds up the products of one category in one place.
type Aggregate struct {
	Price, NationPrice Band        // Σ p and Σ p in the nation, dollars, over the products with a price
	sum                [Later]Band // Σ weight * mean, of Relatives, Earlier and Later
	weight             [Earlier]Band
	Items              [Later]Band // products with a price, a relative, relatives of both weeks
}

// Mean returns the weighted mean of a stream other than Prices in week j, with
// the weight and the number of the products behind it. The mean is NaN when that
// weight is 0.
func (a *Aggregate) Mean(stream, j int) (mean, weight float64, items int) {
	of := min(stream, Earlier)
	weight = a.weight[of-1][j]
	return a.sum[stream-1][j] / weight, weight, int(a.Items[of][j])
}

// Add adds a product: the means of its streams, its price in the nation and its
// weight. Mean log prices must be far from the limits of Exp.
func (a *Aggregate) Add(means *Sums, nation *Band, weight float64) {
	if useAVX2 {
		aggregateAVX2(a, means, nation, weight, &exps)
		return
	}
	for j := range Width {
		var there [Later]int
		for s := range there {
			there[s] = int(min(means.count[s][j], 1))
			a.Items[s][j] += float64(there[s])
		}
		a.Price[j] += unless(1-there[Prices], Exp(means.Total[Prices][j]))
		a.NationPrice[j] += unless(1-there[Prices], nation[j])
		for s := range a.sum {
			a.sum[s][j] += float64(weight * means.Total[Relatives+s][j])
		}
		for s := range a.weight {
			a.weight[s][j] += unless(1-there[Relatives+s], weight)
		}
	}
}
