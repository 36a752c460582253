package sqlite

import (
	"database/sql/driver"
	"fmt"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// readLabels returns the stored labels by id. Ids begin at 1.
func readLabels(c *conn) ([]panel.Label, error) {
	list := []panel.Label{{}}
	err := c.each("SELECT id, retailer_product_id, scraped_name, package_size FROM labels ORDER BY id", func(r row) error {
		if r.int(0) != int64(len(list)) {
			return fmt.Errorf("sqlite: label %d is missing", len(list))
		}
		list = append(list, panel.Label{Listing: r.int(1), ScrapedName: r.text(2), PackageSize: r.text(3)})
		return nil
	})
	return list, err
}

// storedRow is an observation and the id of its label. Its Listing, PackageSize
// and ScrapedName are the label's, and zero until named sets them.
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
		return errNoSuchWord(o.ID)
	}
	return nil
}

func errNoSuchWord(id int64) error {
	return fmt.Errorf("sqlite: observation %d: no such sale_condition or regular_price_source", id)
}

// scanner reads rows of the table observations.
type scanner struct {
	columns []*record.Column[panel.Observation] // those behind label_id
	names   string                              // label_id and the columns, with commas between
}

func newScanner(c *conn) (*scanner, error) {
	columns, names, err := observations.stored(c)
	return &scanner{columns, "label_id, " + names}, err
}

func (s *scanner) query(rest string) string {
	return "SELECT " + s.names + " FROM observations " + rest
}

func (s *scanner) row(r row, o *storedRow) {
	o.label = r.int(0)
	for i, c := range s.columns {
		c.SetSQL(&o.Observation, r[1+i])
	}
}

// eachNamed calls f with the rows of a query, in which the members that a label
// has are set. The row is overwritten by the next one.
func eachNamed(c *conn, rest string, labels []panel.Label, f func(o *panel.Observation) error, args ...driver.Value) error {
	scan, err := newScanner(c)
	if err != nil {
		return err
	}
	var o storedRow
	return c.each(scan.query(rest), func(r row) error {
		scan.row(r, &o)
		if err := o.check(len(labels)); err != nil {
			return err
		}
		l := &labels[o.label]
		o.Listing, o.ScrapedName, o.PackageSize = l.Listing, l.ScrapedName, l.PackageSize
		return f(&o.Observation)
	}, args...)
}
