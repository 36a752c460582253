package cellfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
)

// batch is how many rows are decoded at once.
const batch = 1024

// Each calls take with every cell and the number of its row, from 1, in the order of
// the file. The cell is overwritten by the next one. Each fails at the first row that
// is no cell, is out of order or repeats a cell, and at the first error of take. It
// holds a few pages of the file in memory.
func (f *File) Each(take func(row int64, c *panel.WeekCell) error) (err error) {
	var row int64
	var last panel.WeekCell
	rows := make([]parquet.Row, batch)
	for _, group := range f.table.RowGroups() {
		if row, err = f.eachOf(group, rows, row, &last, take); err != nil {
			return err
		}
	}
	return nil
}

// eachOf goes through a row group and returns the number of its last row.
func (f *File) eachOf(group parquet.RowGroup, buffer []parquet.Row, row int64, last *panel.WeekCell,
	take func(int64, *panel.WeekCell) error) (_ int64, err error) {
	reading := true // a panic is the decoder's
	defer func() {
		if p := recover(); p != nil {
			if !reading {
				panic(p)
			}
			err = f.unreadable(p)
		}
	}()
	rows := group.Rows()
	defer rows.Close()
	for {
		reading = true
		n, err := rows.ReadRows(buffer)
		reading = false
		if err != nil && !errors.Is(err, io.EOF) {
			return row, f.unreadable(err)
		}
		for _, values := range buffer[:n] {
			row++
			next, bad := f.cell(values)
			if bad == nil {
				bad = cmp.Or(next.Check(), follows(&next, last))
			}
			if bad == nil {
				*last = next
				bad = take(row, &next)
			}
			if bad != nil {
				return row, fmt.Errorf("%s, row %d: %w", f.name, row, bad)
			}
		}
		if err != nil || n == 0 {
			return row, nil
		}
	}
}

// cell returns the cell of a row.
func (f *File) cell(values parquet.Row) (c panel.WeekCell, err error) {
	for i := range columns {
		if at := f.at[i]; at >= 0 && (at >= len(values) || values[at].IsNull()) {
			return c, fmt.Errorf("%s: it is null", columns[i].name)
		}
	}
	number := func(i int) int64 {
		if v := values[f.at[i]]; v.Kind() == parquet.Int64 {
			return v.Int64()
		}
		return int64(values[f.at[i]].Int32())
	}
	if f.at[filtered] >= 0 && number(filtered) < 0 {
		return c, fmt.Errorf("filtered: %d is below 0", number(filtered))
	}
	return panel.WeekCell{
		Listing: number(listing), Store: number(store), Week: panel.Week(number(week)),
		MeanLog: values[f.at[meanLog]].Double(), Prices: number(prices),
	}, nil
}

// follows returns an error unless a cell comes after the one before.
func follows(c, last *panel.WeekCell) error {
	switch order := cmp.Or(cmp.Compare(c.Week, last.Week), cmp.Compare(c.Listing, last.Listing), cmp.Compare(c.Store, last.Store)); {
	case order == 0:
		return fmt.Errorf("there is a cell of listing %d at store %d in the week %s before; keep one", c.Listing, c.Store, c.Week)
	case order < 0:
		return fmt.Errorf("it is out of order; sort the rows by week, listing_id and store_id")
	}
	return nil
}
