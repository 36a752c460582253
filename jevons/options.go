package jevons

import (
	"errors"
	"fmt"

	"github.com/larder-index/larder/panel"
)

// Options change the published method. The zero value is that method.
type Options struct {
	// Base is the week that categories are compared with and the first week
	// that is published. 0: the panel's base week.
	Base panel.Week
	// Trim is the share of a product's store relatives dropped at each end.
	// The zero Share: Percent(10). Percent(0) drops none.
	Trim Share
	// Floor is the share of a slice's products that must be matched for a
	// row to be published. The zero Share: Percent(60).
	Floor Share
	// Through is the last week that is published; see panel.LastClosed. 0:
	// the panel's last week, closed or not.
	Through panel.Week
}

// withDefaults fills in what is not given and checks the rest.
func (o Options) withDefaults(p *panel.Panel) (Options, error) {
	var errs []error
	if o.Base == 0 {
		o.Base = p.BaseWeek()
	}
	if !o.Base.IsSunday() {
		errs = append(errs, fmt.Errorf("base week %s is no Sunday", o.Base))
	}
	if o.Trim == (Share{}) {
		o.Trim = Percent(10)
	}
	if err := o.Trim.checkTrim(); err != nil {
		errs = append(errs, err)
	}
	if o.Floor == (Share{}) {
		o.Floor = Percent(60)
	}
	if err := o.Floor.checkFloor(); err != nil {
		errs = append(errs, err)
	}
	if weeks := p.Weeks(); o.Through == 0 && len(weeks) > 0 {
		o.Through = weeks[len(weeks)-1]
	}
	if err := errors.Join(errs...); err != nil {
		return o, fmt.Errorf("jevons: options: %w", err)
	}
	return o, nil
}
