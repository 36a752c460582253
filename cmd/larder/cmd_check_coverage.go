package main

import (
	"fmt"
	"io"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// printCoverage writes what the index has: its weeks, and how much of the
// basket each city prices, newest weeks last.
func (r *check) printCoverage(w io.Writer) error {
	const shown = 8
	p, closed := r.Panel, panel.LastClosed(r.now)
	weeks := p.Weeks()
	if len(weeks) > 0 {
		fmt.Fprintf(w, "\nbase week %s; %d weeks with prices, %s to %s; last closed week %s\n",
			p.BaseWeek(), len(weeks), weeks[0], weeks[len(weeks)-1], closed)
	}
	last := len(weeks)
	for last > 0 && weeks[last-1] > closed {
		last--
	}
	first := max(0, last-shown)
	columns := []column{left("city"), left("entry week"), left("last published"), right("stores")}
	for _, week := range weeks[first:last] {
		columns = append(columns, right(week.String()[5:]))
	}
	var rows [][]string
	for _, c := range p.Coverage() {
		row := []string{c.City, noValue, noValue, noValue}
		if published := r.table.Select(jevons.Filter{Level: jevons.City, City: c.City, Categories: headline}); len(published) > 0 {
			row[1], row[2] = published[0].Week.String(), published[len(published)-1].Week.String()
		}
		if last > 0 {
			row[3] = fmt.Sprint(c.Stores[last-1])
		}
		for k := first; k < last; k++ {
			row = append(row, fmt.Sprintf("%d%%", 100*c.Products[k]/max(1, p.ActiveProducts())))
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(w, "\ncoverage: share of the %d active products priced, by city and week\n", p.ActiveProducts())
	return printColumns(w, columns, rows)
}
