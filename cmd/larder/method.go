package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
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

// extraColumns lists the columns of rows beyond the published ones.
type extraColumns struct {
	include, companion     string
	quality, contributions bool   // named by include
	method                 string // another one than the published
	unit                   viewFlags
	shown                  jevons.Column // of the view, if one was asked for
}

func (x *extraColumns) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&x.include, "include", "", "also print quality, contributions or both, with a comma between")
	companionFlag(cmd, &x.companion)
	x.unit.register(cmd, "", "; rows get its column")
}

// setView finds the column of --view for the selected rows of a table.
func (x *extraColumns) setView(table *jevons.Table, rows []jevons.Row, names *jevons.Names) error {
	if x.unit.view == "" {
		return nil
	}
	view, since := x.unit.read()
	var err error
	x.shown, err = table.ViewColumn(view, since, jevons.CellsOf(rows))
	return sinceError(err, names)
}

// viewFlags are --view and --since.
type viewFlags struct{ view, since string }

// register adds the flags; more ends the help of --view.
func (x *viewFlags) register(cmd *cobra.Command, view, more string) {
	f := cmd.Flags()
	f.StringVar(&x.view, "view", view, "the unit: "+phrase.Or(jevons.ViewNames())+more)
	f.StringVar(&x.since, "since", "", "with --view since: the `week` to compare with, named by its Sunday")
	completeWith(cmd, "view", jevons.ViewNames()...)
}

// check checks the flags for a series, v1 or v2.
func (x *viewFlags) check(series string) error {
	if err := oneOfOrNone("view", x.view, jevons.ViewNames()); err != nil {
		return err
	}
	switch since := jevons.ViewSince.String(); {
	case x.view != since && x.since != "":
		return usagef("--since goes with --view since only; add that, or leave out --since")
	case x.view == since && x.since == "":
		return usagef("--view since needs --since, the week to compare with, such as --since 2026-07-19")
	case x.view == jevons.ViewYoY.String() && series == "v1":
		return usagef("--view yoy: series v1 is of four months and has no change of a year")
	case x.since != "":
		if _, err := panel.ParseWeek(x.since); err != nil {
			return usagef("--since: %v", err)
		}
	}
	return nil
}

// read returns the view and the week of checked flags.
func (x *viewFlags) read() (view jevons.View, since panel.Week) {
	view, _ = jevons.ParseView(x.view)
	if x.since != "" {
		since, _ = panel.ParseWeek(x.since)
	}
	return view, since
}

// sinceError names the flag and the series of a NoLevelError.
func sinceError(err error, names *jevons.Names) error {
	if missing, ok := errors.AsType[*jevons.NoLevelError](err); ok {
		return usagef("--since: %s", missing.Named(cmp.Or(names.Name(missing.Cell), missing.Cell.String())))
	}
	return err
}

func companionFlag(cmd *cobra.Command, companion *string) {
	cmd.Flags().StringVar(companion, "companion", "", "another series: regular (prices without sales) or linked (the base moves)")
	completeWith(cmd, "companion", companions...)
}

var companions = []string{jevons.RegularSeries, jevons.LinkedSeries}

// check reads the flags.
func (x *extraColumns) check(format, series string) error {
	if err := cmp.Or(checkCompanion(x.companion, series), x.unit.check(series)); err != nil {
		return err
	}
	switch {
	case x.include == "":
		return nil
	case x.companion != "":
		return usagef("--include %s and --companion %s contradict each other: companions have no quality and no contributions", x.include, x.companion)
	case series == "v1":
		return usagef("--include %s: rows of the pilot series (v1) are stored and have no more to tell", x.include)
	}
	for name := range strings.SplitSeq(x.include, ",") {
		if err := oneOf("include", name, []string{jevons.IncludeQuality, jevons.IncludeContributions}); err != nil {
			return err
		}
		x.quality = x.quality || name == jevons.IncludeQuality
		x.contributions = x.contributions || name == jevons.IncludeContributions
	}
	if x.contributions && format != "json" {
		return usagef("--include contributions: a row has a list of them, which needs --format json")
	}
	return nil
}

func checkCompanion(companion, series string) error {
	if err := oneOfOrNone("companion", companion, companions); err != nil {
		return err
	}
	if companion != "" && series == "v1" {
		return usagef("--companion %s and --series v1 contradict each other: companions go with v2", companion)
	}
	return nil
}

// columns returns the columns of a format.
func (x *extraColumns) columns(format string) []jevons.Column {
	list := jevons.Columns()
	if format == "table" {
		list = jevons.PrintedColumns()
	}
	switch {
	case x.companion != "":
		list = append(list, jevons.BaseColumn())
	case x.quality && format == "json":
		list = append(list, jevons.QualityColumn())
	case x.quality:
		list = append(list, jevons.QualityColumns()...)
	}
	if x.shown.Name != "" && !slices.ContainsFunc(list, func(c jevons.Column) bool { return c.Name == x.shown.Name }) {
		list = append(list, x.shown)
	}
	if x.contributions {
		list = append(list, jevons.ContributionsColumn())
	}
	if x.method != "" && format != "table" {
		list = append(list, jevons.Column{Name: "method", Text: func(*jevons.Row) string { return x.method }})
	}
	return list
}

// openFor loads what a series needs: rows are nil but for the regular companion.
func (a *app) openFor(ctx context.Context, db, series string) (*panel.Panel, *panel.Rows, time.Time, error) {
	if series != jevons.RegularSeries {
		p, now, err := a.openPanel(ctx, db)
		return p, nil, now, err
	}
	all, now, err := a.openContents(ctx, db)
	if err != nil {
		return nil, nil, now, err
	}
	return all.Panel, all.Rows, now, nil
}

// companion is table for the companion series too. It says what they are.
func (a *app) companion(p *panel.Panel, rows *panel.Rows, series string, now time.Time, o jevons.Options) (*jevons.Table, error) {
	if !slices.Contains(companions, series) {
		return a.table(p, series, now, o)
	}
	fmt.Fprintf(a.stderr, "larder: companion series %q; never splice it into the published series\n", series)
	a.sayMethod(o.Method())
	o.Through = panel.LastClosed(now)
	if series == jevons.RegularSeries {
		return jevons.Regular(p, rows, o)
	}
	return jevons.Linked(p, o)
}
