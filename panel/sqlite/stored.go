package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/mattn/go-sqlite3"
)

// storedRows finds observations of the old snapshot by id. No row has an id above last.
type storedRows struct {
	stmt *sqlite3.SQLiteStmt
	row  row
	last int64
}

func newStoredRows(c *conn, scan *scanner) (*storedRows, error) {
	last, err := c.int("SELECT max(id) FROM observations")
	if err != nil {
		return nil, err
	}
	stmt, err := c.prepare(scan.query("WHERE id = ?"))
	return &storedRows{stmt: stmt, row: make(row, 1+len(scan.columns)), last: last}, err
}

// find returns the row with the id, or nil. The row is valid until the next call.
func (s *storedRows) find(id int64) (row, error) {
	if s == nil || id > s.last {
		return nil, nil
	}
	rows, err := s.stmt.QueryContext(context.Background(), []driver.NamedValue{{Ordinal: 1, Value: id}})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if err := rows.Next(s.row); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return s.row, nil
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
