package client

import (
	"errors"
	"fmt"
	"iter"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// What a Series refuses. Each says what to use instead.
var (
	ErrSplice   = errors.New("v1 and v2 are never spliced: they have different bases, and v1 is not recomputed; show them as two lines, or use v2 alone")
	ErrLevels   = errors.New("levels of several series are not compared: each is 100 in a base week of its own basket; compare changes since one week (table.ViewSince), or dollars (table.ViewCost)")
	ErrCosts    = errors.New("dollars of different categories are not compared: they buy different baskets; compare changes since one week (table.ViewSince)")
	ErrCompound = errors.New("weekly changes are not compounded: each is measured on the products priced in both of its weeks; use Series.Change, which divides two levels")
)

// Series is the rows of one cell, in the order of their weeks. All are of v2 or all of v1, and all
// were answered from one release. The zero value has no rows.
type Series struct {
	Cell    jevons.Cell
	Name    string // v2 or v1
	Release string // id; empty where the publisher keeps no release log
	table   jevons.Table
}

// Collect returns the series of rows, in the order in which they begin. The error is that of
// the rows, or says that a week comes twice.
func Collect(rows iter.Seq2[Row, error]) ([]*Series, error) {
	var list []*Series
	of := map[string]*Series{}
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		name := r.Series + " " + r.Cell.String()
		if of[name] == nil {
			of[name] = &Series{}
			list = append(list, of[name])
		}
		if err := of[name].Append(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Append adds a later row. It refuses a row of v1 beside v2 ([ErrSplice]), a row of another
// cell ([ErrLevels]), and one of another release.
func (s *Series) Append(r Row) error {
	rows := s.table.Rows
	switch {
	case len(rows) == 0:
		s.Cell, s.Name, s.Release = *r.Cell, r.Series, r.Release
	case r.Series != s.Name:
		return fmt.Errorf("%s, week %s: %w", r.Cell, r.Week, ErrSplice)
	case *r.Cell != s.Cell:
		return fmt.Errorf("%s does not go on as %s: %w", s.Cell, r.Cell, ErrLevels)
	case r.Release != s.Release:
		return fmt.Errorf("%s, week %s: %w (%s and %s)", r.Cell, r.Week, ErrChanged, s.Release, r.Release)
	case r.Week <= rows[len(rows)-1].Week:
		return fmt.Errorf("%s: week %s does not come after %s", r.Cell, r.Week, rows[len(rows)-1].Week)
	}
	r.Cell = &s.Cell
	s.table.Rows = append(rows, r.Row)
	return nil
}

// Rows returns the rows. The caller must not change them.
func (s *Series) Rows() []jevons.Row { return s.table.Rows }

// Level returns the published level of a week. It fails for a week without a row.
func (s *Series) Level(week panel.Week) (panel.Fixed, error) {
	values, err := Compare(table.ViewIndex, week, 0, s)
	return values[0], err
}

// Change returns the change in percent from one week to another, from the two published
// levels, as view=since of the server does. It fails where a level is not published.
func (s *Series) Change(from, to panel.Week) (panel.Fixed, error) {
	values, err := Compare(table.ViewSince, to, from, s)
	return values[0], err
}

// Compound refuses to chain the weekly changes between two weeks. The error is
// [ErrCompound], and has the change between the levels where there is one.
func (s *Series) Compound(from, to panel.Week) error {
	change, err := s.Change(from, to)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCompound, err)
	}
	return fmt.Errorf("%w: it gives %s%% from %s to %s", ErrCompound, change, from, to)
}

// Compare returns the values of series in one week, one for each: changes since a week, in 52
// weeks or in four in percent, or dollars. since is the week of table.ViewSince, and 0
// for other views. A value that is not published is null. It refuses levels of several
// series ([ErrLevels]), dollars of different categories ([ErrCosts]), and v1 beside v2
// ([ErrSplice]). It fails for a series without a row in the week. With an error, all values are
// null.
func Compare(view table.View, week, since panel.Week, list ...*Series) ([]panel.Fixed, error) {
	null, values := make([]panel.Fixed, len(list)), make([]panel.Fixed, len(list))
	for i, s := range list {
		first := list[0]
		switch {
		case s.Name != first.Name:
			return null, fmt.Errorf("%s and %s: %w", first.Cell, s.Cell, ErrSplice)
		case s.Release != first.Release:
			return null, fmt.Errorf("%s and %s: %w (%s and %s)", first.Cell, s.Cell, ErrChanged, first.Release, s.Release)
		case view == table.ViewIndex && s.Cell != first.Cell:
			return null, fmt.Errorf("%s and %s: %w", first.Cell, s.Cell, ErrLevels)
		case view == table.ViewCost && s.Cell.Category != first.Cell.Category:
			return null, fmt.Errorf("%s and %s: %w", first.Cell, s.Cell, ErrCosts)
		}
		row := s.table.Find(week, s.Cell)
		if row == nil {
			return null, fmt.Errorf("%s has no row in the week %s: nothing is filled in; choose a week that Rows has", s.Cell, week)
		}
		column, err := table.ViewColumn(&s.table, view, since, []jevons.Cell{s.Cell})
		if err != nil {
			return null, err
		}
		values[i] = column.Number(row)
	}
	return values, nil
}
