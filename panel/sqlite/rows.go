package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// readLabels returns the stored labels by id. Ids begin at 1.
func readLabels(c *conn) []panel.Label {
	list := []panel.Label{{}}
	c.each("SELECT id, retailer_product_id, scraped_name, package_size FROM labels ORDER BY id", func(r row) {
		if r.int(0) != int64(len(list)) {
			c.fail(fmt.Errorf("sqlite: label %d is missing", len(list)))
		}
		list = append(list, panel.Label{Listing: r.int(1), ScrapedName: r.text(2), PackageSize: r.text(3)})
	})
	return list
}

// storedRow is an observation and the id of its label. Its Listing, PackageSize
// and ScrapedName are the label's, and zero until eachNamed sets them.
type storedRow struct {
	label int64
	panel.Observation
}

// check refuses an observation that the rest of the snapshot does not fit.
func (o *storedRow) check(labels int) error {
	if o.label < 1 || o.label >= int64(labels) {
		return fmt.Errorf("sqlite: observation %d: no label %d", o.ID, o.label)
	}
	if int(o.SaleCondition) >= len(panel.SaleConditions) || int(o.RegularSource) >= len(panel.RegularSources) {
		return fmt.Errorf("sqlite: observation %d: no such sale_condition or regular_price_source", o.ID)
	}
	return nil
}

// scanner reads rows of the table observations.
type scanner struct {
	columns []*record.Column[panel.Observation] // those behind label_id
	names   string                              // label_id and the columns, with commas between
}

// newScanner returns a scanner of the named columns; without names, of all.
func newScanner(c *conn, names ...string) *scanner {
	s := &scanner{names: "label_id"}
	for _, column := range observations.stored(c) {
		if names == nil || slices.Contains(names, column.Name) {
			s.columns = append(s.columns, column)
			s.names += ", " + column.Name
		}
	}
	return s
}

// forIndex names the columns that the index needs.
var forIndex = []string{"id", "store_id", "effective_price", "observed_at"}

func (s *scanner) query(rest string) string {
	return "SELECT " + s.names + " FROM observations " + rest
}

func (s *scanner) row(r row, o *storedRow) {
	o.label = r.int(0)
	for i, c := range s.columns {
		c.SetSQL(&o.Observation, r[1+i])
	}
}

// runRows is how many observations are read at a time.
const runRows = 1 << 13

// eachRun calls take with all observations by id, a run of them at a time. take must not keep
// them. The connections read the runs by turns, so that several processors read one file.
func (s *scanner) eachRun(ctx context.Context, take func(rows []storedRow) error, conns ...*conn) error {
	g, ctx := errgroup.WithContext(ctx)
	free := make(chan []storedRow, 2*len(conns)+1)
	read := make([]chan []storedRow, len(conns))
	for k, c := range conns {
		read[k] = make(chan []storedRow, 1)
		g.Go(func() error {
			defer close(read[k])
			last, skip := int64(math.MinInt64), k*runRows
			for {
				var rows []storedRow
				select {
				case rows = <-free:
				default:
					rows = make([]storedRow, 0, runRows)
				}
				rows = s.run(c, rows[:0], last, skip)
				if c.err != nil || len(rows) == 0 {
					return c.err
				}
				last, skip = rows[len(rows)-1].ID, (len(conns)-1)*runRows
				select {
				case read[k] <- rows:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
	}
	g.Go(func() error {
		for turn := 0; ctx.Err() == nil; turn++ {
			rows, more := <-read[turn%len(conns)]
			if !more {
				return nil // no connection has another run
			}
			if err := take(rows); err != nil {
				return err
			}
			free <- rows
		}
		return ctx.Err()
	})
	return g.Wait()
}

// run adds to rows the run that is so many rows behind the one with the id last.
func (s *scanner) run(c *conn, rows []storedRow, last int64, skip int) []storedRow {
	c.each(s.query("WHERE id > ? ORDER BY id LIMIT ? OFFSET ?"), func(r row) {
		rows = append(rows, storedRow{})
		s.row(r, &rows[len(rows)-1])
	}, last, int64(runRows), int64(skip))
	return rows
}

// eachNamed calls f with the rows of a query, in which the members that a label
// has are set. The row is overwritten by the next one.
func eachNamed(c *conn, rest string, labels []panel.Label, f func(o *panel.Observation), args ...driver.Value) {
	scan, o := newScanner(c), storedRow{}
	c.each(scan.query(rest), func(r row) {
		scan.row(r, &o)
		if err := o.check(len(labels)); err != nil {
			c.fail(err)
			return
		}
		l := &labels[o.label]
		o.Listing, o.ScrapedName, o.PackageSize = l.Listing, l.ScrapedName, l.PackageSize
		f(&o.Observation)
	}, args...)
}
