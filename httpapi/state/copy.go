package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

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
	conn, err := to.writer.pool.Conn(ctx)
	if err != nil {
		return n, to.wrap(err)
	}
	defer conn.Close()
	err = conn.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(out pgx.Tx) error {
			n = Copied{}
			var keys int64
			if err := out.QueryRow(ctx, "SELECT count(*) FROM keys").Scan(&keys); err != nil {
				return err
			}
			if keys > 0 {
				return atomicfile.Fail("copy state to", to.path, ErrNotEmpty, "copy into a new one")
			}
			for _, table := range tables {
				rows, err := copyTable(ctx, from.readers, out, table)
				if err != nil {
					return fmt.Errorf("state: copy %s: %w", table, err)
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
				_, err = out.Exec(ctx, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'id'), max(id)) FROM %[1]s HAVING max(id) > 0", table))
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	return n, to.wrap(from.wrap(err))
}

// copyTable copies the rows of a table and returns how many there are.
func copyTable(ctx context.Context, in *sql.DB, out pgx.Tx, table string) (n int64, err error) {
	rows, err := in.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	return out.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		row, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			at[i] = &row[i]
		}
		err := rows.Scan(at...)
		for i, value := range row {
			if text, ok := value.(string); ok {
				row[i] = storableText(text) // a file's log may have a byte 0 in a query
			}
		}
		return row, err
	}))
}
