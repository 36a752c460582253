package front

import (
	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// qualityOf returns the quality of a row; nil if its figures are another revision's.
func (x *answerer) qualityOf(row *jevons.Row) *jevons.Quality {
	if x.quality == nil {
		return nil
	}
	same := x.quality.Find(row.Week, *row.Cell)
	if same == nil || !row.Same(same) {
		return nil
	}
	return same.Extra.Quality
}

// sinceBase returns the interval of a row's change since the week in which its level was 100.
func (x *answerer) sinceBase(row *jevons.Row) (low, high panel.Fixed) {
	if q := x.qualityOf(row); q != nil && q.Low.Valid && row.Week != row.Base {
		const hundred = 100_0000
		low, high = panel.FixedOf(q.Low.Units-hundred), panel.FixedOf(q.High.Units-hundred)
	}
	return low, high
}

// interval writes an interval; empty for none.
func (x *answerer) interval(low, high panel.Fixed) string {
	switch {
	case !low.Valid:
		return ""
	case unclear(low, high):
		return x.T("95% interval {low} to {high}: no clear change", x.change(low), x.change(high))
	}
	return x.T("95% interval {low} to {high}", x.change(low), x.change(high))
}

// change writes a change in percent with its sign and one decimal; a dash for null.
func (x *answerer) change(v panel.Fixed) string {
	if !v.Valid {
		return "–"
	}
	return x.Change(figure.OneDecimal(v))
}

func (x *answerer) money(v panel.Fixed) string { return x.Money(string(v.Append(nil, 2))) }

// unclear reports whether an interval contains no change. Without one it doesn't.
func unclear(low, high panel.Fixed) bool { return low.Valid && low.Units <= 0 && high.Units >= 0 }

// direction says where a change goes as far as it is shown; empty for no clear change.
func direction(v, low, high panel.Fixed) string {
	shown := decimal.New(v.Units, -4).Round(1)
	switch {
	case !v.Valid || unclear(low, high) || shown.IsZero():
		return ""
	case shown.IsNegative():
		return "down"
	}
	return "up"
}
