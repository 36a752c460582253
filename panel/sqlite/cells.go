package sqlite

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/cellfile"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/onefile"
)

// The table cells has thousands of cells in a row, as stepping from row to row costs
// more than reading them. All numbers but the mean are varints as in encoding/binary.
// Each cell has
//
//	listing  less the one before
//	store    its id
//	mean     the mean log price, the eight bytes of a float64, little-endian
//	prices   how many

//go:embed cells.sql
var cellsSchema string

// cellsPerPart is the number of cells in one row of the table. The last row of a week
// may have fewer.
const cellsPerPart = 8192

var errCells = errors.New("the cells can't be read")

// openSources opens the folder to import and the file of cells, if one is named.
func openSources(dir, cells string) (*csvdir.Dir, *cellfile.File, error) {
	if cells == "" {
		src, err := csvdir.Open(dir)
		return src, nil, err
	}
	src, err := csvdir.OpenWithCells(dir)
	if err != nil {
		return nil, nil, err
	}
	file, err := cellfile.Open(cells)
	return src, file, err
}

// admit fails if cells are to go into a snapshot of observations or the other way
// round. It makes a new snapshot one of cells.
func (w *work) admit(cells bool) error {
	fail := func(err error, hint string) error { return onefile.Fail("import into", w.db, err, hint) }
	switch {
	case w.old != nil && w.old.cells && !cells:
		return fail(panel.ErrCells, "import the cells of all weeks again, with --cells")
	case w.old != nil && !w.old.cells && cells:
		return fail(errors.New("it has single prices, and cells don't go with them"), "import the cells into a new file")
	case cells:
		return w.conn.exec(cellsSchema)
	}
	return nil
}

// cells imports the file of cells. Its cells take the place of all that are there.
func (im *importer) cells() error {
	p, err := newCellPacker(im)
	if err != nil {
		return err
	}
	rows := im.cellFile.Rows()
	err = im.cellFile.Each(func(row int64, c *panel.WeekCell) error {
		if row%cellsPerPart == 0 {
			if err := im.ctx.Err(); err != nil {
				return err
			}
			im.report(im.done + int64(float64(row)/float64(rows)*float64(im.cellFile.Size())))
		}
		return p.add(c)
	})
	im.done += im.cellFile.Size()
	if err != nil {
		return fmt.Errorf("sqlite: nothing imported: %w", err)
	}
	return p.finish()
}

// cellPacker packs cells into the table, in the order of week, listing and store.
type cellPacker struct {
	*importer
	counts  *Counts
	banners map[string]int32
	listing map[int64]int32 // by id: the number of its banner
	store   map[int64]int32

	week        panel.Week
	part, cells int // the part at hand, and how many cells it has
	total       int // cells of the week
	last        int64
	packed      []byte
	same        bool                // the week is as it was so far
	old         map[panel.Week]bool // weeks that are there and did not come yet
	was         bool                // the week was there
}

func newCellPacker(im *importer) (*cellPacker, error) {
	p := &cellPacker{
		importer: im, counts: im.count("cells"), old: map[panel.Week]bool{},
		banners: map[string]int32{}, listing: map[int64]int32{}, store: map[int64]int32{},
	}
	for key := range im.refs.banners {
		p.banners[key] = int32(len(p.banners))
	}
	for id, l := range im.refs.listings {
		p.listing[id] = p.banners[l.Banner]
	}
	for id, s := range im.refs.stores {
		p.store[id] = p.banners[s.Banner]
	}
	err := im.conn.each("SELECT DISTINCT week FROM cells", func(r row) error {
		p.old[panel.Week(r.int(0))] = true
		return nil
	})
	return p, err
}

// add packs a cell. Its listing and store must be known, and of one banner.
func (p *cellPacker) add(c *panel.WeekCell) error {
	listing, ok := p.listing[c.Listing]
	if !ok {
		_, err := need(&p.refs, p.refs.listings, c.Listing, "listing_id", "retailer product", "retailer_products.csv")
		return err
	}
	store, ok := p.store[c.Store]
	if !ok {
		_, err := p.refs.store(c.Store)
		return err
	}
	if listing != store {
		return fmt.Errorf("listing_id: retailer product %d is of the banner %q, store %d of %q",
			c.Listing, p.refs.listings[c.Listing].Banner, c.Store, p.refs.stores[c.Store].Banner)
	}
	if c.Week != p.week {
		if err := p.endWeek(); err != nil {
			return err
		}
		p.week, p.same, p.was = c.Week, true, p.old[c.Week]
		delete(p.old, c.Week)
	} else if p.cells == cellsPerPart {
		if err := p.put(); err != nil {
			return err
		}
	}
	p.packed = binary.AppendUvarint(p.packed, uint64(c.Listing-p.last))
	p.packed = binary.AppendUvarint(p.packed, uint64(c.Store))
	p.packed = binary.LittleEndian.AppendUint64(p.packed, math.Float64bits(c.MeanLog))
	p.packed = binary.AppendUvarint(p.packed, uint64(c.Prices))
	p.last = c.Listing
	p.cells++
	return nil
}

// put writes the part at hand, unless it is there already.
func (p *cellPacker) put() error {
	there := int64(0)
	if p.was {
		var err error
		if there, err = p.conn.int("SELECT count(*) FROM cells WHERE week = ? AND part = ? AND packed = ?", int64(p.week), int64(p.part), p.packed); err != nil {
			return err
		}
	}
	if there == 0 {
		p.same = false
		if err := p.conn.exec("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?)", int64(p.week), int64(p.part), int64(p.cells), p.packed); err != nil {
			return err
		}
	}
	p.total += p.cells
	p.part++
	p.cells, p.last, p.packed = 0, 0, p.packed[:0]
	return nil
}

// endWeek writes the last part of the week at hand and counts its cells.
func (p *cellPacker) endWeek() error {
	if p.cells == 0 {
		return nil
	}
	if err := p.put(); err != nil {
		return err
	}
	const beyond = "FROM cells WHERE week = ? AND part >= ?"
	more, err := p.conn.int("SELECT count(*) "+beyond, int64(p.week), int64(p.part))
	if err == nil && more > 0 {
		p.same = false
		err = p.conn.exec("DELETE "+beyond, int64(p.week), int64(p.part))
	}
	switch {
	case !p.was:
		p.counts.Added += p.total
	case p.same:
		p.counts.Unchanged += p.total
	default:
		p.counts.Updated += p.total
		p.summary.restate(fmt.Sprintf("cells of the week %s", p.week))
	}
	p.part, p.total = 0, 0
	return err
}

// finish ends the last week and deletes the weeks that did not come again.
func (p *cellPacker) finish() error {
	if err := p.endWeek(); err != nil {
		return err
	}
	for week := range p.old {
		n, err := p.conn.int("SELECT sum(cells) FROM cells WHERE week = ?", int64(week))
		if err == nil {
			err = p.conn.exec("DELETE FROM cells WHERE week = ?", int64(week))
		}
		if err != nil {
			return err
		}
		p.counts.Updated += int(n)
	}
	if len(p.old) > 0 {
		p.summary.restate(fmt.Sprintf("%d weeks are gone from the cells", len(p.old)))
	}
	return nil
}

// eachCell calls take with every cell, by week, listing and store, in another
// goroutine. take must not keep it.
func eachCell(ctx context.Context, c *conn, take func(c *panel.WeekCell) error) error {
	return relay(ctx, func(swap func([]panel.WeekCell) ([]panel.WeekCell, error)) error {
		var cells []panel.WeekCell
		return c.each("SELECT week, cells, packed FROM cells ORDER BY week, part", func(r row) (err error) {
			n := r.int(1)
			if n < 1 || n > cellsPerPart {
				return fmt.Errorf("%w: %d in one row", errCells, n)
			}
			if cells, err = unpackCells(cells[:0], panel.Week(r.int(0)), r.blob(2), int(n)); err == nil {
				cells, err = swap(cells)
			}
			return err
		})
	}, func(cells []panel.WeekCell) error {
		for i := range cells {
			if err := take(&cells[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// unpackCells adds the n cells of a blob to a list.
func unpackCells(list []panel.WeekCell, week panel.Week, blob []byte, n int) ([]panel.WeekCell, error) {
	r := numbers{b: blob}
	var listing int64
	for range n {
		listing += int64(r.uint())
		c := panel.WeekCell{Listing: listing, Store: int64(r.uint()), Week: week}
		if bits := r.bytes(8); len(bits) == 8 {
			c.MeanLog = math.Float64frombits(binary.LittleEndian.Uint64(bits))
		}
		c.Prices = int64(r.uint())
		list = append(list, c)
	}
	if r.end() != nil {
		return nil, fmt.Errorf("%w: those of the week %s", errCells, week)
	}
	return list, nil
}

// checkCells reads all cells.
func (s *snapshot) checkCells() error {
	return eachCell(context.Background(), s.conn, (*panel.WeekCell).Check)
}

// startOf returns the first moment of the week of a Sunday, in UTC.
func startOf(sunday int64) time.Time {
	return (panel.Date(sunday) - 6).Time(panel.Toronto).UTC()
}
