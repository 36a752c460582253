package releaselog

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// readVersion1 reads a log of schema version 1, which kept changes as columns of differences in
// place of leaves. It writes the leaves anew, and their hashes must be those of the file. The next
// release writes the log in the form of today.
func (c *contents) readVersion1(db *sql.DB) error {
	contexts, err := readContexts(db)
	if err != nil {
		return err
	}
	var cells []*jevons.Cell
	err = query(db, "SELECT level, city, banner, category FROM cells ORDER BY id", func(scan func(...any) error) error {
		var level, category string
		cell := &jevons.Cell{}
		err := scan(&level, &cell.City, &cell.Banner, &category)
		var err1, err2 error
		cell.Level, err1 = jevons.ParseLevel(level)
		cell.Category, err2 = basket.ParseCategory(category)
		cells = append(cells, cell)
		return cmp.Or(err, err1, err2)
	})
	if err != nil {
		return err
	}
	table := state{}
	return query(db, `SELECT number, released_at, snapshot, file, gate_version, method_version, note, accepted, base_week, through,
		context, weeks_added, cells_added, cells_revised, cells_withdrawn, largest_revision, changes, leaf, checkpoint
		FROM releases ORDER BY number`, func(scan func(...any) error) error {
		var r Release
		var at int64
		var context int
		var accepted, leaf, stored []byte
		var largest sql.NullInt64
		if err := scan(&r.Number, &at, &r.Snapshot, &r.File, &r.Gate, &r.Method, &r.Note, &accepted, &r.Base, &r.Through,
			&context, &r.WeeksAdded, &r.CellsAdded, &r.CellsRevised, &r.CellsWithdrawn, &largest, &stored, &leaf, &r.Checkpoint); err != nil {
			return err
		}
		r.At, r.LargestRevision.Fixed = time.Unix(0, at).UTC(), panel.Fixed{Units: largest.Int64, Valid: largest.Valid}
		if context < 1 || context > len(contexts) || r.Number != len(c.releases)+1 {
			return fmt.Errorf("release %s: it or its context is missing", idOf(len(c.releases)+1))
		}
		r.Context = contexts[context-1]
		r.ContextHash = r.Context.hash()
		changes, err := table.decodeVersion1(stored, cells)
		if err := cmp.Or(err, json.Unmarshal(accepted, &r.Accepted)); err != nil {
			return fmt.Errorf("release %s: %w", r.ID(), err)
		}
		text := leafText(&r, changes)
		if r.Leaf = tlog.RecordHash(text); string(r.Leaf[:]) != string(leaf) {
			return fmt.Errorf("release %s: its leaf does not fit what it says", r.ID())
		}
		r.text = deflate(text)
		c.releases = append(c.releases, r)
		return nil
	})
}

// decodeVersion1 reads the changes of a release and makes them. They are columns, each with its
// length before it: differences of weeks and of cells, flags (bits of causes, and 1<<7 for a row that
// goes), bits of nulls, and differences of each figure from the old row, or else from the cell's row
// of the week before.
func (s state) decodeVersion1(stored []byte, cells []*jevons.Cell) (changes []release.Change, err error) {
	const week, cell, flags, nulls, firstFigure, numFigures = 0, 1, 2, 3, 4, 7
	causes := []release.Cause{release.NewWeek, release.AddedRows, release.Quarantine, release.Reference, release.Settings, release.Method}
	damaged := errors.New("its stored changes are damaged")
	text, err := inflate(stored)
	if err != nil {
		return nil, damaged
	}
	var columns [firstFigure + numFigures][]byte
	for i := range columns {
		n, size := binary.Uvarint(text)
		if size <= 0 || n > uint64(len(text)-size) {
			return nil, damaged
		}
		columns[i], text = text[size:size+int(n)], text[size+int(n):]
	}
	next := func(column int) int64 {
		v, n := binary.Varint(columns[column])
		if n <= 0 {
			err = damaged
			return 0
		}
		columns[column] = columns[column][n:]
		return v
	}
	bits := func(column int) (b byte) {
		if len(columns[column]) == 0 {
			err = damaged
			return 0
		}
		b, columns[column] = columns[column][0], columns[column][1:]
		return b
	}
	at, number := panel.Week(0), 0
	for len(columns[flags]) > 0 && err == nil {
		at += panel.Week(next(week))
		if number += int(next(cell)); number < 0 || number >= len(cells) {
			return nil, damaged
		}
		c := release.Change{Week: at, Cell: *cells[number], Old: s[at][*cells[number]]}
		flag := bits(flags)
		for i, cause := range causes {
			if flag&(1<<i) != 0 {
				c.Causes = append(c.Causes, cause)
			}
		}
		if flag&(1<<7) == 0 {
			c.New = &jevons.Row{Week: at, Cell: cells[number]}
			near := cmp.Or(c.Old, s[at.Add(-1)][c.Cell], &jevons.Row{})
			for k, null := 0, bits(nulls); k < numFigures; k++ {
				v, scale := figures[k].Number(near), int64(1)
				if figures[k].Decimals == 0 {
					scale = unitsPerOne
				}
				if !v.Valid {
					v.Units = 0
				}
				if v.Valid = null&(1<<k) == 0; v.Valid {
					v.Units += scale * next(firstFigure+k)
				} else {
					v.Units = 0
				}
				figures[k].Set(c.New, v)
			}
		}
		if err == nil {
			err = s.apply(&c)
		}
		changes = append(changes, c)
	}
	return changes, err
}
