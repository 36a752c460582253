package check

import (
	"math"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Sales says how much of the prices in the base week are sales, beside the medians over the closed weeks
// from it on. Every later level is against the base week, so its sales are in all of them.
type Sales struct {
	Base   WeekOfSales `json:"base_week"`
	Median WeekOfSales `json:"median"`
}

// WeekOfSales is of the rows that count in the index, after the regular-price rule. A member is nil
// where no row tells it.
type WeekOfSales struct {
	OnSale *float64 `json:"on_sale"` // share of the rows
	// 1 - exp of the mean of ln(effective/regular), of rows on sale with a known regular price
	Discount *float64 `json:"mean_discount"`
}

// NewSales goes through the rows of the closed weeks.
func NewSales(r *panel.Rows, p *panel.Panel, closed panel.Week) *Sales {
	s := newScope(r, p)
	type tally struct{ rows, onSale, discounted, logs float64 }
	weeks, weekOf := map[panel.Week]tally{}, s.Calendar().Weeks()
	for i := range s.rows.Len() {
		week := weekOf(s.rows.UnixNano(i))
		_, listing, counts := s.place(i)
		if !counts || week < s.BaseWeek() || week > closed || s.rows.Verdict(i) != panel.Pass {
			continue
		}
		banner := &s.Banners()[s.banner[listing]]
		if !banner.InIndex {
			continue
		}
		t := weeks[week]
		t.rows++
		if o := s.rows.Restated(i, banner.Verified); o.OnSale {
			if t.onSale++; o.Regular > 0 {
				t.discounted++
				t.logs += math.Log(float64(o.Effective) / float64(o.Regular))
			}
		}
		weeks[week] = t
	}
	var sales Sales
	var shares, discounts []float64
	for week, t := range weeks {
		x := WeekOfSales{OnSale: new(t.onSale / t.rows)}
		shares = append(shares, *x.OnSale)
		if t.discounted > 0 {
			x.Discount = new(-math.Expm1(t.logs / t.discounted))
			discounts = append(discounts, *x.Discount)
		}
		if week == s.BaseWeek() {
			sales.Base = x
		}
	}
	sales.Median = WeekOfSales{median(shares), median(discounts)}
	return &sales
}

func median(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return new((list[(len(list)-1)/2] + list[len(list)/2]) / 2)
}
