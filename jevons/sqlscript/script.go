// Package sqlscript writes the method of the index as a script of SQL, for engines that hold more
// prices than one machine does. It runs nothing.
//
// The script is one template, script.sql. A list says how the dialects differ.
package sqlscript

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

//go:embed script.sql
var source string

// Script says which script to write.
type Script struct {
	Dialect string   // one of Dialects
	Banners []string // keys of the index banners; at least one
	// Base is the base week, and Through the last week that is published.
	Base, Through panel.Week
	About         *panel.About // of the prices
	Products      int          // active products; bounds the degrees of freedom
}

// Write writes the script. The error names an unknown dialect or a missing banner, or is w's.
func (s *Script) Write(w io.Writer) error {
	i := slices.Index(Dialects(), s.Dialect)
	if i < 0 {
		return fmt.Errorf("sqlscript: unknown dialect %q; use one of %s", s.Dialect, strings.Join(Dialects(), ", "))
	}
	d := &dialects[i]
	if len(s.Banners) == 0 {
		return errors.New("sqlscript: no banner is in the index")
	}
	t, err := template.New("script").Funcs(template.FuncMap{
		"table": d.table, "analyze": d.analyzed, "div": d.div, "kept": d.kept, "round": d.round, "ratio": d.ratio,
		"decimal": d.decimalOf, "strata": func(v *values, from, value string) strata { return strata{v, from, value} },
	}).Parse(source)
	if err != nil {
		return err
	}
	var banners []string
	for _, key := range s.Banners {
		banners = append(banners, "'"+d.quotes.Replace(key)+"'")
	}
	return t.Execute(w, &values{
		WeekOf: fmt.Sprintf(d.weekOf, s.About.Calendar().Zone()), City: s.About.Calendar().City(),
		BasketCost: table.BasketCost(s.About), Script: s, dialect: d, Method: jevons.MethodVersion,
		Gate: panel.GateVersion, LeastTenths: leastTenths,
		BaseDate: "DATE '" + s.Base.String() + "'", ThroughDate: "DATE '" + s.Through.String() + "'",
		BannerList: strings.Join(banners, ", "), Quantiles: quantiles(s.Products),
	})
}

type values struct {
	*Script
	*dialect
	Method, Gate string // the versions of the method, and of the gate that the prices passed
	LeastTenths  int    // the fewest tenths of degrees of freedom that give an interval

	// As SQL has them: the weeks and the keys of the index banners as literals, and rows of values
	// with the quantiles of the degrees of freedom that can occur.
	BaseDate, ThroughDate, BannerList, Quantiles string
	WeekOf, City                                 string // the week of the column observed_at, and whose clock it is by
	BasketCost                                   string // the column of the basket's cost
}

const leastTenths int = 10 * jevons.LeastDF

func quantiles(products int) (rows string) {
	for tenths := leastTenths; tenths == leastTenths || tenths < 5*products; tenths++ {
		before := [...]string{",\n  ", ", ", ", ", ", "}[(tenths-leastTenths)%4]
		rows += fmt.Sprintf("%s(%d, %v)", before, tenths, jevons.StudentQuantile(float64(tenths)/10))
	}
	return strings.TrimPrefix(rows, ",\n")
}

// strata are the values of the template of the same name: categories of a table of products.
type strata struct {
	*values
	From, Value string
}
