package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/larder-index/larder/internal/atomicfile"
)

// ErrNotEmpty is returned by Copy for a target that has keys.
var ErrNotEmpty = errors.New("it has keys already")

// tables are those of schema.sql in an order in which each refers to earlier ones only.
var tables = []string{"keys", "sessions", "signin_links", "requests", "quotas", "refusals", "daily_usage"}

// Copied says how much Copy copied.
type Copied struct{ Keys, Requests int64 }

// copyRows is how many rows one statement inserts. SQLite takes 32,766 values.
const copyRows = 500

// Copy copies a state into another that has no key: a file into a database, or the other way. All
// of it is there in the end, or nothing. Nobody may write to the source meanwhile: open a file
// with Options.Serve, which keeps its server away. The error is ErrNotEmpty or one of an engine.
func Copy(ctx context.Context, from, to *DB) (n Copied, err error) {
	in, err := from.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: from.engine.steady()})
	if err != nil {
		return n, from.wrap(err)
	}
	defer in.Rollback() //nolint:errcheck // it only reads
	out, err := to.writer.pool.BeginTx(ctx, nil)
	if err != nil {
		return n, to.wrap(err)
	}
	defer out.Rollback() //nolint:errcheck // it is committed, or there is an error already
	var keys int64
	if err := out.QueryRowContext(ctx, "SELECT count(*) FROM keys").Scan(&keys); err != nil || keys > 0 {
		if err == nil {
			err = atomicfile.Fail("copy state to", to.path, ErrNotEmpty, "copy into a new one")
		}
		return n, to.wrap(err)
	}
	for _, table := range tables {
		rows, err := copyTable(ctx, in, out, table)
		if err != nil {
			return n, fmt.Errorf("state: copy %s: %w", table, to.wrap(from.wrap(err)))
		}
		switch table {
		case "keys":
			n.Keys = rows
		case "requests":
			n.Requests = rows
		}
		if to.engine.postgres && (table == "keys" || table == "requests") { // the next id
			_, err := out.ExecContext(ctx, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'id'), max(id)) FROM %[1]s HAVING max(id) > 0", table))
			if err != nil {
				return n, to.wrap(err)
			}
		}
	}
	return n, to.wrap(out.Commit())
}

// steady is the isolation in which several queries see one moment.
func (e engine) steady() sql.IsolationLevel {
	if e.postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault
}

// copyTable copies the rows of a table and returns how many there are.
func copyTable(ctx context.Context, in, out *sql.Tx, table string) (n int64, err error) {
	rows, err := in.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	var values []any
	insert := func() error {
		if len(values) == 0 {
			return nil
		}
		_, err := out.ExecContext(ctx, insertion(table, columns, len(values)/len(columns)), values...)
		values = values[:0]
		return err
	}
	for ; rows.Next(); n++ {
		row, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			at[i] = &row[i]
		}
		if err := rows.Scan(at...); err != nil {
			return n, err
		}
		for i, value := range row {
			if text, ok := value.(string); ok {
				row[i] = storableText(text) // a file's log may have a byte 0 in a query
			}
		}
		if values = append(values, row...); len(values) == copyRows*len(columns) {
			if err := insert(); err != nil {
				return n, err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return n, err
	}
	return n, insert()
}

// insertion returns the statement that inserts so many rows.
func insertion(table string, columns []string, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", table, strings.Join(columns, ", "))
	for i := range rows * len(columns) {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	return b.String() + ")"
}
