package jevons

import (
	"errors"

	"github.com/larder-index/larder/panel"
)

// RegularSeries is the name of the companion series.
const RegularSeries = "regular"

// Regular returns the companion series of regular prices: Compute's table of
// [panel.Panel.Regular]. It shows prices without sales. The rows must be all of
// the panel's. It is never to be spliced into the published series. It fails with
// Options.Quality and for options that Compute refuses.
func Regular(p *panel.Panel, rows *panel.Rows, o Options) (*Table, error) {
	if o.Quality {
		return nil, errors.New("jevons: a companion series has no quality")
	}
	regular, err := p.Regular(rows)
	if err != nil {
		return nil, err
	}
	if weeks := p.Weeks(); o.Through == 0 && len(weeks) > 0 {
		o.Through = weeks[len(weeks)-1]
	}
	return Compute(regular, o)
}
