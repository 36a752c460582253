package jevons

import (
	"cmp"
	"errors"
	"fmt"

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
	// Quality gives every row an Extra with its Quality. It changes nothing else.
	Quality bool
}

// Method names what differs from the published method, such as "trim 5%, floor 60%".
// It is empty for that method. The base and the last week are no part of it.
func (o Options) Method() string {
	same := func(s, published Share) bool {
		return s == Share{} || s.Num*published.Den == published.Num*s.Den
	}
	if same(o.Trim, publishedTrim) && same(o.Floor, publishedFloor) {
		return ""
	}
	trim, floor := cmp.Or(o.Trim, publishedTrim), cmp.Or(o.Floor, publishedFloor)
	return fmt.Sprintf("trim %s, floor %s", trim.percent(), floor.percent())
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
	var errs []error
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
