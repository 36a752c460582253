package lanes

// Aggregate gathers the products of one category in one place.
type Aggregate struct {
	Price, NationPrice Band // Σ p, Σ p(national), over the products with a price
	Num, Den           Band // Σ weight * mean, Σ weight, over the products with a relative
	Earlier, Later     Band // Σ weight * mean of two weeks with the same composition
	Both               Band // Σ weight of it
	Items              [Later]Band
}

// Add adds a product: the means of its streams, its national price and its
// weight. Mean log prices are far from the limits of Exp.
func (a *Aggregate) Add(means *Sums, nation *Band, weight float64) {
	if useAVX2 {
		aggregateAVX2(a, means, nation, weight, &exps)
		return
	}
	for j := range Width {
		priced, matched, both := present(means.count[Prices][j]), present(means.count[Relatives][j]), present(means.count[Earlier][j])
		a.Items[Prices][j] += float64(priced)
		a.Items[Relatives][j] += float64(matched)
		a.Items[Earlier][j] += float64(both)
		a.Price[j] += unless(1-priced, Exp(means.Total[Prices][j]))
		a.NationPrice[j] += unless(1-priced, nation[j])
		a.Num[j] += float64(weight * means.Total[Relatives][j])
		a.Den[j] += unless(1-matched, weight)
		a.Earlier[j] += float64(weight * means.Total[Earlier][j])
		a.Later[j] += float64(weight * means.Total[Later][j])
		a.Both[j] += unless(1-both, weight)
	}
}

// present returns 1 for a count above 0.
func present(count float64) int { return int(min(count, 1)) }
