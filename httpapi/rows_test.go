package httpapi_test

import (
	"encoding/json"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestRows compares pages of every kind of rows with those of the library, byte by byte. Clients
// ask at the same time, and the rows are made for the first of them.
func TestRows(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	all, o := f.Snapshots.Current(), jevons.Options{Through: panel.Calendar{}.LastClosed(apitest.Now)}
	index := must(jevons.Compute(all.Panel, jevons.Options{Through: o.Through, Quality: true}))
	rows := must(index.WithContributions(index.Rows))
	index.Rows = rows
	regular := must(jevons.Regular(all.Panel, all.Rows, o))
	coverage := jevons.NewCoverage(all.Rows, index)
	quality, interval, contributions, base := table.QualityColumn(), table.WoWIntervalColumn(), table.ContributionsColumn(), table.BaseColumn()
	meat := jevons.Filter{Level: jevons.City, Categories: []string{"meat"}}
	days := jevons.Filter{City: "Toronto", From: panel.DateOf(2026, 9, 1), To: panel.DateOf(2026, 10, 1)}
	const ofMeat, ofDays = "from=2020-01-01&level=city&category=meat", "city=Toronto&from=2026-09-01&to=2026-10-01"
	for _, c := range []struct {
		x       resource
		query   string
		of      *jevons.Table // nil: cells
		filter  jevons.Filter
		members []table.Column
	}{
		{publicIndexResource, "", index, jevons.Filter{}, table.PublicColumns(&panel.About{})},
		{publicIndexResource, ofMeat + "&include=contributions,quality", index, meat, append(table.PublicColumns(&panel.About{}), quality, contributions)},
		{indexResource, ofMeat, index, meat, table.Columns(&panel.About{})},
		{indexResource, ofDays, index, days, table.Columns(&panel.About{})},
		{indexResource, ofDays + "&banner=northlarch&include=contributions,wow_interval", index, jevons.Filter{Banner: "northlarch", City: days.City, From: days.From, To: days.To}, append(table.Columns(&panel.About{}), interval, contributions)},
		{regularResource, ofMeat, regular, meat, append(table.Columns(&panel.About{}), base)},
		{coverageResource, ofDays, nil, days, nil},
		{coverageResource, ofMeat + "&missing=1", nil, meat, nil},
	} {
		t.Run(c.x.path+" "+c.query, func(t *testing.T) {
			t.Parallel()
			var want []json.RawMessage
			if c.of != nil {
				for _, row := range c.of.Select(c.filter) {
					want = append(want, table.AppendJSON(nil, &row, c.members))
				}
			} else {
				for cell := range coverage.Cells(c.filter, o.Through) {
					if text, _ := json.Marshal(table.CoverageCell{CoverageCell: cell}); cell.Reason != "" || c.query == ofDays {
						want = append(want, text)
					}
				}
			}
			if len(want) == 0 {
				t.Error("there is no row")
			}
			f := f.For(t)
			sameRows(t, c.x.walk(f, f.Key(state.Standard), c.query, func() int { return 1700 }, nil).rows, want)
		})
	}
}
