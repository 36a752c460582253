package sqlite

import (
	"fmt"

	"github.com/larder-index/larder/panel"
)

// scanner reads rows of the table observations.
type scanner struct {
	columns []*panel.Column[panel.Observation] // those behind label_id
	names   string                             // label_id and the columns, with commas between
}

func newScanner(c *conn) (*scanner, error) {
	columns, names, err := observations.stored(c)
	return &scanner{columns, "label_id, " + names}, err
}

// query returns a query for rows that the scanner reads.
func (s *scanner) query(rest string) string {
	return "SELECT " + s.names + " FROM observations " + rest
}

// row reads a row.
func (s *scanner) row(r row, o *storedRow) {
	o.label = r.int(0)
	for i, c := range s.columns {
		c.Restore(&o.Observation, r[1+i])
	}
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

// named sets the members of the observation that its label has.
func (o *storedRow) named(labels []panel.Label) error {
	if err := o.check(len(labels)); err != nil {
		return err
	}
	l := &labels[o.label]
	o.Listing, o.ScrapedName, o.PackageSize = l.Listing, l.ScrapedName, l.PackageSize
	return nil
}
