package jevons

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Decomposition splits a change of a level among the products behind it.
type Decomposition struct {
	From     panel.Week     // the week that the change is counted from
	Change   float64        // percent, before rounding
	Products []Contribution // by product id
}

// Contribution is one product's part in a change.
//
// With a level 100 * exp(rho) and rho = Σ share_i * rho_i, the change
// 100 * (exp(rho) - 1) is split in proportion to share_i * rho_i: the
// logarithmic-mean decomposition, which leaves no residual (Balk, Price and
// Quantity Index Numbers, 2008, sec. 4.4).
type Contribution struct {
	Product  basket.Product
	Relative float64 // the product's relative against the cell's base, in the row's week; 0: not matched
	Before   float64 // the same in the week From (1 in the base week); 0: not matched
	Share    float64 // its normalized weight in the row's week; shares sum to 1
	Stores   int     // stores with a matched relative
	Trimmed  int     // of these, how many were dropped, both ends together
	// Points is the contribution in percentage points. Added up in this
	// order, the products' Points are the Change.
	Points float64
	// Rounded is Points rounded to four decimals such that the products' sum
	// is the published change: Index - 100, or WoW.
	Rounded panel.Fixed
}

// sinceBase splits the change since the cell's base.
func (x *explainer) sinceBase(row *Row, now []relative) Decomposition {
	shares := x.shares(now)
	d := Decomposition{From: x.base}
	rho := 0.0
	for i, r := range now {
		if r.stores > 0 {
			rho += shares[i] * r.rho
			d.Products = append(d.Products, Contribution{
				Product: *r.product, Relative: math.Exp(r.rho), Before: 1, Share: shares[i],
				Stores: r.stores, Trimmed: r.trimmed, Points: shares[i] * r.rho,
			})
		}
	}
	d.Change = 100 * math.Expm1(rho)
	d.scale(row.Index.Units - 100*unitsPerOne)
	return d
}

// weekOverWeek splits the published change against the week before. A
// headline's is same-composition: both levels on the series priced in the base
// week, the previous published week and this one. A category's is the ratio of
// two published levels, each with its own matched products, so one that is
// matched in one of them only takes part too.
func (x *explainer) weekOverWeek(row *Row, now []relative) Decomposition {
	previous := x.table.before(row.Week, x.cell)
	d := Decomposition{From: previous.Week}
	var before []relative
	if x.cell.Category == basket.Overall {
		before = x.relatives(previous.Week, previous.Week, row.Week)
		now = x.relatives(row.Week, previous.Week, row.Week)
	} else {
		before = x.relatives(previous.Week, previous.Week, previous.Week)
	}
	sharesNow, sharesBefore := x.shares(now), x.shares(before)
	rho := 0.0
	for i, r := range now {
		b := before[i]
		if r.stores == 0 && b.stores == 0 {
			continue
		}
		c := Contribution{
			Product: *r.product, Share: sharesNow[i], Stores: r.stores, Trimmed: r.trimmed,
			Points: sharesNow[i]*r.rho - sharesBefore[i]*b.rho,
		}
		if r.stores > 0 {
			c.Relative = math.Exp(r.rho)
		}
		if b.stores > 0 {
			c.Before = math.Exp(b.rho)
		}
		rho += c.Points
		d.Products = append(d.Products, c)
	}
	if x.cell.Category == basket.Overall {
		d.Change = 100 * math.Expm1(rho)
	} else {
		d.Change = 100 * float64(row.Index.Units-previous.Index.Units) / float64(previous.Index.Units)
	}
	d.scale(row.WoW.Units)
	return d
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
// the change, and rounds them so that they add up to the published change, in
// ten-thousandths of a point.
func (d *Decomposition) scale(published int64) {
	points := make([]float64, len(d.Products))
	for i, c := range d.Products {
		points[i] = c.Points
	}
	// The slope is the logarithmic mean of the two levels: change per unit of rho.
	// As rho goes to 0 it goes to 100.
	slope, rho, size := 100.0, inOrder(points), floats.Norm(points, 1)
	if math.Abs(rho) > 1e-9 {
		slope = 100 * math.Expm1(rho) / rho
	}
	floats.Scale(slope, points)
	// What is left is float noise or, where the change is a ratio of rounded
	// levels, their rounding. It is spread in proportion to what each moved.
	if rest := d.Change - inOrder(points); size > 0 {
		for i, p := range points {
			points[i] += rest * math.Abs(p) / (size * slope)
		}
	}
	d.Change = inOrder(points) // the same but for the last bits, and so the exact sum
	rounded := apportion(points, published)
	for i := range d.Products {
		d.Products[i].Points, d.Products[i].Rounded = points[i], panel.FixedOf(rounded[i])
	}
}

// inOrder adds from the first to the last, so that a reader's sum is the
// same sum to the last bit.
func inOrder(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// apportion rounds the points to ten-thousandths with the given sum, by the
// method of the largest remainder. Remainders that differ by less than a millionth
// are equal, and the first point comes first.
func apportion(points []float64, total int64) []int64 {
	units, order := make([]int64, len(points)), make([]int, len(points))
	lacks := make([]float64, len(points)) // minus the remainder
	left := total
	for i, p := range points {
		units[i] = int64(math.Floor(p * unitsPerOne))
		lacks[i] = math.Round(1e6 * (float64(units[i]) - p*unitsPerOne))
		left -= units[i]
	}
	floats.ArgsortStable(lacks, order)
	// Whole rounds first: then less than one unit is left for each product.
	if n := int64(len(points)); n > 0 {
		whole := left / n
		if left%n < 0 {
			whole--
		}
		for i := range units {
			units[i] += whole
		}
		for _, i := range order[:left-n*whole] {
			units[i]++
		}
	}
	return units
}
