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
}

func newStoredRows(c *conn, scan *scanner) (*storedRows, error) {
	stmt, err := c.prepare(scan.query("WHERE id >= ? ORDER BY id"))
	if err != nil {
		return nil, err
	}
	return &storedRows{stmt: stmt, row: make(row, 1+len(scan.columns))}, nil
}

// find returns the row with the id, or nil. The row is valid until the next
// call.
func (s *storedRows) find(id int64) (row, error) {
	if s == nil {
		return nil, nil
	}
	if s.rows != nil && s.before(id) {
		if err := s.step(s.row.int(1) + 1); err != nil {
			return nil, err
		}
	}
	if s.rows == nil || id < s.from || s.before(id) {
		s.stop()
		var err error
		s.rows, err = s.stmt.QueryContext(context.Background(), []driver.NamedValue{{Ordinal: 1, Value: id}})
		if err != nil {
			return nil, err
		}
		if err := s.step(id); err != nil {
			return nil, err
		}
	}
	if s.end || s.row.int(1) != id {
		return nil, nil
	}
	return s.row, nil
}

// before reports whether the walk has yet to reach an id.
func (s *storedRows) before(id int64) bool { return !s.end && s.row.int(1) < id }

// step walks to the next row. No row lies from the given id to that one.
func (s *storedRows) step(from int64) error {
	err := s.rows.Next(s.row)
	s.from, s.end = from, errors.Is(err, io.EOF)
	if s.end {
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
type idSet map[int64]uint64

// add adds an id. It returns false if the id is there already.
func (s idSet) add(id int64) bool {
	run, bit := s[id>>6], uint64(1)<<(id&63)
	s[id>>6] = run | bit
	return run&bit == 0
}

func (s idSet) has(id int64) bool { return s[id>>6]>>(id&63)&1 != 0 }
