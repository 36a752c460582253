package httpapi_test

import (
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// demoTable computes the demo's rows from its data, without a snapshot.
func demoTable(t *testing.T, compute func(*panel.Panel, jevons.Options) (*jevons.Table, error), o jevons.Options) (*jevons.Table, *panel.Panel) {
	d, _ := apitest.Demo()
	p, err := d.Panel()
	if err != nil {
		t.Fatal(err)
	}
	o.Through = panel.LastClosed(apitest.Now)
	table, err := compute(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return table, p
}

// wantRows compares rows with those of a table, in JSON.
func wantRows(t *testing.T, about string, got walked, want []jevons.Row, columns []jevons.Column) {
	t.Helper()
	if len(got.rows) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d rows, want %d", about, len(got.rows), len(want))
	}
	for i, row := range got.rows {
		if text := string(jevons.AppendJSON(nil, &want[i], columns)); string(row) != text {
			t.Fatalf("%s, row %d: %s, want %s", about, i, row, text)
		}
	}
}

// Rows with what is included are those of the library, page by page. Clients ask at
// once, and the first of them have the rows made.
func TestIncludedRows(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	table, p := demoTable(t, jevons.Compute, jevons.Options{Quality: true})
	all, err := table.WithContributions(p, table.Rows)
	if err != nil {
		t.Fatal(err)
	}
	quality, contributions := jevons.QualityColumn(), jevons.ContributionsColumn()
	for _, x := range []resource{publicIndexResource, indexResource} {
		for query, include := range map[string][]jevons.Column{
			"include=quality":                            {quality},
			"include=contributions":                      {contributions},
			"include=contributions,quality":              {quality, contributions},
			"city=Toronto&include=quality":               {quality},
			"level=city&include=contributions%2Cquality": {quality, contributions},
		} {
			t.Run(x.path+" "+query, func(t *testing.T) {
				t.Parallel()
				var want []jevons.Row
				for _, r := range all {
					if (!strings.Contains(query, "Toronto") || r.Cell.City == "Toronto") && (!strings.Contains(query, "level") || r.Cell.Level == jevons.City) {
						want = append(want, r)
					}
				}
				f := f.For(t)
				got := x.walk(f, f.Key(state.Standard), "from=2020-01-01&"+query, func() int { return 1700 }, nil)
				wantRows(t, query, got, want, append(x.columns(), include...))
			})
		}
	}
}
