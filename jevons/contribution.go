package jevons

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Decomposition splits a change of a level among the products behind it.
type Decomposition struct {
	From      panel.Week     // the week that the change is counted from
	Change    float64        // percent, before rounding
	Published panel.Fixed    // percent, four decimals
	Products  []Contribution // by product id
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
	// is the published change: Index - 100, WoW, or that of Between.
	Rounded panel.Fixed
}

// scale turns the products' parts of rho into percentage points that add up to
// the change, and rounds them so that they add up to the published change, in
// ten-thousandths of a point.
func (d *Decomposition) scale(published panel.Fixed) {
	d.Published = published
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
	rest := d.Change - inOrder(points)
	if size > 0 {
		for i, p := range points {
			points[i] += rest * math.Abs(p) / (size * slope)
		}
	}
	d.Change = inOrder(points) // the same but for the last bits, and so the exact sum
	rounded := apportion(points, published.Units)
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

// Tenths rounds numbers to one decimal, such that they add up to their rounded sum. It does so by the
// method of the largest remainder, so each is less than a tenth from what it was.
func Tenths(parts []panel.Fixed) (rounded []panel.Fixed) {
	const tenth = unitsPerOne / 10
	tenths, sum := make([]float64, len(parts)), int64(0)
	for i, p := range parts {
		tenths[i] = float64(p.Units) / (tenth * unitsPerOne)
		sum += p.Units
	}
	for _, n := range apportion(tenths, round(float64(sum)/unitsPerOne, tenth).Units/tenth) {
		rounded = append(rounded, panel.FixedOf(n*tenth))
	}
	return rounded
}

// Part is the contribution of a category to a headline, or of a product to a category's row.
// The parts of a row add up to its published digits.
type Part struct {
	Product  int64           // id; 0: the part of a category
	Category basket.Category // of the part
	Level    panel.Fixed     // percentage points of the change from the base: Index - 100; or from Between's week
	WoW      panel.Fixed     // percentage points of WoW; null where that is
}

func (e *Explanation) parts() (parts []Part) {
	if e.Row.Cell.Category == basket.Overall {
		return e.Categories()
	}
	level := map[int64]int64{}
	for i := range e.Since.Products {
		level[e.Since.Products[i].Product.ID] = e.Since.Products[i].Rounded.Units
	}
	moved := cmp.Or(e.WoW, &e.Since)
	for i := range moved.Products {
		c := &moved.Products[i]
		part := Part{Product: c.Product.ID, Category: e.Row.Cell.Category, Level: panel.FixedOf(level[c.Product.ID])}
		if e.WoW != nil {
			part.WoW = c.Rounded
		}
		parts = append(parts, part)
	}
	return parts
}

// Categories returns the parts of a headline's categories in published order. Products are
// added up before they are rounded.
func (e *Explanation) Categories() (parts []Part) {
	var levels, changes []float64
	for _, c := range e.categories.Slices()[1:] {
		if level, there := e.Since.of(c.Slug()); there {
			change, _ := e.WoW.of(c.Slug())
			parts, levels, changes = append(parts, Part{Category: c}), append(levels, level), append(changes, change)
		}
	}
	rounded, roundedWoW := apportion(levels, e.Since.Published.Units), apportion(changes, e.Row.WoW.Units)
	for i := range parts {
		parts[i].Level, parts[i].WoW = panel.FixedOf(rounded[i]), panel.Fixed{Units: roundedWoW[i], Valid: e.WoW != nil}
	}
	return parts
}

// of adds up the points of a category, and says whether it has a product.
func (d *Decomposition) of(category string) (points float64, there bool) {
	for i := 0; d != nil && i < len(d.Products); i++ {
		if d.Products[i].Product.Category == category {
			points, there = points+d.Products[i].Points, true
		}
	}
	return points, there
}
