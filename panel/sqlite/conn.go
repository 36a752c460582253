package sqlite

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/mattn/go-sqlite3"
)

// conn is one connection to one SQLite file, used below database/sql: that
// layer's scanning costs more than reading the rows does. It is for one
// goroutine.
type conn struct{ c *sqlite3.SQLiteConn }

const (
	readOnly  = "mode=ro&immutable=1" // of a file that nobody writes to
	readWrite = "mode=rw"
	create    = "mode=rwc"
)

func open(path, mode string) (*conn, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath() + "?_mutex=no&" + mode
	c, err := (&sqlite3.SQLiteDriver{}).Open(dsn)
	if err != nil {
		return nil, err
	}
	return &conn{c.(*sqlite3.SQLiteConn)}, nil
}

func (c *conn) close() error { return c.c.Close() }

// exec runs statements, several at once if they take no arguments.
func (c *conn) exec(query string, args ...driver.Value) error {
	_, err := c.c.Exec(query, args)
	return err
}

// each runs a query and calls f for every row. The row is overwritten by the
// next one.
func (c *conn) each(query string, f func(r row) error, args ...driver.Value) error {
	rows, err := c.c.Query(query, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := make(row, len(rows.Columns()))
	for {
		switch err := rows.Next(r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := f(r); err != nil {
			return err
		}
	}
}

func (c *conn) int(query string, args ...driver.Value) (v int64, err error) {
	err = c.each(query, func(r row) error { v = r.int(0); return nil }, args...)
	return v, err
}

func (c *conn) prepare(query string) (*sqlite3.SQLiteStmt, error) {
	s, err := c.c.Prepare(query)
	if err != nil {
		return nil, fmt.Errorf("%w in %q", err, query)
	}
	return s.(*sqlite3.SQLiteStmt), nil
}

// row is one row of a query's result. NULL reads as the zero value.
type row []driver.Value

func (r row) int(i int) int64 { v, _ := r[i].(int64); return v }

func (r row) text(i int) string { v, _ := r[i].(string); return v }

func (r row) null(i int) bool { return r[i] == nil }
