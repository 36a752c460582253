package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/larder-index/larder/internal/atomicfile"
)

// ErrNotEmpty is returned by Copy for a database that has keys.
var ErrNotEmpty = errors.New("it has keys already")

// tables are those of schema.sql in an order in which each refers to earlier ones only.
var tables = []string{"keys", "sessions", "signin_links", "requests", "quotas", "refusals", "daily_usage"}

// Copied says how much Copy copied.
type Copied struct{ Keys, Requests int64 }

// Copy copies the state of a file into a database that has no key. All of it is there in
// the end, or nothing. Nobody may write to the file meanwhile: open it with Options.Serve,
// which keeps its server away. The error is ErrNotEmpty or one of an engine.
func Copy(ctx context.Context, from, to *DB) (n Copied, err error) {
	if from.engine.postgres || !to.engine.postgres {
		return n, errors.New("state: a state is copied from a file into a PostgreSQL database")
	}
	t, err := to.writer.pool.BeginTx(ctx, nil)
	if err != nil {
		return n, to.wrap(err)
	}
	defer t.Rollback() //nolint:errcheck // it is committed, or there is an error already
	if n, err = copyTables(ctx, from.readers, t); errors.Is(err, ErrNotEmpty) {
		err = atomicfile.Fail("copy state to", to.path, err, "copy into a new one")
	}
	if err == nil {
		err = t.Commit()
	}
	return n, to.wrap(from.wrap(err))
}

func copyTables(ctx context.Context, in *sql.DB, out *sql.Tx) (n Copied, err error) {
	if err := out.QueryRowContext(ctx, "SELECT count(*) FROM keys").Scan(&n.Keys); err != nil {
		return n, err
	}
	if n.Keys > 0 {
		return n, ErrNotEmpty
	}
	for _, table := range tables {
		rows, err := copyTable(ctx, in, out, table)
		if err != nil {
			return n, fmt.Errorf("state: copy %s: %w", table, err)
		}
		switch table {
		case "keys":
			n.Keys = rows
		case "requests":
			n.Requests = rows
		default:
			continue
		}
		// The next id follows those that were copied.
		_, err = out.ExecContext(ctx, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'id'), max(id)) FROM %[1]s HAVING max(id) > 0", table))
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// copyTable copies the rows of a table and returns how many there are.
func copyTable(ctx context.Context, in *sql.DB, out *sql.Tx, table string) (n int64, err error) {
	rows, err := in.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	to, err := out.PrepareContext(ctx, "COPY "+table+" ("+strings.Join(columns, ", ")+") FROM STDIN")
	if err != nil {
		return 0, err
	}
	defer to.Close()
	row, at := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		at[i] = &row[i]
	}
	for ; rows.Next(); n++ {
		err := rows.Scan(at...)
		for i, value := range row {
			if text, ok := value.(string); ok {
				row[i] = storableText(text) // a file's log may have a byte 0 in a query
			}
		}
		if err == nil {
			_, err = to.ExecContext(ctx, row...)
		}
		if err != nil {
			return n, err
		}
	}
	if err := rows.Err(); err != nil {
		return n, err
	}
	_, err = to.ExecContext(ctx) // all rows are sent
	return n, err
}
