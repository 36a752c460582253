package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/larder-index/larder/panel"
)

// printHealth writes when every banner was last seen in every city, and the
// weeks in which nothing was collected.
func (r *check) printHealth(w io.Writer) error {
	h := r.health
	fmt.Fprintf(w, "\nhealth of collection on %s, over %d rows of all banners, filtered ones included\n",
		panel.DateIn(r.now, panel.Toronto), h.Rows)
	var rows [][]string
	for i := range h.Places {
		p := &h.Places[i]
		last := "never"
		if !p.Last.IsZero() {
			last = p.Last.In(panel.Toronto).Format("2006-01-02 15:04")
		}
		rows = append(rows, []string{p.Banner, p.City, last, fmt.Sprint(p.Stores), fmt.Sprint(p.Stores - len(p.Silent))})
	}
	columns := []column{
		left("banner"), left("city"), left("last seen"), right("active stores"), right(fmt.Sprintf("seen in %d days", panel.SilentDays)),
	}
	if err := printColumns(w, columns, rows); err != nil {
		return err
	}
	return r.printGaps(w)
}

func (r *check) printGaps(w io.Writer) error {
	h := r.health
	if h.First == 0 {
		_, err := fmt.Fprintln(w, "\nno closed week has any row")
		return err
	}
	if len(h.Gaps) == 0 {
		_, err := fmt.Fprintf(w, "\nno week from %s to %s is missing anywhere\n", h.First, h.Last)
		return err
	}
	newest := slices.Clone(h.Gaps)
	slices.SortStableFunc(newest, func(a, b panel.Gap) int { return int(b.To - a.To) })
	var rows [][]string
	for _, g := range newest[:min(len(newest), 2*mostShown)] {
		row := []string{"everywhere", "all", g.From.String(), g.To.String(), fmt.Sprint(g.Weeks())}
		if g.City != "" {
			row[0] = g.City
		}
		if g.Banner != "" {
			row[1] = g.Banner
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(w, "\nweeks without any row, from %s to %s, newest first\n", h.First, h.Last)
	columns := []column{left("city"), left("banner"), left("from"), left("to"), right("weeks")}
	if err := printColumns(w, columns, rows); err != nil {
		return err
	}
	return printMore(w, len(newest)-2*mostShown)
}
