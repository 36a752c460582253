package figure

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// whyChange is a published change with what added up to it.
type whyChange struct {
	Week      bool // since the week before; else since the base
	From      string
	Change    string
	Low, High string // of the interval; or empty
	Unclear   bool   // the interval contains no change
	Alike     bool   // all products moved alike, so there is no interval
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
	Name    string
	Address template.URL // of the same week of the category
	Points  string
	Bar     int // length from -100 to 100, in shares of the longest one
	Own     string
	Weight  string
	Stores  int
	Trimmed int
	Rest    int // the number of others in the line

	units int64
}

// The largest numbers of contributions shown each way.
const (
	mostCategories = 9
	mostProducts   = 6
)

// why is a row taken apart, for one reader: the data of the page.
type why struct {
	view
	*jevons.Explanation
	Changes  []whyChange   // over the week, if there is one, then since the base
	Products bool          // the reader may see contributions of products
	Prices   bool          // and details of these
	computed *jevons.Table // by the prices in service
}

// Why returns the page that takes a week of a series apart: the one that has the day, or the
// newest one. key is the reader's; the zero key sees what anybody may see.
func Why(s *Source, q *Query, day panel.Date, key state.Key) ([]byte, error) {
	v, err := open(s, q)
	if err != nil {
		return nil, err
	}
	m := &why{view: v, Products: key.ID != 0, Prices: key.Tier >= state.Standard}
	if err := m.explain(v.cells[0], day); err != nil {
		return nil, err
	}
	if m.WoW != nil {
		m.Changes = append(m.Changes, m.change(m.WoW))
	}
	m.Changes = append(m.Changes, m.change(&m.SinceBase))
	return s.Pages.Render("why", pages.View{
		Lang: q.lang, Base: s.BaseURL, About: s.Snapshot.Words, Data: m,
		Elsewhere: string(q.why(q.Names[0], m.Row.Week, q.lang.Other())),
	})
}

// explain takes apart the row of a cell in the week that has the day, or in the newest one.
// The prices in service have to give the published row.
func (m *why) explain(cell jevons.Cell, day panel.Date) (err error) {
	week := day.Week()
	if day == 0 {
		for week = m.last; week > m.Snapshot.Base && m.published.Find(week, cell) == nil; {
			week = week.Add(-1)
		}
	}
	if week > m.last {
		return reply.Invalid("week", nil,
			"week: the week ending %s is not published; the last one is the week ending %s", week, m.last)
	}
	if err := m.Snapshot.NeedPrices(); err != nil {
		return err
	}
	if m.computed, err = m.Snapshot.Quality(); err != nil {
		return err
	}
	row := m.published.Find(week, cell)
	m.Explanation, err = m.computed.Explain(week, cell)
	switch {
	case row != nil && err == nil && row.Same(&m.Row):
		return nil
	case row == nil && errors.Is(err, jevons.ErrNotPublished):
		return reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	case m.AsOf != "":
		return reply.Invalid("as_of", nil,
			"as_of: the prices in service do not give what that release published of the week ending %s, "+
				"and a release log keeps no prices; leave out as_of", week)
	case err != nil:
		return err
	}
	return reply.Invalid("week", nil,
		"week: another revision of the method computed this row; it can be taken apart after the next release")
}

// Title names the series.
func (m *why) Title() string {
	return chart.Series(m.lang, m.Snapshot.Categories(), m.Snapshot.Banners, m.places(m.Row.Week), *m.Row.Cell)
}

// Version names what the row was made from.
func (m *why) Version() string { return m.version(m.Snapshot) }

// Figure is the address of the figure of the series.
func (m *why) Figure() template.URL { return address(Path, m.Address()) }

func (m *why) change(d *jevons.Decomposition) whyChange {
	q, week := m.Row.Extra.Quality, d == m.WoW
	by, se := m.Row.WoW, q.SEWoW
	low, high := q.LowWoW, q.HighWoW
	if !week {
		by, se = jevons.AboveBase(m.Row.Index), q.SE
		low, high = jevons.AboveBase(q.Low), jevons.AboveBase(q.High)
	}
	w := whyChange{Week: week, Alike: se == panel.FixedOf(0), From: m.lang.Day(d.From.Date()),
		Change: m.lang.Change(by), Headline: m.Row.Cell.Category == basket.Overall}
	if low.Valid {
		w.Low, w.High, w.Unclear = m.lang.Number(low), m.lang.Number(high), jevons.Unclear(low, high)
	}
	if w.Headline {
		list := whyList{Categories: true}
		for _, c := range m.Categories() {
			points := c.Level
			if week {
				points = c.WoW
			}
			list.Parts = append(list.Parts, m.category(c.Category, points))
		}
		w.Lists = append(w.Lists, m.list(list, mostCategories))
	}
	if m.Prices || m.Products && !w.Headline {
		list := whyList{Prices: m.Prices}
		for i := range d.Products {
			list.Parts = append(list.Parts, m.product(&d.Products[i]))
		}
		w.Lists = append(w.Lists, m.list(list, mostProducts))
	}
	return w
}

func (m *why) category(category basket.Category, points panel.Fixed) whyPart {
	cell := *m.Row.Cell
	cell.Category = category
	part := whyPart{Name: chart.Category(m.lang, m.Snapshot.Categories(), category), units: points.Units}
	own := m.published.Find(m.Row.Week, cell)
	if own == nil {
		return part
	}
	part.Own = m.lang.Number(chart.OneDecimal(own.Index))
	if name := m.Snapshot.Names().Name(cell); name != "" {
		part.Address = m.why(name, m.Row.Week, m.lang)
	}
	return part
}

// product describes the part of a product, with details if the reader may see them.
func (m *why) product(c *jevons.Contribution) whyPart {
	part := whyPart{Name: c.Product.Name, units: c.Rounded.Units}
	if m.lang.Code == words.French.Code {
		part.Name = cmp.Or(c.Product.NameFr, c.Product.Name)
	}
	if !m.Prices {
		return part
	}
	part.Stores, part.Trimmed, part.Own = c.Stores, c.Trimmed, "–"
	part.Weight = m.lang.Number(fmt.Sprintf("%.4f", c.Share))
	if own := c.OverWeek(); own != "" {
		part.Own = m.lang.Change(own)
	}
	return part
}

// list sorts the parts, keeps the largest ones each way, and adds up the others.
func (m *why) list(l whyList, most int) whyList {
	slices.SortStableFunc(l.Parts, func(a, b whyPart) int { return cmp.Compare(b.units, a.units) })
	var sum, longest int64
	rest, shown := whyPart{}, []whyPart(nil)
	for i, p := range l.Parts {
		sum += p.units
		if i < most && p.units > 0 || i >= len(l.Parts)-most && p.units < 0 || len(l.Parts) <= most {
			shown = append(shown, p)
			longest = max(longest, p.units, -p.units)
		} else {
			rest.Rest++
			rest.units += p.units
		}
	}
	if rest.Rest > 0 {
		longest = max(longest, rest.units, -rest.units)
		falls := slices.IndexFunc(append(shown, whyPart{units: -1}), func(p whyPart) bool { return p.units < 0 })
		shown = slices.Insert(shown, falls, rest)
	}
	for i := range shown {
		shown[i].Points = m.signed(shown[i].units)
		shown[i].Bar = int(100 * shown[i].units / max(longest, 1))
	}
	l.Parts, l.Sum = shown, m.signed(sum)
	return l
}

func (m *why) signed(units int64) string {
	text := m.lang.Number(panel.FixedOf(units))
	if units > 0 {
		return "+" + text
	}
	return text
}

func (q *Query) why(series string, week panel.Week, l *words.Language) template.URL {
	return address(PathWhy, (&Query{Names: []string{series}, week: week, lang: l, AsOf: q.AsOf}).Address())
}

var plainWord = regexp.MustCompile(`^[\w.-]+$`)

// Flags are the flags of commands that name the row.
func (m *why) Flags() string {
	cell, text := m.Row.Cell, "--date "+m.Row.Week.String()
	for _, flag := range [][2]string{{" --city ", cell.City}, {" --banner ", cell.Banner},
		{" --category ", cell.Category.Slug()}} {
		word := flag[1]
		if !plainWord.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		if flag[1] != "" {
			text += flag[0] + word
		}
	}
	return text
}
