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
	"strings"
	"text/template"

	"github.com/larder-index/larder/jevons"
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
	Products      int // active products; bounds the degrees of freedom
}

// Write writes the script. The error names an unknown dialect or a missing banner, or is w's.
func (s *Script) Write(w io.Writer) error {
	d, err := find(s.Dialect)
	if err != nil {
		return err
	}
	if len(s.Banners) == 0 {
		return errors.New("sqlscript: no banner is in the index")
	}
	t, err := template.New("script").Funcs(template.FuncMap{
		"table": d.table, "analyze": d.analyzed, "div": d.div, "kept": d.kept, "round": d.round, "ratio": d.ratio,
		"decimal": d.decimalOf, "strata": strataOf,
	}).Parse(source)
	if err != nil {
		return err
	}
	return t.Execute(w, &values{Script: s, dialect: d})
}

// values holds the members that the template shows.
type values struct {
	*Script
	*dialect
}

// Method is the version of the method.
func (*values) Method() string { return jevons.MethodVersion }

// Gate is the version of the gate that the prices passed.
func (*values) Gate() string { return panel.GateVersion }

// LeastDF is the smallest number of degrees of freedom that gives an interval.
func (*values) LeastDF() int { return jevons.LeastDF }

// BaseDate is the base week as a literal.
func (v *values) BaseDate() string { return "DATE '" + v.Base.String() + "'" }

// ThroughDate is the last published week as a literal.
func (v *values) ThroughDate() string { return "DATE '" + v.Through.String() + "'" }

// BannerList lists the keys of the index banners as literals.
func (v *values) BannerList() string {
	var list []string
	for _, key := range v.Banners {
		list = append(list, "'"+v.quotes.Replace(key)+"'")
	}
	return strings.Join(list, ", ")
}

// Quantiles lists the degrees of freedom that can occur with their quantiles, as rows of values.
func (v *values) Quantiles() string {
	var b strings.Builder
	for df := jevons.LeastDF; df == jevons.LeastDF || df < v.Products; df++ {
		switch {
		case df == jevons.LeastDF:
			b.WriteString("  ")
		case (df-jevons.LeastDF)%4 == 0:
			b.WriteString(",\n  ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "(%d, %v)", df, jevons.StudentQuantile(df))
	}
	return b.String()
}

// strata are the values of the template of the same name: categories of a table of products.
type strata struct {
	*values
	From, Value string
}

func strataOf(v *values, from, value string) strata { return strata{v, from, value} }
