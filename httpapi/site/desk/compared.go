package desk

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/front"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// compared is a table of series in the newest week: of the categories of the country, of cities, of the chains
// in a city, or of each city's categories.
type compared struct {
	Tab         string
	Tabs        []figure.Choice
	In, Against []figure.Option // cities: whose chains are shown, and with which places are compared
	City        string          // of Against
	Week        string
	Groups      []group
	Categories  []string // columns of the grid
	Grid        []gridRow
	Absent      []string // places without a row
}

// group has lines whose difference to a city is alike. ID is above, even, below or unknown; or empty.
type group struct {
	ID, Name string
	Lines    []line
}

// line is a series in the newest week, as people read it.
type line struct {
	Name, Series                                     string
	Level, Interval, Week, WeekInterval, Month, Year string
	From                                             string // the week of the first Year, if it is to come
	Cost, Priced, Difference, DifferenceInterval     string
	Shown                                            bool         // on the chart
	Address                                          template.URL // that puts it there, or off
	Why                                              template.URL
	cell                                             jevons.Cell
	difference                                       jevons.Difference
}

type gridRow struct {
	Name   string
	Values []gridValue
}

type gridValue struct {
	Series, Text string
	Why          template.URL
}

func (d *desk) compare() (*compared, error) {
	names := []string{"categories", "cities", "chains", "grid"}
	c := &compared{Tab: cmp.Or(d.q.Params.OneOf("tab", names), names[0]), Week: d.l.Day(d.week.Date())}
	for i, text := range []string{words.Key("Categories"), words.Key("Cities"), words.Key("Chains"),
		words.Key("City by category")} {
		c.Tabs = append(c.Tabs, figure.Choice{Text: d.l.T(text), Note: names[i], Here: names[i] == c.Tab,
			Address: d.q.With("tab", names[i]).At()})
	}
	switch c.Tab {
	case "categories":
		c.Groups = []group{{Lines: d.lines(c, jevons.Filter{Level: jevons.National})}}
	case "grid":
		d.grid(c)
	default:
		return c, d.places(c)
	}
	return c, nil
}

// lines are the rows of the newest week that a filter chooses.
func (d *desk) lines(c *compared, of jevons.Filter) (lines []line) {
	of.From, of.To = d.week.Date(), d.week.Date()
	for _, r := range d.published.Select(of) {
		x, q := line{cell: *r.Cell, Series: d.Snapshot.Names().Name(*r.Cell)}, d.quality.QualityOf(&r)
		x.Name = d.PlaceName(d.l, x.cell)
		if x.cell.Level == jevons.National {
			x.Name = chart.Category(d.l, d.Snapshot.Categories(), x.cell.Category)
		}
		x.Level, x.Interval = d.number(table.ViewIndex, r.Index), d.ends(table.ViewIndex, q.Low, q.High)
		x.Week, x.WeekInterval = d.percent(r.WoW), d.ends(table.ViewYoY, q.LowWoW, q.HighWoW)
		if jevons.Unclear(q.LowWoW, q.HighWoW) {
			x.Week = d.l.T(words.Key("a rise or a fall"))
		}
		x.Month, x.Year, x.Cost = d.percent(r.MoM), d.percent(r.YoY), d.number(table.ViewCost, r.BasketCost)
		x.Priced = d.l.T(words.Key("{priced} of {all}"), int(r.ItemCount), int(r.TotalItems))
		var changed *figure.Query
		changed, x.Shown = d.q.Showing(x.Series)
		if x.Series != "" && len(changed.Names) > 0 && (x.Shown || !d.q.Full()) {
			x.Address = changed.At()
		}
		if first := d.published.Base(x.cell).Add(table.ViewYoY.Weeks()); first > d.week {
			x.From = d.l.T(words.Key("from the week ending {week}"), d.l.Day(first.Date()))
		}
		x.Why = d.q.WhyOf(x.Series, d.week, 0)
		lines = append(lines, x)
	}
	return lines
}

// places compares cities, or the chains of one, with a city.
func (d *desk) places(c *compared) error {
	headlines := []string{basket.Overall.String()}
	cities := d.lines(c, jevons.Filter{Level: jevons.City, Categories: headlines})
	var against string
	lines := cities
	against, c.Against = d.choose("against", cities, d.q.Rest.Get("in"))
	if c.Tab == "chains" {
		var in string
		in, c.In = d.choose("in", cities, d.q.Names...)
		lines = d.lines(c, jevons.Filter{Level: jevons.Banner, City: in, Categories: headlines})
	} else {
		d.addAbsent(c, cities)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(fold.Text(a.Name), fold.Text(b.Name)) })
	c.City = d.l.T(against)
	if against == "" {
		c.Groups = []group{{Lines: lines}}
		return nil
	}
	if err := d.differ(lines, against); err != nil {
		return err
	}
	c.Groups = []group{
		{ID: "above", Name: d.l.T(words.Key("Level above {city}"), c.City)},
		{ID: "even", Name: d.l.T(words.Key("No clear difference to {city}"), c.City)},
		{ID: "below", Name: d.l.T(words.Key("Level below {city}"), c.City)},
		{ID: "unknown", Name: d.l.T(words.Key("No interval of the difference to {city}"), c.City)},
	}
	for _, x := range lines {
		g, low, high := &c.Groups[3], x.difference.Low, x.difference.High
		switch {
		case x.cell.Level == jevons.City && x.cell.City == against || jevons.Unclear(low, high):
			g = &c.Groups[1]
		case low.Valid && low.Units > 0:
			g = &c.Groups[0]
		case low.Valid:
			g = &c.Groups[2]
		}
		g.Lines = append(g.Lines, x)
	}
	c.Groups = slices.DeleteFunc(c.Groups, func(g group) bool { return len(g.Lines) == 0 })
	return nil
}

// choose returns the cities as options, and the one that a parameter names, else the one of the first of the names that
// is a city's, else the first.
func (d *desk) choose(parameter string, cities []line, names ...string) (chosen string, options []figure.Option) {
	var known []string
	for _, x := range cities {
		known = append(known, x.cell.City)
		options = append(options, figure.Option{Value: x.cell.City, Text: x.Name})
	}
	for _, name := range slices.Concat([]string{d.q.Params.OneOf(parameter, known)}, names, known) {
		cell, err := d.Snapshot.Names().Parse(name)
		if err != nil {
			cell.City = name
		}
		if i := slices.Index(known, cell.City); i >= 0 {
			options[i].Here = true
			return cell.City, options
		}
	}
	return "", nil
}

// differ notes the difference of each line to a city, where the prices in service give the published row.
func (d *desk) differ(lines []line, city string) error {
	var rows []jevons.Row
	var of []int
	for i, x := range lines {
		r := d.quality.Find(d.week, x.cell)
		if r != nil && r.Same(d.published.Find(d.week, x.cell)) {
			rows, of = append(rows, *r), append(of, i)
		}
	}
	if rows == nil {
		return nil
	}
	rows, err := d.quality.WithDifferences(rows, city)
	for i, r := range rows {
		x := &lines[of[i]]
		x.difference = *r.Extra.Difference
		if x.cell.City != city || x.cell.Banner != "" {
			x.Difference = d.percent(x.difference.Percent)
			x.DifferenceInterval = d.ends(table.ViewYoY, x.difference.Low, x.difference.High)
		}
	}
	return err
}

func (d *desk) addAbsent(c *compared, there []line) {
	for _, name := range d.Snapshot.CityNames {
		if !slices.ContainsFunc(there, func(x line) bool { return x.cell.City == name }) {
			headline := jevons.Cell{Level: jevons.City, City: name, Category: basket.Overall}
			c.Absent = append(c.Absent, front.Absent(d.l, d.published, d.week, headline))
		}
	}
}

// grid has a value of each category in each city, in the unit of the figure.
func (d *desk) grid(c *compared) {
	categories := d.Snapshot.Slices()
	for _, category := range categories {
		c.Categories = append(c.Categories, chart.Category(d.l, d.Snapshot.Categories(), category))
	}
	for _, city := range d.Snapshot.CityNames {
		row := gridRow{Name: d.l.T(city)}
		for _, category := range categories {
			cell, x := jevons.Cell{Level: jevons.City, City: city, Category: category}, gridValue{Text: words.None}
			if r := d.published.Find(d.week, cell); r != nil {
				x.Series = d.Snapshot.Names().Name(cell)
				x.Text = d.number(d.q.Shown.View, d.q.Value(d.Snapshot.Words, d.published, r))
				x.Why = d.q.WhyOf(x.Series, d.week, 0)
			}
			row.Values = append(row.Values, x)
		}
		c.Grid = append(c.Grid, row)
	}
}

// ends writes the ends of a 95% interval, if there is one.
func (d *desk) ends(v table.View, low, high panel.Fixed) string {
	if !low.Valid {
		return ""
	}
	return d.l.T(words.Key("{low} to {high}"), d.number(v, low), d.number(v, high))
}
