package jevons

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// ErrNotPublished is the error, wrapped with the reason, for a cell that has no
// row in the week.
var ErrNotPublished = errors.New("not published")

// Explanation takes one row apart.
type Explanation struct {
	Method string // Options.Method of the table; empty: the published method
	Row    Row
	Since  Decomposition  // of the change from an earlier week: for Explain from the row's base
	WoW    *Decomposition // nil when the row has no week-over-week change

	categories basket.Categories
}

// Explain takes one row of a table of Compute's apart. For a cell without a row in that
// week it returns ErrNotPublished with the reason.
func (t *Table) Explain(week panel.Week, cell Cell) (*Explanation, error) {
	row, err := t.explainable(week, cell)
	if err != nil {
		return nil, err
	}
	return t.explain(row, t.engine.takeApart(t.engine.newWorker(), t.question(row), row.Cell)[0]), nil
}

// Between takes apart the change of a cell from one published week to a later one, in percent of the
// first level. A headline's change from the published week before is its WoW. Every other change is the
// ratio of the two levels, each over its own products, as MoM and YoY are. The parts of either add up
// to it. It returns ErrNotPublished with the reason if a week but the base has no row, or a headline no WoW.
func (t *Table) Between(from, week panel.Week, cell Cell) (*Explanation, error) {
	row, err := t.explainable(week, cell)
	if err != nil {
		return nil, err
	}
	then, err := t.explainable(from, cell)
	switch {
	case from == row.Base:
	case err != nil:
		return nil, err
	case cell.Category == basket.Overall && then == t.Before(week, cell) && !row.WoW.Valid:
		return nil, fmt.Errorf("jevons: %s, the change from week %s to %s: %w: under %s of the products are priced in "+
			"both at the same stores", cell, from, week, ErrNotPublished, t.Options.Floor.percent())
	}
	q := t.question(row)
	q.before, _ = t.engine.week(from)
	list := t.engine.takeApart(t.engine.newWorker(), q, row.Cell)[0]
	x := t.sinceBase(row, list)
	if from != row.Base {
		x.Since = t.since(row, then, list)
	}
	return x, nil
}

// WithContributions returns the rows, which must be the table's own, with an Extra
// that has their Contributions beside what it had. They are the decompositions of
// Explain. A headline has those categories that have a matched product. A category's
// row has the products that are matched now, and where it has a WoW also those that
// were matched in the week before. The error is that of Explain.
func (t *Table) WithContributions(rows []Row) ([]Row, error) {
	if err := t.readable(); err != nil {
		return nil, err
	}
	all := withExtras(rows)
	of, cells := map[question][]*Row{}, map[question][]*Cell{}
	for i := range all {
		q := t.question(&all[i])
		of[q], cells[q] = append(of[q], &all[i]), append(cells[q], all[i].Cell)
	}
	questions := slices.Collect(maps.Keys(of))
	e := *t.engine // with workers of its own
	e.each(len(questions), func(w *worker, i int) {
		rows := of[questions[i]]
		for k, list := range e.takeApart(w, questions[i], cells[questions[i]]...) {
			rows[k].Extra.Contributions = t.explain(rows[k], list).parts()
		}
	})
	return all, nil
}

// withExtras returns a copy of rows. Each has a copy of its Extra, or an empty one.
func withExtras(rows []Row) []Row {
	all, extras := slices.Clone(rows), make([]Extra, len(rows))
	for i := range all {
		if all[i].Extra != nil {
			extras[i] = *all[i].Extra
		}
		all[i].Extra = &extras[i]
	}
	return all
}

func (t *Table) explain(row *Row, list []elementary) *Explanation {
	x := t.sinceBase(row, list)
	if row.WoW.Valid {
		x.WoW = new(t.since(row, t.Before(row.Week, *row.Cell), list))
	}
	return x
}

func (t *Table) sinceBase(row *Row, list []elementary) *Explanation {
	x := &Explanation{Method: t.Options.Method(), Row: *row, categories: t.engine.panel.Categories()}
	x.Since = t.engine.decompose(list, atBase, now, row.Base)
	x.Since.scale(AboveBase(row.Index))
	return x
}

// since takes apart the change of a row from an earlier one of its cell.
func (t *Table) since(row, then *Row, list []elementary) (d Decomposition) {
	if row.Cell.Category == basket.Overall && then == t.Before(row.Week, *row.Cell) {
		d = t.engine.decompose(list, earlier, later, then.Week)
		d.scale(row.WoW)
		return d
	}
	d = t.engine.decompose(list, before, now, then.Week)
	d.Change = 100 * float64(row.Index.Units-then.Index.Units) / float64(then.Index.Units)
	d.scale(PercentChange(row.Index.Units, then.Index.Units))
	return d
}

// readable fails for a table whose rows can't be taken apart.
func (t *Table) readable() error {
	if t == nil || t.engine == nil {
		return errors.New("jevons: only rows that Compute made can be taken apart")
	}
	return nil
}

// explainable returns the row of a cell. The error says why there is none.
func (t *Table) explainable(week panel.Week, cell Cell) (*Row, error) {
	if err := t.readable(); err != nil {
		return nil, err
	}
	if row := t.Find(week, cell); row != nil {
		return row, nil
	}
	return nil, fmt.Errorf("jevons: %s, week %s: %w: %s", cell, week, ErrNotPublished, t.whyNot(week, cell))
}

func (t *Table) whyNot(week panel.Week, cell Cell) string {
	e, o := t.engine, t.Options
	base, items := t.Base(cell), 0
	k, collected := e.week(week)
	b, based := e.week(base)
	_, there := e.geography(cell)
	switch {
	case e.panel.Categories().Of(cell.Category.Slug()) != cell.Category:
		return "there is no such category"
	case o.Only != nil && cell != *o.Only:
		return fmt.Sprintf("the table is of %s only", o.Only)
	case o.Through < o.Base:
		return fmt.Sprintf("no week from the base week %s on has closed", o.Base)
	case week < o.Base || week > o.Through:
		return fmt.Sprintf("the table runs from %s to %s", o.Base, o.Through)
	case !collected:
		return "no price counts in that week"
	case base == 0:
		return fmt.Sprintf("in no week so far are %s of the products priced", o.Floor.percent())
	case !based:
		return fmt.Sprintf("no price counts in the base week %s, so no category can be matched with it", base)
	case week < base:
		return fmt.Sprintf("the series starts in its entry week, %s", base)
	case there:
		for _, x := range e.takeApart(e.newWorker(), question{k, k, b}, &cell)[0] {
			items += min(x.of[now].stores, 1)
		}
	}
	return fmt.Sprintf("%d of %d products are matched with week %s, under the floor of %s",
		items, e.slices[cell.Category.Index()].items, base, o.Floor.percent())
}

// decompose splits the change from one stream of relatives to another. The points are parts of rho.
func (l *geographies) decompose(list []elementary, from, to int, week panel.Week) Decomposition {
	d, rho := Decomposition{From: week}, 0.0
	before, now := l.shares(list, from), l.shares(list, to)
	for i := range list {
		b, r := &list[i].of[from], &list[i].of[to]
		if b.stores == 0 && r.stores == 0 {
			continue
		}
		c := Contribution{
			Product: *list[i].product, Share: now[i], Stores: r.stores, Trimmed: r.trimmed,
			Points: now[i]*r.rho - before[i]*b.rho,
		}
		if b.stores > 0 {
			c.Before = math.Exp(b.rho)
		}
		if r.stores > 0 {
			c.Relative = math.Exp(r.rho)
		}
		rho += c.Points
		d.Products = append(d.Products, c)
	}
	d.Change = 100 * math.Expm1(rho)
	return d
}

// shares returns the products' normalized weights. Each category has the weight of all its
// active products, matched or not, and divides it among its matched ones.
func (l *geographies) shares(list []elementary, stream int) []float64 {
	matched := make([]float64, len(l.slices))
	for i := range list {
		if list[i].of[stream].stores > 0 {
			matched[list[i].slice] += list[i].product.Weight
		}
	}
	total := 0.0
	for c := range matched {
		if matched[c] > 0 {
			total += l.slices[c].weight
		}
	}
	shares := make([]float64, len(list))
	for i := range list {
		if c := list[i].slice; list[i].of[stream].stores > 0 && matched[c] > 0 {
			shares[i] = l.slices[c].weight / total * list[i].product.Weight / matched[c]
		}
	}
	return shares
}
