package main

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
)

// methodFlags change the published method.
type methodFlags struct{ trim, floor string }

func (m *methodFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.trim, "trim", "", "`percent` of a product's stores dropped at each end, instead of the published 10")
	f.StringVar(&m.floor, "floor", "", "`percent` of the products that a row needs, instead of the published 60")
}

// options returns the options that the flags name.
func (m *methodFlags) options() (o jevons.Options, err error) {
	if o.Trim, err = percentFlag("trim", m.trim); err != nil {
		return o, err
	}
	if o.Floor, err = percentFlag("floor", m.floor); err != nil {
		return o, err
	}
	switch {
	case m.trim != "" && 2*o.Trim.Num >= o.Trim.Den:
		return o, usagef("--trim %s: at least half would be dropped at each end; give less than 50", m.trim)
	case o.Floor.Num > o.Floor.Den:
		return o, usagef("--floor %s: no row has more than all of its products; give at most 100", m.floor)
	}
	return o, nil
}

// percentFlag reads a percentage of at most four decimals. Without one it returns
// the zero Share.
func percentFlag(name, value string) (jevons.Share, error) {
	if value == "" {
		return jevons.Share{}, nil
	}
	const units = 10_000 // of a percent
	d, err := decimal.NewFromString(value)
	if scaled := d.Shift(4); err == nil && !d.IsNegative() && scaled.IsInteger() && d.LessThanOrEqual(decimal.NewFromInt(1000)) {
		return jevons.Share{Num: int(scaled.IntPart()), Den: 100 * units}, nil
	}
	return jevons.Share{}, usagef("--%s %q is not a percentage such as 5 or 12.5", name, value)
}

// sayMethod tells the person that figures are not those of the published method.
func (a *app) sayMethod(method string) {
	if method != "" {
		fmt.Fprintf(a.stderr, "larder: %s\n", methodNote(method))
	}
}

// methodNote heads figures of another method.
func methodNote(method string) string { return "not the published method: " + method }

// includes returns what --include names.
func includes(value, format, series string) (quality, contributions bool, err error) {
	if value == "" {
		return false, false, nil
	}
	if series == "v1" {
		return false, false, usagef("--include %s: rows of the pilot series (v1) are stored and have no more to tell", value)
	}
	for name := range strings.SplitSeq(value, ",") {
		if err := oneOf("include", name, []string{jevons.IncludeQuality, jevons.IncludeContributions}); err != nil {
			return false, false, err
		}
		quality = quality || name == jevons.IncludeQuality
		contributions = contributions || name == jevons.IncludeContributions
	}
	if contributions && format != "json" {
		return false, false, usagef("--include contributions: a row has a list of them, which needs --format json")
	}
	return quality, contributions, nil
}
