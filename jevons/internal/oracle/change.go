package oracle

import "math"

// published is the rows of one cell so far, by date.
type published struct {
	rows map[string]*Row
	last string // date of the newest row, "" before the first
}

// headlineWoW. Section 6: "same composition. u = the series' previous
// published week, b = its base. Take only series priced in all of b, u and w;
// compute headline rho at u and at w on that set, same estimator; publish
// 100 * (exp(rho_w - rho_u) - 1). Null in the series' first published week,
// and when the products with a series priced in all of b, u and w are under
// the 60% floor." The result is not rounded.
func (p *panel) headlineWoW(g geography, b, u, w string) *float64 {
	if u == "" {
		return nil
	}
	matched := p.matchedSeries(g, b, u, w)
	rhoU, _, okU := p.relative(overall, p.productRelatives(g, matched, b, u))
	rhoW, items, okW := p.relative(overall, p.productRelatives(g, matched, b, w))
	if !okU || !okW || !p.reachesFloor(items, len(p.slice(overall))) {
		return nil
	}
	change := 100 * math.Expm1(rhoW-rhoU)
	return &change
}

// levelChange is the change of the published levels against a number of days
// earlier. Section 6: category wow "ratio of the two published (rounded)
// levels, w against w - 7 days"; "mom, yoy: ratio of published levels against
// 28 and 364 days earlier; null where that row is absent".
func levelChange(cell published, row *Row, days int) *float64 {
	earlier, ok := cell.rows[addDays(row.Date, -days)]
	if !ok || earlier.indexUnits == 0 {
		return nil
	}
	change := ratioChange(row.indexUnits, earlier.indexUnits)
	return &change
}
