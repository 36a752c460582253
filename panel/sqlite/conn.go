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
// goroutine. After the first error it does nothing more, so that callers look at
// err once: whoever publishes or returns what was read does.
type conn struct {
	c   *sqlite3.SQLiteConn
	err error
}

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
	return &conn{c: c.(*sqlite3.SQLiteConn)}, nil
}

func (c *conn) close() error { return c.c.Close() }

// fail notes an error, unless there is one already.
func (c *conn) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// exec runs statements, several at once if they take no arguments.
func (c *conn) exec(query string, args ...driver.Value) {
	if c.err == nil {
		_, c.err = c.c.Exec(query, args)
	}
}

// each runs a query and calls f for every row, up to an error. The row is overwritten by the
// next one.
func (c *conn) each(query string, f func(r row), args ...driver.Value) {
	if c.err != nil {
		return
	}
	rows, err := c.c.Query(query, args)
	if err != nil {
		c.err = err
		return
	}
	defer rows.Close()
	r := make(row, len(rows.Columns()))
	for c.err == nil {
		if err := rows.Next(r); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			c.err = err
			return
		}
		f(r)
	}
}

func (c *conn) int(query string, args ...driver.Value) (v int64) {
	c.each(query, func(r row) { v = r.int(0) }, args...)
	return v
}

// prepare returns a statement, nil after an error.
func (c *conn) prepare(query string) *sqlite3.SQLiteStmt {
	if c.err != nil {
		return nil
	}
	s, err := c.c.Prepare(query)
	if err != nil {
		c.err = fmt.Errorf("%w in %q", err, query)
		return nil
	}
	return s.(*sqlite3.SQLiteStmt)
}

// row is one row of a query's result. NULL reads as the zero value.
type row []driver.Value

func (r row) int(i int) int64 { v, _ := r[i].(int64); return v }

func (r row) text(i int) string { v, _ := r[i].(string); return v }

func (r row) null(i int) bool { return r[i] == nil }
