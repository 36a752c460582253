package jevons

import (
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// relative is one active product's elementary aggregate in a cell.
type relative struct {
	product         basket.Product
	rho             float64 // 0 without stores
	stores, trimmed int
}

// relatives returns the elementary aggregates of the cell's active products in
// the week against the base, over the series priced in the base week, in week
// and in both of the other two.
func (x *explainer) relatives(week, u, w panel.Week) []relative {
	logs := [...][]float64{x.logs(x.base), x.logs(week), x.logs(u), x.logs(w)}
	value := func(i int) float64 {
		for _, l := range logs {
			if l == nil || math.IsNaN(l[i]) {
				return math.NaN()
			}
		}
		return logs[1][i] - logs[0][i]
	}
	var all []relative
	at := make(map[int32]int)
	for i, product := range x.panel.Products() {
		if product.Active && (x.cell.Category == basket.Overall || x.cell.Category == product.Category) {
			at[int32(i)] = len(all)
			all = append(all, relative{product: product})
		}
	}
	byStore := make([]map[int32][]float64, len(all))
	for i, s := range x.panel.Series() {
		k, ok := at[s.Product]
		if !ok || !x.place.holds(s) {
			continue
		}
		if v := value(i); !math.IsNaN(v) {
			if byStore[k] == nil {
				byStore[k] = map[int32][]float64{}
			}
			byStore[k][s.Store] = append(byStore[k][s.Store], v)
		}
	}
	for k, stores := range byStore {
		var means []float64
		for _, values := range stores {
			means = append(means, sum(values)/float64(len(values)))
		}
		if t := x.table.Options.Trim.Of(len(means)); len(means) > 0 {
			slices.Sort(means)
			all[k].stores, all[k].trimmed = len(means), 2*t
			all[k].rho = sum(means[t:len(means)-t]) / float64(len(means)-2*t)
		}
	}
	return all
}

// holds reports whether the series belongs to the geography.
func (g geography) holds(s panel.Series) bool {
	return (g.level < City || g.city == s.City) && (g.level < Banner || g.banner == s.Banner)
}

// logs returns the log prices of a week; nil when none was collected in it.
func (x *explainer) logs(w panel.Week) []float64 {
	if k, ok := slices.BinarySearch(x.panel.Weeks(), w); ok {
		return x.panel.LogPrices(k)
	}
	return nil
}

// shares returns the products' normalized weights. In a category they are the
// basket weights of its matched products; in the headline each category has
// the weight of all its active products, matched or not, and divides it among
// its matched ones.
func (x *explainer) shares(list []relative) []float64 {
	var matched, active [numSlices]float64
	for _, r := range list {
		c := r.product.Category
		active[c] += r.product.Weight
		if r.stores > 0 {
			matched[c] += r.product.Weight
		}
	}
	total := 0.0
	for c := range active {
		if matched[c] > 0 {
			total += active[c]
		}
	}
	shares := make([]float64, len(list))
	for i, r := range list {
		if c := r.product.Category; r.stores > 0 && matched[c] > 0 {
			shares[i] = active[c] / total * r.product.Weight / matched[c]
		}
	}
	return shares
}

// scale turns the products' parts of rho into percentage points that add up to
// the change, and rounds them so that they add up to the published change,
// given in ten-thousandths.
func (d *Decomposition) scale(published int64) {
	rho, size := 0.0, 0.0
	for _, c := range d.Products {
		rho += c.Points
		size += math.Abs(c.Points)
	}
	// The logarithmic mean of the two levels: change per unit of rho. As rho
	// goes to 0 it goes to 100.
	slope := 100.0
	if math.Abs(rho) > 1e-9 {
		slope = 100 * math.Expm1(rho) / rho
	}
	for i := range d.Products {
		d.Products[i].Points *= slope
	}
	// What is left is float noise or, where the change is a ratio of rounded
	// levels, their rounding: spread in proportion to what each moved.
	if rest := d.Change - d.total(); size > 0 {
		for i := range d.Products {
			p := &d.Products[i].Points
			*p += rest * math.Abs(*p) / (size * slope)
		}
	}
	d.Change = d.total() // the same but for the last bits, and so the exact sum
	d.apportion(published)
}

// total adds the points up in order.
func (d *Decomposition) total() float64 {
	t := 0.0
	for _, c := range d.Products {
		t += c.Points
	}
	return t
}

// apportion rounds the points to four decimals with the given sum, by the
// method of the largest remainder.
func (d *Decomposition) apportion(total int64) {
	units := make([]int64, len(d.Products))
	order := make([]int, len(d.Products))
	left := total
	for i, c := range d.Products {
		units[i] = int64(math.Floor(c.Points * unitsPerOne))
		left -= units[i]
		order[i] = i
	}
	remainder := func(i int) float64 { return d.Products[i].Points*unitsPerOne - float64(units[i]) }
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := remainder(i), remainder(j); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	// Whole rounds first: then less than one unit is left for each product.
	if n := int64(len(order)); n > 0 {
		for i := range units {
			units[i] += floorDiv(left, n)
		}
		for _, i := range order[:left-n*floorDiv(left, n)] {
			units[i]++
		}
	}
	for i := range d.Products {
		d.Products[i].Rounded = panel.FixedOf(units[i])
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
