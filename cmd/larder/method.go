package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

type viewFlags struct {
	name  *string
	since panel.Week
}

// addViewFlags adds the flags; more ends the help of --view.
func addViewFlags(cmd *cobra.Command, x *viewFlags, byDefault, more string) {
	x.name = choice(cmd, "view", byDefault, "the unit: "+phrase.Or(table.ViewNames())+more, table.ViewNames()...)
	addFlag(cmd, &x.since, "since", "with --view since: the `week` to compare with, named by its Sunday",
		panel.ParseWeek)
}

// read returns the view, for a series that is v1 or v2.
func (x *viewFlags) read(series string) (table.View, error) {
	view, _ := table.ParseView(*x.name) // one of the accepted, or none
	switch {
	case *x.name != table.ViewSince.String() && x.since != 0:
		return view, usagef("--since goes with --view since only; add that, or leave out --since")
	case *x.name == table.ViewSince.String() && x.since == 0:
		return view, usagef("--view since needs --since, the week to compare with, such as --since 2026-07-19")
	case *x.name == table.ViewYoY.String() && series == "v1":
		return view, usagef("--view yoy: series v1 is of four months and has no change over 52 weeks")
	}
	return view, nil
}

// sinceError names the flag and the series of a NoLevelError.
func sinceError(err error, names *table.Names) error {
	missing, ok := errors.AsType[*table.NoLevelError](err)
	if !ok {
		return err
	}
	return usagef("--since: %s", missing.Named(cmp.Or(names.Name(missing.Cell), missing.Cell.String())))
}

// extraColumns holds the flags that add columns to the published ones.
type extraColumns struct {
	include   []string
	companion *string
	against   *string // a city
	unit      viewFlags
	about     *panel.About // of the rows
	shown     table.Column // of the view, if one was asked for
}

func extraFlags(cmd *cobra.Command) *extraColumns {
	x := &extraColumns{}
	x.companion = choice(cmd, "companion", "", "another series: regular (prices without sales)", jevons.RegularSeries)
	x.against = cmd.Flags().String(table.Against, "",
		"also print the difference to this `city`'s level, by its slug or its name")
	addFlag(cmd, &x.include, "include", "also print quality, contributions or both, with a comma between",
		func(text string) ([]string, error) {
			names := strings.Split(text, ",")
			for _, name := range names {
				if err := known(name, []string{table.IncludeQuality, table.IncludeContributions}); err != nil {
					return nil, err
				}
			}
			return names, nil
		})
	addViewFlags(cmd, &x.unit, "", "; rows get its column")
	return x
}

func (x *extraColumns) has(name string) bool { return slices.Contains(x.include, name) }

// check checks the flags against each other and returns the series to compute.
func (x *extraColumns) check(format, series string) (string, error) {
	if _, err := x.unit.read(series); err != nil {
		return "", err
	}
	more := x.include != nil || *x.against != ""
	switch {
	case more && *x.companion != "":
		return "", usagef("--companion goes without --include and --against: only the published series has these")
	case series == "v1" && (more || *x.companion != ""):
		return "", usagef("--series v1 goes without --include, --against and --companion: rows of the pilot series " +
			"are stored and have no more to tell")
	case x.has(table.IncludeContributions) && format != "json":
		return "", usagef("--include contributions: a row has a list of them, which needs --format json")
	}
	return cmp.Or(*x.companion, series), nil
}

func (x *extraColumns) setView(about *panel.About, index *jevons.Table, rows []jevons.Row, names *table.Names) error {
	x.about = about
	if *x.unit.name == "" {
		return nil
	}
	view, err := x.unit.read("")
	if err == nil {
		x.shown, err = table.ViewColumn(about, index, view, x.unit.since, table.CellsOf(rows))
	}
	return sinceError(err, names)
}

func (x *extraColumns) columns(format string) []table.Column {
	list := table.Columns(x.about)
	if format == "table" {
		list = table.PrintedColumns(x.about)
	}
	switch {
	case *x.companion != "":
		list = append(list, table.BaseColumn())
	case x.has(table.IncludeQuality) && format == "json":
		list = append(list, table.QualityColumn())
	case x.has(table.IncludeQuality):
		list = append(list, table.QualityColumns()...)
	}
	if x.shown.Name != "" && !slices.ContainsFunc(list, func(c table.Column) bool { return c.Name == x.shown.Name }) {
		list = append(list, x.shown)
	}
	switch {
	case *x.against != "" && format == "json":
		list = append(list, table.AgainstColumn())
	case *x.against != "":
		list = append(list, table.DifferenceColumns(table.Against)...)
	}
	if x.has(table.IncludeContributions) {
		list = append(list, table.ContributionsColumn())
	}
	return list
}
