package oracle

import "math"

// Difference is that of a row to a city's of the same week and slice: 100 (exp(D) - 1) and the ends of its
// interval, to 4 decimals. nil is null.
type Difference struct{ Percent, Low, High *float64 }

// Differences returns one for each row of Table. Section 12: "a difference of two cells of one week and
// category: the same jackknife on D = rho(a) - rho(b) over the groups that both have, paired; its interval is
// exp of D's".
func Differences(d *Data, opts Options, city string) []Difference {
	opts.Plain = true
	p, rows := newPanelFor(d, opts), Table(d, opts)
	all := make([]Difference, len(rows))
	for i, a := range rows {
		for _, b := range rows {
			if b.Date == a.Date && b.Category == a.Category && b.City == city && b.Banner == "" && b.Base == a.Base {
				all[i] = p.difference(a.Category, a.products, b.products)
			}
		}
	}
	return all
}

func (p *panel) difference(slice string, a, b map[int64]float64) (x Difference) {
	both := map[int64]float64{}
	for product := range a {
		if _, ok := b[product]; ok {
			both[product] = a[product] - b[product]
		}
	}
	rho, items, ok := p.relative(slice, both)
	if !ok || !p.reachesFloor(items, len(p.slice(slice))) {
		return x
	}
	percent := func(rho float64) *float64 { return rounded(100 * (math.Exp(rho) - 1)) }
	x.Percent = percent(rho)
	if v, df, ok := p.jackknife(slice, both); ok && df >= leastDF && v > 0 && slice == overall {
		half := p.studentQuantile(df) * math.Sqrt(v)
		x.Low, x.High = percent(rho-half), percent(rho+half)
	}
	return x
}
