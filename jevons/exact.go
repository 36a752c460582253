package jevons

import (
	"fmt"
	"maps"
	"slices"

	"github.com/larder-index/larder/jevons/internal/lanes"
)

// Exact returns the levels of rows of the table before they were rounded: 100 * exp(rho), with a relative error
// below 1e-13. The relatives behind a level are those of Explain, which are not rounded.
// Changes other than a headline's WoW are ratios of published levels, so they have no other digits.
func (t *Table) Exact(rows []Row) ([]float64, error) {
	if err := t.readable(); err != nil {
		return nil, err
	}
	e, of := *t.engine, map[question][]int{} // with workers of its own
	for i := range rows {
		row := t.Find(rows[i].Week, *rows[i].Cell)
		if row == nil || !row.Same(&rows[i]) {
			return nil, fmt.Errorf("jevons: row %d is not of the table: %s, week %s", i, rows[i].Cell, rows[i].Week)
		}
		q := question{}
		q.week, _ = e.week(row.Week)
		q.base, _ = e.week(row.Base)
		of[q] = append(of[q], i)
	}
	levels, questions := make([]float64, len(rows)), slices.Collect(maps.Keys(of))
	e.each(len(questions), func(w *worker, i int) {
		q := questions[i]
		e.aggregate(w, 0, weeks{now: e.logs[q.week : q.week+1], before: e.none, base: e.logs[q.base]})
		for _, k := range of[q] {
			g, _ := e.geography(*rows[k].Cell)
			rho, _ := w.rho(rows[k].Cell.Category.Index(), g, 0, lanes.Relatives)
			levels[k] = 100 * lanes.Exp(rho)
		}
	})
	return levels, nil
}
