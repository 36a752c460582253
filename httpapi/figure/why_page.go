package figure

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// whyView is the data of the page that takes a row apart.
type whyView struct {
	Title, Day, Level string
	Low, High         string // of the level's interval; or empty
	Matched, Of       int32
	Changes           []whyChange // over the week, if there is one, then since the base
	Products, Prices  bool        // the reader may see contributions of products, and details of these
	Version           string
	Figure            template.URL // the figure of the series
	Explain, Verify   string       // commands
}

// whyChange is a published change with what added up to it.
type whyChange struct {
	Week      bool // since the week before; else since the base
	From      string
	Change    string
	Low, High string // of the interval; or empty
	Unclear   bool   // the interval contains no change
	Headline  bool
	Lists     []whyList
}

// whyList has the largest contributions each way, the largest rise first, and all others in
// one line. They add up to Sum.
type whyList struct {
	Categories, Prices bool // what the lines are; whether they have details
	Parts              []whyPart
	Sum                string
}

// whyPart is a line of a list. All numbers are as people read them, or empty.
type whyPart struct {
	Name      string
	Address   template.URL // of the same week of the category
	Points    string
	Bar       int // length from -100 to 100, in shares of the longest one
	Own       string
	Low, High string
	Weight    string
	Stores    int
	Trimmed   int
	Rest      int // the number of others in the line

	units int64
}

// The largest numbers of contributions shown each way.
const (
	mostCategories = 9
	mostProducts   = 6
)

// Why is a row taken apart, for one reader.
type Why struct {
	*Source
	*Query
	key       state.Key // the reader's
	published *jevons.Table
	explained *jevons.Explanation
}

func (m *Why) view() *whyView {
	e, row := m.explained, &m.explained.Row
	quality := row.Extra.Quality
	v := &whyView{
		Title: m.words().Series(m.Vintage.Banners, *row.Cell), Day: m.lang.Day(row.Week.Date()), Level: m.lang.Number(row.Index),
		Matched: row.ItemCount, Of: row.TotalItems, Products: m.key.ID != 0, Prices: m.key.Tier >= state.Standard,
		Version: m.version(m.Vintage), Figure: template.URL(Path + "?" + m.Query.Address()), //nolint:gosec // the address is made of checked parts
		Explain: "larder explain " + m.flags(), Verify: m.verify(),
	}
	v.Low, v.High = m.interval(quality.Low, quality.High)
	if e.WoW != nil {
		w := whyChange{Week: true, From: m.lang.Day(e.WoW.From.Date()), Change: m.lang.Change(row.WoW), Unclear: contains(quality.LowWoW, quality.HighWoW, 0)}
		w.Low, w.High = m.interval(quality.LowWoW, quality.HighWoW)
		v.Changes = append(v.Changes, m.change(w, e.WoW, func(p *jevons.Part) panel.Fixed { return p.WoW }))
	}
	same := panel.FixedOf(100_0000)
	since := whyChange{From: m.lang.Day(e.SinceBase.From.Date()), Change: m.lang.Change(minus(row.Index, same)), Unclear: contains(quality.Low, quality.High, same.Units)}
	since.Low, since.High = m.interval(minus(quality.Low, same), minus(quality.High, same))
	v.Changes = append(v.Changes, m.change(since, &e.SinceBase, func(p *jevons.Part) panel.Fixed { return p.Level }))
	return v
}

func minus(a, b panel.Fixed) panel.Fixed {
	return panel.Fixed{Units: a.Units - b.Units, Valid: a.Valid && b.Valid}
}

// contains reports whether an interval contains a value.
func contains(low, high panel.Fixed, units int64) bool {
	return low.Valid && low.Units <= units && units <= high.Units
}

func (m *Why) interval(low, high panel.Fixed) (string, string) {
	if !low.Valid {
		return "", ""
	}
	return m.lang.Number(low), m.lang.Number(high)
}

// change adds the lists that the reader may see.
func (m *Why) change(w whyChange, d *jevons.Decomposition, points func(*jevons.Part) panel.Fixed) whyChange {
	if w.Headline = m.explained.Row.Cell.Category == basket.Overall; w.Headline {
		var parts []whyPart
		categories := m.explained.Categories()
		for i := range categories {
			parts = append(parts, m.category(categories[i].Category, points(&categories[i])))
		}
		w.Lists = append(w.Lists, m.list(whyList{Categories: true, Parts: parts}, mostCategories))
	}
	prices := m.key.Tier >= state.Standard
	if prices || m.key.ID != 0 && !w.Headline {
		var parts []whyPart
		for i := range d.Products {
			parts = append(parts, m.product(&d.Products[i], w.Week, prices))
		}
		w.Lists = append(w.Lists, m.list(whyList{Prices: prices, Parts: parts}, mostProducts))
	}
	return w
}

// category describes the part of a category, with its own published level.
func (m *Why) category(category basket.Category, points panel.Fixed) whyPart {
	row := &m.explained.Row
	cell := *row.Cell
	cell.Category = category
	part := whyPart{Name: m.words().Category(category), units: points.Units}
	own := m.published.Find(row.Week, cell)
	if own == nil {
		return part
	}
	part.Own = m.lang.Number(OneDecimal(own.Index))
	if name := m.Vintage.Names().Name(cell); name != "" {
		part.Address = template.URL(m.why(name, row.Week, m.lang)) //nolint:gosec // the address is made of checked parts
	}
	if table, err := m.Served.Quality(); err == nil { // explain has it
		if same := table.Find(row.Week, cell); same != nil && own.Same(same) && same.Extra.Quality.Low.Valid {
			part.Low, part.High = m.lang.Number(OneDecimal(same.Extra.Quality.Low)), m.lang.Number(OneDecimal(same.Extra.Quality.High))
		}
	}
	return part
}

// product describes the part of a product, with details if the reader may see them.
func (m *Why) product(c *jevons.Contribution, week, prices bool) whyPart {
	part := whyPart{Name: c.Product.Name, units: c.Rounded.Units}
	if m.lang == lang.French {
		part.Name = cmp.Or(c.Product.NameFr, c.Product.Name)
	}
	if !prices {
		return part
	}
	part.Weight, part.Stores, part.Trimmed, part.Own = m.lang.Number(fmt.Sprintf("%.4f", c.Share)), c.Stores, c.Trimmed, "–"
	if c.Relative != 0 && c.Before != 0 {
		part.Own = m.lang.Change(fmt.Sprintf("%.4f", 100*(c.Relative/c.Before-1)))
	}
	return part
}

// list sorts the parts, keeps the largest ones each way, and adds up the others.
func (m *Why) list(l whyList, most int) whyList {
	slices.SortStableFunc(l.Parts, func(a, b whyPart) int { return cmp.Compare(b.units, a.units) })
	var sum, longest int64
	rest := whyPart{}
	var shown []whyPart
	for i, p := range l.Parts {
		sum += p.units
		if i < most && p.units > 0 || i >= len(l.Parts)-most && p.units < 0 || len(l.Parts) <= most {
			shown = append(shown, p)
		} else {
			rest.Rest++
			rest.units += p.units
		}
		longest = max(longest, p.units, -p.units)
	}
	if rest.Rest > 0 {
		falls := slices.IndexFunc(shown, func(p whyPart) bool { return p.units < 0 })
		if falls < 0 {
			falls = len(shown)
		}
		shown = slices.Insert(shown, falls, rest)
		longest = max(longest, rest.units, -rest.units)
	}
	for i := range shown {
		shown[i].Points = m.signed(shown[i].units)
		shown[i].Bar = int(100 * shown[i].units / max(longest, 1))
	}
	l.Parts, l.Sum = shown, m.signed(sum)
	return l
}

// signed writes percentage points with their sign.
func (m *Why) signed(units int64) string {
	text := m.lang.Number(panel.FixedOf(units))
	if units > 0 {
		return "+" + text
	}
	return text
}

// why returns the address of the page of a week of a series.
func (q *Query) why(series string, week panel.Week, l *lang.Language) string {
	address := PathWhy + "?s=" + url.QueryEscape(series) + "&week=" + week.String()
	if q.AsOf != "" {
		address += "&as_of=" + url.QueryEscape(q.AsOf)
	}
	if l == lang.French {
		address += "&lang=fr"
	}
	return address
}

// OneDecimal rounds half away from zero.
func OneDecimal(v panel.Fixed) string { return decimal.New(v.Units, -4).StringFixed(1) }
