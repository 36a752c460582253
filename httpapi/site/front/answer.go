package front

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// answer holds the figures that anybody may see, as the page writes them.
type answer struct {
	Sentence     string // the title of the picture
	Week, Base   string
	Year         bool   // changes are over 52 weeks, and not since the base week
	Behind       bool   // the newest week has no headline
	Newest, Next string // the last week with a row, and the week after it
	Ended        int    // weeks that are over and have no row yet
	Tiles        []tile
	Categories   []tile
	Cities       []place // by name
	Nation       string  // what the basket costs in the country; or empty
	Absent       []string

	*words.Language
	list    basket.Categories
	table   *jevons.Table // published
	quality *jevons.Table // by the prices in service
	newest  panel.Week
	head    *jevons.Row  // the newest national headline
	view    table.View   // of the pictures: changes since the base week are drawn as levels, with intervals
	since   panel.Week   // the base week
	from    panel.Week   // that the change of the sentence is counted from
	places  words.Places // of the headline's prices
}

type tile struct {
	Name, Value, Note, Interval string
	Direction                   string // "up", "down", or empty without an interval that says so; then it is small
	Why                         template.URL
	Category                    string        // as addresses have it
	Small                       template.HTML // of a category that has a value in the view
}

// place is a city and what the basket costs there.
type place struct {
	Name, Cost string
	Priced, Of int32
}

func nationalCell(c basket.Category) jevons.Cell {
	return jevons.Cell{Level: jevons.National, Category: c}
}

// newAnswer returns what anybody may see of a table through a week. It is nil if no
// headline is published.
func newAnswer(l *words.Language, p figure.Public, published, quality *jevons.Table, cities []string,
	categories basket.Categories, closed panel.Week, places func(panel.Week) words.Places) *answer {
	overall := nationalCell(basket.Overall)
	rows := published.Select(jevons.Filter{To: closed.Date()})
	i := len(rows) - 1
	for i >= 0 && *rows[i].Cell != overall {
		i--
	}
	if i < 0 || !p.Shows(&overall, false) {
		return nil
	}
	head := &rows[i]
	x := &answer{
		Language: l, table: published, quality: quality, newest: rows[len(rows)-1].Week, head: head,
		view: table.ViewIndex, since: head.Base, list: categories,
	}
	x.from = x.since
	if x.Year = head.YoY.Valid; x.Year {
		x.view, x.from = table.ViewYoY, head.Week.Add(-52)
	}
	x.Week, x.Base = x.Day(head.Week.Date()), x.Day(x.since.Date())
	x.Newest, x.Next = x.Day(x.newest.Date()), x.Day(x.newest.Add(1).Date())
	x.Behind, x.places = x.newest > head.Week, places(head.Week)
	x.addTiles()
	x.addCities(p, cities)
	return x
}

// value returns a row's change over the time of the sentence. It is null without a level in the week that it is
// counted from.
func (x *answer) value(row *jevons.Row) panel.Fixed {
	first := x.table.Find(x.since, *row.Cell)
	if x.Year || first == nil {
		return row.YoY
	}
	return jevons.PercentChange(row.Index.Units, first.Index.Units)
}

func (x *answer) addTiles() {
	q, change := x.quality.QualityOf(x.head), jevons.AboveBase(x.head.Index)
	low, high := jevons.AboveBase(q.Low), jevons.AboveBase(q.High)
	first := tile{Name: x.T("Since the base week"), Value: x.change(change),
		Note: x.T("the week ending {week}", x.Base), Interval: x.interval(low, high),
		Direction: arrow(change, low, high)}
	if !low.Valid && x.head.Week != x.since {
		first.Note = x.T("since the week ending {week}; no interval", x.Base)
	}
	week := tile{Name: x.T("In a week"), Value: x.change(x.head.WoW), Note: x.T("too little is priced in both weeks")}
	if x.head.Week == x.since {
		week.Note = x.T("this is the first week")
	}
	if x.head.WoW.Valid {
		before := x.table.Before(x.head.Week, *x.head.Cell).Week
		if before != x.head.Week.Add(-1) {
			week.Name = x.T("Since the previous published week")
		}
		week.Note = x.T("same products, same stores, since the week ending {week}", x.Day(before.Date()))
		week.Interval = x.interval(q.LowWoW, q.HighWoW)
		week.Direction = arrow(x.head.WoW, q.LowWoW, q.HighWoW)
	}
	cost := tile{Name: x.T("The basket"), Value: x.money(x.head.BasketCost), Note: x.T("not published")}
	if x.head.BasketCost.Valid {
		cost.Note = x.T("{priced} of {n} products priced in the week ending {week}",
			cmp.Or(x.places.Products, int(x.head.ItemCount)), int(x.head.TotalItems), x.Week)
	}
	first.Why, week.Why = x.why(basket.Overall, change, x.since), x.why(basket.Overall, x.head.WoW, 0)
	x.Tiles = []tile{first, week, cost}
}

// why returns the address of the change of a national series to the headline's week, or from the week before.
func (x *answer) why(c basket.Category, change panel.Fixed, from panel.Week) template.URL {
	if !change.Valid || x.head.Week == x.since {
		return ""
	}
	return figure.WhyOf(x.Language, "national."+c.String(), x.head.Week, from.Date(), "")
}

func (x *answer) category(c basket.Category) tile {
	t := tile{Name: chart.Category(x.Language, x.list, c),
		Value: words.None, Note: x.T("not published"), Category: c.String()}
	row := x.table.Find(x.head.Week, nationalCell(c))
	if row == nil || !x.value(row).Valid {
		return t
	}
	t.Value, t.Note, t.Why = x.change(x.value(row)), "", x.why(c, x.value(row), x.from)
	return t
}

// addCities adds the cities by name: a cost has no interval that would rank them. One city is the nation.
func (x *answer) addCities(p figure.Public, cities []string) {
	if len(cities) < 2 {
		return
	}
	if row := x.table.Find(x.newest, *x.head.Cell); row != nil && row.BasketCost.Valid {
		x.Nation = x.money(row.BasketCost)
	}
	for _, name := range cities {
		cell := jevons.Cell{Level: jevons.City, City: name, Category: basket.Overall}
		if !p.Shows(&cell, true) {
			continue
		}
		row := x.table.Find(x.newest, cell)
		if row == nil || !row.BasketCost.Valid {
			x.Absent = append(x.Absent, Absent(x.Language, x.table, x.newest, cell))
			continue
		}
		x.Cities = append(x.Cities, place{x.T(name), x.money(row.BasketCost), row.ItemCount, row.TotalItems})
	}
	slices.SortStableFunc(x.Cities, func(a, b place) int { return cmp.Compare(fold.Text(a.Name), fold.Text(b.Name)) })
}

// Absent names a city without a headline in a week, and says when its headline ended.
func Absent(l *words.Language, t *jevons.Table, week panel.Week, headline jevons.Cell) string {
	name := l.T(headline.City)
	if last := t.Before(week, headline); last != nil {
		name += " " + l.T(words.Key("(to {day})"), l.Day(last.Week.Date()))
	}
	return name
}

func (x *answer) interval(low, high panel.Fixed) string {
	if !low.Valid {
		return ""
	}
	if jevons.Unclear(low, high) {
		return x.T("95% interval {low} to {high}: other goods could have shown a rise or a fall", x.change(low),
			x.change(high))
	}
	return x.T("95% interval {low} to {high}", x.change(low), x.change(high))
}

// change writes a change in percent with its sign and one decimal.
func (x *answer) change(v panel.Fixed) string { return chart.Number(x.Language, table.ViewYoY, v) }

func (x *answer) money(v panel.Fixed) string { return chart.Number(x.Language, table.ViewCost, v) }

// arrow is the direction of a change whose interval says that there is one.
func arrow(v, low, high panel.Fixed) string {
	switch shown := chart.OneDecimal(v); {
	case !low.Valid || jevons.Unclear(low, high) || strings.Trim(shown, "-0.") == "":
		return ""
	case shown[0] == '-':
		return "down"
	}
	return "up"
}
