package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
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
	c        *sqlite3.SQLiteConn
	prepared map[string]*sqlite3.SQLiteStmt // by their text: those with arguments, which mostly run again
	args     []driver.NamedValue            // of the statement that starts
	err      error
}

const (
	readOnly  = "mode=ro&immutable=1" // of a file that nobody writes to
	readWrite = "mode=rw"
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
	return &conn{c: c.(*sqlite3.SQLiteConn), prepared: map[string]*sqlite3.SQLiteStmt{}}, nil
}

func (c *conn) close() error {
	for _, s := range c.prepared {
		s.Close()
	}
	return c.c.Close()
}

// fail notes an error, unless there is one already.
func (c *conn) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// query starts a statement; it returns nil after an error.
func (c *conn) query(query string, args []driver.Value) (rows driver.Rows) {
	if c.err != nil {
		return nil
	}
	if len(args) == 0 {
		rows, c.err = c.c.Query(query, nil)
		return rows
	}
	s := c.prepared[query]
	if s == nil {
		var made driver.Stmt
		if made, c.err = c.c.Prepare(query); c.err != nil {
			return nil
		}
		s = made.(*sqlite3.SQLiteStmt)
		c.prepared[query] = s
	}
	c.args = c.args[:0]
	for i, v := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	rows, c.err = s.QueryContext(context.Background(), c.args)
	return rows
}

// exec runs statements, several at once if they take no arguments. One with arguments runs as a query, which
// passes all values to SQLite in one call.
func (c *conn) exec(query string, args ...driver.Value) {
	if c.err == nil && len(args) == 0 {
		_, c.err = c.c.Exec(query, nil)
		return
	}
	rows := c.query(query, args)
	if c.err == nil {
		c.err = rows.Close()
	}
}

// each runs a query and calls f for every row, up to an error. The row is overwritten by the
// next one. f must not run the same query.
func (c *conn) each(query string, f func(r row), args ...driver.Value) {
	rows := c.query(query, args)
	if c.err != nil {
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

// row is one row of a query's result. NULL reads as the zero value.
type row []driver.Value

func (r row) int(i int) int64 { v, _ := r[i].(int64); return v }

func (r row) text(i int) string { v, _ := r[i].(string); return v }

func (r row) null(i int) bool { return r[i] == nil }
