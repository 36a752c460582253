package state

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/larder-index/larder/internal/atomicfile"
)

// tables are those of schema.sql in an order in which each refers to earlier ones only.
var tables = []string{"keys", "sessions", "signin_links", "requests", "quotas", "daily_usage"}

// Copied says how much Copy copied.
type Copied struct{ Keys, Requests int64 }

// Copy copies the state of a file into a PostgreSQL database that has no key. All of it is there
// in the end, or nothing. Nobody may write to the file meanwhile: open it with Options.Serve,
// which keeps its server away. The error is ErrNotEmpty or one of an engine.
func Copy(ctx context.Context, from, to *DB) (n Copied, err error) {
	out, err := to.writer.pool.BeginTx(ctx, nil)
	if err != nil {
		return n, to.wrap(err)
	}
	defer out.Rollback() //nolint:errcheck // it is committed, or there is an error already
	t := tx{ctx, out, ""}
	if err = t.row("SELECT count(*) FROM keys").Scan(&n.Keys); err == nil && n.Keys > 0 {
		return n, atomicfile.Fail("copy state to", to.path, ErrNotEmpty, "copy into a new one")
	}
	rows := map[string]int64{}
	for _, table := range tables {
		if err == nil {
			rows[table], err = copyTable(ctx, from.readers, out, table)
		}
	}
	for _, table := range []string{"keys", "requests"} { // the next id follows those that were copied
		if err == nil {
			_, err = t.exec(fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'id'), max(id)) FROM %[1]s HAVING max(id) > 0", table))
		}
	}
	if err == nil {
		err = out.Commit()
	}
	return Copied{rows["keys"], rows["requests"]}, to.wrap(from.wrap(err))
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
	for ; err == nil && rows.Next(); n++ {
		err = rows.Scan(at...)
		for i, value := range row {
			if text, ok := value.(string); ok {
				row[i] = storableText(text) // a file's log may have a byte 0 in a query
			}
		}
		if err == nil {
			_, err = to.ExecContext(ctx, row...)
		}
	}
	if err = cmp.Or(err, rows.Err()); err == nil {
		_, err = to.ExecContext(ctx) // all rows are sent
	}
	return n, err
}
