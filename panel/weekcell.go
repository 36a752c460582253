package panel

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// WeekCell is one series in one week, as an engine that has the single prices
// computed it. The prices are those that the gate lets pass.
type WeekCell struct {
	Listing, Store int64 // ids
	Week           Week
	MeanLog        float64 // mean of the natural logarithms of the effective prices in dollars
	Prices         int64   // how many prices that is the mean of, at least 1
}

// ErrCells is returned for what needs single prices, which a panel of cells lacks.
var ErrCells = errors.New("the snapshot was imported from cells and has no single prices")

// The least and the greatest mean. A mean of equal logarithms may differ from them
// in its last bits.
var (
	leastLog    = Price(1).Log() - 1e-9
	greatestLog = maxPrice.Log() + 1e-9
)

// Check returns an error if a member has a value that no cell can have. The error
// names the column.
func (c *WeekCell) Check() error {
	switch day := c.Week.Date(); {
	case c.Listing <= 0:
		return fmt.Errorf("listing_id: %d is not above 0", c.Listing)
	case c.Store <= 0:
		return fmt.Errorf("store_id: %d is not above 0", c.Store)
	case day < firstCellDate || day > lastCellDate:
		return fmt.Errorf("week: %s is not from %s to %s", day, firstCellDate, lastCellDate)
	case !c.Week.IsSunday():
		return fmt.Errorf("week: %s is no Sunday, and a week is named by its Sunday", day)
	case !(c.MeanLog >= leastLog && c.MeanLog <= greatestLog): // NaN is not
		return fmt.Errorf("mean_log_price: %v is not the natural logarithm of a price from %s to %s", c.MeanLog, Price(1), maxPrice)
	case c.Prices < 1:
		return fmt.Errorf("prices: %d is not above 0", c.Prices)
	}
	return nil
}

// weekBlock has the cells of a week: mean log prices by slot, NaN without a cell.
type weekBlock struct {
	week Week
	logs []float64
}

// AddCell adds one series' week. Weeks must ascend. The index uses the cell when its
// store, listing and product are active and its banner is an index banner. The prices
// of others are counted (see Counts) and their mean is not kept. A panel has either
// observations or cells.
func (b *Builder) AddCell(c *WeekCell) error {
	if err := b.ready(); err != nil {
		return err
	}
	if !b.cells && b.observed > 0 {
		return errMixed
	}
	b.cells = true
	b.observed++
	fail := func(err error) error {
		return &RecordError{"cell", b.observed - 1, fmt.Sprintf("listing %d at store %d in the week %s", c.Listing, c.Store, c.Week), err}
	}
	if errs, err := b.misplaced(c.Listing, c.Store), c.Check(); len(errs) > 0 || err != nil {
		return fail(errors.Join(append(errs, err)...))
	}
	n := len(b.blocks)
	if n > 0 && c.Week < b.blocks[n-1].week {
		return fail(fmt.Errorf("it comes after a cell of the week %s; weeks must ascend", b.blocks[n-1].week))
	}
	m, _ := b.listingAt.Get(c.Listing)
	s, _ := b.storeAt.Get(c.Store)
	listing, store := &b.listingRef[m], &b.storeRef[s]
	if out := b.leftOut(listing, store); out != nil {
		b.counts.Observations += int(c.Prices)
		*out += int(c.Prices)
		return nil
	}
	if n == 0 || b.blocks[n-1].week != c.Week {
		b.blocks = append(b.blocks, weekBlock{c.Week, make([]float64, 0, len(b.slots))})
		n++
	}
	slot, logs := int(b.slotOf(listing, m, s, store.ordinal)), &b.blocks[n-1].logs
	for len(*logs) <= slot {
		*logs = append(*logs, math.NaN())
	}
	if !math.IsNaN((*logs)[slot]) {
		return fail(errors.New("there is a cell of this series and week already"))
	}
	(*logs)[slot] = c.MeanLog
	b.counts.Observations += int(c.Prices)
	b.counts.Used += int(c.Prices)
	return nil
}

var errMixed = errors.New("panel: a panel has either observations or cells, not both")

// misplaced lists what is wrong with a listing at a store.
func (b *Builder) misplaced(listing, store int64) (errs []error) {
	m, mok := b.listingAt.Get(listing)
	s, sok := b.storeAt.Get(store)
	if !mok {
		errs = append(errs, unknown("listing", strconv.FormatInt(listing, 10)))
	}
	if !sok {
		errs = append(errs, unknown("store", strconv.FormatInt(store, 10)))
	}
	if mok && sok && b.listingRef[m].banner != b.storeRef[s].banner {
		errs = append(errs, fmt.Errorf("listing %d is of banner %q, store %d of banner %q",
			listing, b.listings[m].Banner, store, b.stores[s].Banner))
	}
	return errs
}

// fillCells puts the blocks into the panel's order of series, one after the other.
func (p *Panel) fillCells(series []Series, rank []int32, blocks []weekBlock) {
	p.series = series
	var bySlot []float64
	for _, block := range blocks {
		bySlot = append(bySlot[:0], block.logs...)
		logs := block.logs
		if cap(logs) < len(series) {
			logs = make([]float64, len(series))
		}
		logs = logs[:len(series):len(series)]
		for i := range logs {
			logs[i] = math.NaN()
		}
		for slot, log := range bySlot {
			logs[rank[slot]] = log
		}
		p.weeks, p.logs = append(p.weeks, block.week), append(p.logs, logs)
	}
}
