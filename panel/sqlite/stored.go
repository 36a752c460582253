package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/mattn/go-sqlite3"
)

// storedRows finds observations of the old snapshot by id. For ascending ids it
// walks along the table and reads no row twice.
type storedRows struct {
	stmt *sqlite3.SQLiteStmt // rows from an id on
	rows driver.Rows         // nil: not started
	row  row                 // where the walk is
	end  bool                // the walk is past the last row
	from int64               // no row lies from here to row
	max  int64               // the largest id
}

// maxSteps is the number of rows to walk over before looking the id up.
const maxSteps = 200

func newStoredRows(c *conn, scan *scanner) (*storedRows, error) {
	top, err := c.int("SELECT coalesce(max(id), 0) FROM observations")
	if err != nil {
		return nil, err
	}
	stmt, err := c.prepare(scan.query("WHERE id >= ? ORDER BY id"))
	if err != nil {
		return nil, err
	}
	return &storedRows{stmt: stmt, max: top, row: make(row, 1+len(scan.columns))}, nil
}

// find returns the row with the id, or nil. The row is valid until the next
// call.
func (s *storedRows) find(id int64) (row, error) {
	if s == nil || id > s.max {
		return nil, nil
	}
	if s.rows == nil || id < s.from {
		if err := s.seek(id); err != nil {
			return nil, err
		}
	}
	for steps := 0; !s.end && s.row.int(1) < id; steps++ {
		var err error
		if steps < maxSteps {
			err = s.step()
		} else {
			err = s.seek(id)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.end || s.row.int(1) != id {
		return nil, nil
	}
	return s.row, nil
}

// seek starts the walk at the first row from an id on.
func (s *storedRows) seek(id int64) (err error) {
	s.stop()
	s.rows, err = s.stmt.QueryContext(context.Background(), []driver.NamedValue{{Ordinal: 1, Value: id}})
	if err != nil {
		return err
	}
	s.end = false
	if err := s.step(); err != nil {
		return err
	}
	s.from = id
	return nil
}

// step walks to the next row.
func (s *storedRows) step() error {
	if s.row[1] != nil {
		s.from = s.row.int(1) + 1
	}
	err := s.rows.Next(s.row)
	if errors.Is(err, io.EOF) {
		s.end = true
		return nil
	}
	return err
}

func (s *storedRows) stop() {
	if s.rows != nil {
		s.rows.Close()
		s.rows = nil
	}
}

func (s *storedRows) close() {
	s.stop()
	s.stmt.Close()
}

// idSet is a set of ids above 0, in runs of 64: small when ids are dense, as
// they usually are.
type idSet struct {
	runs map[int64]*uint64
	last *uint64 // the run used last
	at   int64   // and its number
}

func (s *idSet) run(id int64, make bool) *uint64 {
	n := id >> 6
	if s.last != nil && s.at == n {
		return s.last
	}
	r := s.runs[n]
	if r == nil {
		if !make {
			return nil
		}
		if s.runs == nil {
			s.runs = map[int64]*uint64{}
		}
		r = new(uint64)
		s.runs[n] = r
	}
	s.last, s.at = r, n
	return r
}

// add adds an id; false if it is there.
func (s *idSet) add(id int64) bool {
	r, bit := s.run(id, true), uint64(1)<<(id&63)
	if *r&bit != 0 {
		return false
	}
	*r |= bit
	return true
}

func (s *idSet) has(id int64) bool {
	r := s.run(id, false)
	return r != nil && *r&(1<<(id&63)) != 0
}
