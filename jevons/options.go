package jevons

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// MethodVersion labels this revision of the published method. It changes whenever
// the same prices could give another row.
const MethodVersion = "larder-jevons-2"

// Options change the published method. The zero value is that method.
type Options struct {
	// Base is the week that categories are compared with and the first week
	// that is published. 0: the panel's base week.
	Base panel.Week
	// BaseWeeks is how many weeks make up the base, from Base on: there the log price of a
	// series is the mean over those of them in which it has one. The rows of Base are then of all
	// of them. Base itself must have prices. 0: one week.
	BaseWeeks int
	// Trim is the share of a product's store relatives dropped at each end.
	// The zero Share: Percent(10). Percent(0) drops nothing.
	Trim Share
	// Floor is the share of a slice's products that must be matched for a
	// row to be published. The zero Share: Percent(60).
	Floor Share
	// Through is the last week that is published; see Calendar.LastClosed of package panel. 0:
	// the panel's last week, closed or not.
	Through panel.Week
	// Weights are the basket weights by product id, in place of the panel's: one for each active
	// product. Of 0, a product counts in no mean. Empty: the panel's.
	Weights map[int64]float64
	// Only is the one cell whose rows are computed, in less time. They are those of the whole
	// table. The level follows from City and Banner. nil: all cells.
	Only *Cell
	// Quality gives every row an Extra with its Quality. It changes nothing else.
	Quality bool
}

// Method names what differs from the published method, such as "trim 5%, floor 60%, base of 4
// weeks, other weights". It is empty for that method. The base week, the last week and which
// cells there are are no part of it.
func (o Options) Method() string {
	var parts []string
	trim, floor := cmp.Or(o.Trim, publishedTrim).percent(), cmp.Or(o.Floor, publishedFloor).percent()
	if trim != publishedTrim.percent() || floor != publishedFloor.percent() {
		parts = append(parts, fmt.Sprintf("trim %s, floor %s", trim, floor))
	}
	if o.BaseWeeks > 1 {
		parts = append(parts, fmt.Sprintf("base of %d weeks", o.BaseWeeks))
	}
	if len(o.Weights) > 0 {
		parts = append(parts, "other weights")
	}
	return strings.Join(parts, ", ")
}

var publishedTrim, publishedFloor = Percent(10), Percent(60)

func (o Options) withDefaults(p *panel.Panel) (Options, error) {
	if p == nil || p.BaseWeek() == 0 {
		return o, errors.New("jevons: the panel is nil or empty; panel.Builder builds one")
	}
	o.Base = cmp.Or(o.Base, p.BaseWeek())
	o.Trim, o.Floor = cmp.Or(o.Trim, publishedTrim), cmp.Or(o.Floor, publishedFloor)
	if weeks := p.Weeks(); o.Through == 0 && len(weeks) > 0 {
		o.Through = weeks[len(weeks)-1]
	}
	errs := o.checkWeights(p)
	if o.Only != nil {
		only := *o.Only
		only.Level = LevelOf(only.City, only.Banner)
		o.Only = &only
	}
	o.Weights = maps.Clone(o.Weights)
	if !o.Base.IsSunday() {
		errs = append(errs, fmt.Errorf("base week %s is no Sunday", o.Base))
	}
	if o.BaseWeeks < 0 {
		errs = append(errs, fmt.Errorf("a base of %d weeks; 0 is one week", o.BaseWeeks))
	}
	if s := o.Trim; s.Num < 0 || s.Den <= 0 || 2*s.Num >= s.Den {
		errs = append(errs, fmt.Errorf("trim share %d/%d is not from 0 to under one half", s.Num, s.Den))
	}
	if s := o.Floor; s.Num < 0 || s.Den <= 0 || s.Num > s.Den {
		errs = append(errs, fmt.Errorf("floor share %d/%d is not from 0 to 1", s.Num, s.Den))
	}
	if err := errors.Join(errs...); err != nil {
		return o, fmt.Errorf("jevons: options: %w", err)
	}
	return o, nil
}

// checkWeights lists what is wrong with the weights.
func (o *Options) checkWeights(p *panel.Panel) (errs []error) {
	for _, id := range slices.Sorted(maps.Keys(o.Weights)) {
		weight := o.Weights[id]
		if _, known := p.ProductAt(id); !known {
			errs = append(errs, fmt.Errorf("weight of product %d: the panel has no such product", id))
		}
		if !(weight >= 0 && weight <= math.MaxFloat64) {
			errs = append(errs, fmt.Errorf("weight %v of product %d is not a number of at least 0", weight, id))
		}
	}
	for _, x := range p.Products() {
		if _, has := o.Weights[x.ID]; !has && x.Active && len(o.Weights) > 0 {
			errs = append(errs, fmt.Errorf("product %d (%s) has no weight; give it 0 to leave it out", x.ID, x.Name))
		}
	}
	return errs
}

// weighted returns products with the weights in force.
func (o *Options) weighted(products []basket.Product) []basket.Product {
	if len(o.Weights) > 0 {
		products = slices.Clone(products)
		for i := range products {
			products[i].Weight = o.Weights[products[i].ID]
		}
	}
	return products
}

// Share is a fraction, Num/Den, kept in integers so that counts taken from it
// are exact: 60% of 50 items is 30, never 29.999. The zero Share means "not
// given": Options replace it with the share of the published method.
type Share struct{ Num, Den int }

// Percent returns n hundredths.
func Percent(n int) Share { return Share{n, 100} }

// of returns floor(s * n), in integers. The Share must be given.
func (s Share) of(n int) int { return int(int64(s.Num) * int64(n) / int64(s.Den)) }

// metBy reports whether count is at least the share s of total, in integers.
func (s Share) metBy(count, total int) bool {
	return int64(count)*int64(s.Den) >= int64(s.Num)*int64(total)
}

// percent writes the share as a percentage, such as "10%".
func (s Share) percent() string { return fmt.Sprintf("%g%%", 100*float64(s.Num)/float64(s.Den)) }
