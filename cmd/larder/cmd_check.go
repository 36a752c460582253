package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) checkCommand() *cobra.Command {
	var db string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify a snapshot and report what is in it",
		Long: `Verifies that the snapshot is byte for byte as it was published, and reports
what it holds: rows of each table, what the index leaves out and why, missing
weeks, and the coverage of every city in its latest weeks.`,
		Example: `  larder check --db larder.db
  larder check`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			now, err := a.clock()
			if err != nil {
				return err
			}
			path, err := a.snapshotPath(cmd.Context(), db, now)
			if err != nil {
				return err
			}
			info, err := sqlite.Check(path)
			if err != nil {
				return err
			}
			p, err := sqlite.Load(cmd.Context(), path)
			if err != nil {
				return err
			}
			table, err := a.table(p, "v2", now)
			if err != nil {
				return err
			}
			if err := reportSnapshot(a.stdout, info); err != nil {
				return err
			}
			if err := reportCounts(a.stdout, p.Counts()); err != nil {
				return err
			}
			reportWeeks(a.stdout, p, now)
			return reportCities(a.stdout, p, table, now)
		},
	}
	dbFlag(cmd, &db)
	return cmd
}

func reportSnapshot(w io.Writer, info sqlite.Info) error {
	fmt.Fprintf(w, "snapshot %s\n%d bytes, schema %d, seal intact: sha256 %s\n", info.Path, info.Bytes, info.SchemaVersion, info.Hash)
	if !info.First.IsZero() {
		fmt.Fprintf(w, "observed from %s to %s\n", info.First.Format(time.RFC3339), info.Last.Format(time.RFC3339))
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, t := range info.Rows {
		rows = append(rows, []string{t.Table, fmt.Sprint(t.Rows)})
	}
	return printColumns(w, []column{left("table"), right("rows")}, rows)
}

func reportCounts(w io.Writer, c panel.Counts) error {
	fmt.Fprintln(w)
	return printColumns(w, []column{left("observations in the index"), right("rows")}, [][]string{
		{"left out: inactive store", fmt.Sprint(c.InactiveStore)},
		{"left out: retired mapping", fmt.Sprint(c.RetiredMapping)},
		{"left out: inactive product", fmt.Sprint(c.InactiveProduct)},
		{"left out: banner outside the index", fmt.Sprint(c.OutsideIndex)},
		{"left out: quarantined", fmt.Sprint(c.Quarantined)},
		{"left out: not the product by title or size", fmt.Sprint(c.FailsIdentity)},
		{"used", fmt.Sprint(c.Used)},
		{"all", fmt.Sprint(c.Observations)},
	})
}

func reportWeeks(w io.Writer, p *panel.Panel, now time.Time) {
	weeks := p.Weeks()
	if len(weeks) == 0 {
		fmt.Fprintln(w, "\nno week has a price that counts in the index")
		return
	}
	fmt.Fprintf(w, "\nbase week %s; %d weeks with prices, %s to %s; last closed week %s\n",
		p.BaseWeek(), len(weeks), weeks[0], weeks[len(weeks)-1], panel.LastClosed(now))
	if !p.HasWeek(p.BaseWeek()) {
		fmt.Fprintln(w, "no price counts in the base week, so no category can be published; see base_week in settings.csv")
	}
	if missing := p.MissingWeeks(); len(missing) > 0 {
		fmt.Fprintf(w, "weeks without any price: %v\n", missing)
	}
}

// reportCities prints each city's coverage, newest weeks last.
func reportCities(w io.Writer, p *panel.Panel, table *jevons.Table, now time.Time) error {
	const shown = 8
	weeks := p.Weeks()
	last := len(weeks)
	for last > 0 && weeks[last-1] > panel.LastClosed(now) {
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
		if published := table.Select(jevons.Filter{Level: jevons.City, City: c.City, Categories: headline}); len(published) > 0 {
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
