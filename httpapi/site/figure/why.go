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
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// why is a change between two weeks taken apart, for one reader: the data of the page.
type why struct {
	view
	*jevons.Explanation
	Weeks         []panel.Week // published, newest first
	Before, After panel.Week   // published beside the row's, or 0
	Oldest        panel.Week
	Sentence      string // what moved it most; or empty
	Low, High     string // of the interval; or empty
	Unclear       bool   // the interval contains no change
	Alike         bool   // all products moved alike, so there is no interval
	Week          bool   // the change is a headline's from the week before
	Lists         []whyList
	Products      bool // the reader may see contributions of products
	Prices        bool // and details of these
}

// whyList has the largest contributions each way, the largest rise first, all others in one line, and
// their sum. Each line is a step on the way from the first week, which is at 0, to the second.
type whyList struct {
	Categories, Prices bool // what the lines are; whether they have details
	Parts              []whyPart
	Low, Span          int64 // the lowest end of a step, and from there to the highest
}

// whyPart is a line of a list. All texts are as people read them, or empty.
type whyPart struct {
	Name     string
	Address  template.URL // of the same weeks of the category
	Points   string       // one decimal; the lines' add up to the sum's
	Exact    panel.Fixed
	From, To int64 // ends of the step, in ten-thousandths of a point
	Own      string
	Weight   string
	Stores   int
	Trimmed  int
	Rest     int // the number of others in the line
	Sum      bool
}

// The largest numbers of contributions shown each way.
const (
	mostCategories = 9
	mostProducts   = 6
)

// Why returns the page that takes the change of a series to a week apart: to the one that has the day, or
// to the newest one. key is the reader's; the zero key sees what anybody may see.
func Why(s *Source, q *Query, day panel.Date, key state.Key) ([]byte, error) {
	v, err := open(s, q)
	if err != nil {
		return nil, err
	}
	m := &why{view: v, Products: key.ID != 0, Prices: key.Tier >= state.Standard}
	if err := m.explain(v.cells[0], day); err != nil {
		return nil, err
	}
	m.addInterval()
	m.addLists()
	return s.Pages.Render("why", pages.View{
		Lang: q.lang, Base: s.BaseURL, About: s.Snapshot.Words, Data: m,
		Elsewhere: string(q.why(q.Names[0], m.Row.Week, q.from, q.lang.Other())),
	})
}

// explain takes apart the change of a cell to the week that has the day, or to the newest one. The prices
// in service have to give both published rows.
func (m *why) explain(cell jevons.Cell, day panel.Date) error {
	for week := m.last; week >= m.Snapshot.Base; week = week.Add(-1) {
		if m.published.Find(week, cell) != nil {
			m.Weeks = append(m.Weeks, week)
		}
	}
	week, from := day.Week(), m.from.Week()
	if day == 0 {
		week = append(m.Weeks, m.Snapshot.Base)[0]
	}
	i, row := slices.Index(m.Weeks, week), m.published.Find(week, cell)
	if i > 0 {
		m.After = m.Weeks[i-1]
	}
	if i >= 0 && i+1 < len(m.Weeks) {
		m.Before = m.Weeks[i+1]
	}
	headline := cell.Category == basket.Overall
	switch {
	case week > m.last:
		return reply.Invalid("week", nil,
			"week: the week ending %s is not published; the last one is the week ending %s", week, m.last)
	case m.from == 0 && row != nil && (m.Before == 0 || headline && !row.WoW.Valid):
		from = row.Base
	case m.from == 0:
		from = cmp.Or(m.Before, week)
	case from >= week:
		return reply.Invalid("from", nil, "from: the week ending %s is not before the week ending %s; "+
			"choose an earlier one, or leave out from", from, week)
	}
	if err := m.Snapshot.NeedPrices(); err != nil {
		return err
	}
	computed, err := m.Snapshot.Quality()
	if err != nil {
		return err
	}
	for _, w := range []panel.Week{from, week} {
		row, own := m.published.Find(w, cell), computed.Find(w, cell)
		switch {
		case row == own || row != nil && own != nil && row.Same(own):
		case m.AsOf != "":
			return reply.Invalid("as_of", nil,
				"as_of: the prices in service do not give what that release published of the week ending %s, "+
					"and a release log keeps no prices; leave out as_of", w)
		default:
			return reply.Invalid("week", nil, "week: another revision of the method computed the row of the week "+
				"ending %s; it can be taken apart after the next release", w)
		}
	}
	m.Week, m.Oldest = headline && from == m.Before, slices.Min(append(m.Weeks, week))
	if m.Explanation, err = computed.Between(from, week, cell); errors.Is(err, jevons.ErrNotPublished) {
		return reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	}
	return err
}

// Title names the series.
func (m *why) Title() string {
	return chart.Series(m.lang, m.Snapshot.Categories(), m.Snapshot.Banners, m.places(m.Row.Week), *m.Row.Cell)
}

// Version names what the row was made from.
func (m *why) Version() string { return m.version(m.Snapshot) }

// Figure is the address of the figure of the series.
func (m *why) Figure() template.URL { return address(Path, m.Address()) }

// Headline reports whether the series is of all categories.
func (m *why) Headline() bool { return m.Row.Cell.Category == basket.Overall }

// To is the address of the change to a week.
func (m *why) To(week panel.Week) template.URL {
	return m.why(m.Names[0], week, m.from, m.lang)
}

// SinceBase is the address of the change from the base to the same week.
func (m *why) SinceBase() template.URL {
	return m.why(m.Names[0], m.Row.Week, m.Row.Base.Date(), m.lang)
}

// addInterval finds the interval of the change. Only a headline's has one, from the week before and from the base.
func (m *why) addInterval() {
	var low, high, se panel.Fixed
	switch q := m.Row.Extra.Quality; {
	case m.Since.From == m.Row.Base:
		low, high, se = jevons.AboveBase(q.Low), jevons.AboveBase(q.High), q.SE
	case m.Week:
		low, high, se = q.LowWoW, q.HighWoW, q.SEWoW
	}
	m.Alike, m.Unclear = se == panel.FixedOf(0), jevons.Unclear(low, high)
	if low.Valid {
		m.Low, m.High = m.change(low), m.change(high)
	}
}

// Change writes the change with one decimal.
func (m *why) Change() string { return m.change(m.Since.Published) }

func (m *why) change(v panel.Fixed) string { return chart.Number(m.lang, table.ViewSince, v) }

func (m *why) addLists() {
	if m.Since.From == m.Row.Week {
		return
	}
	if m.Headline() {
		list := whyList{Categories: true}
		for _, c := range m.Explanation.Categories() {
			list.Parts = append(list.Parts, m.category(c.Category, c.Level))
		}
		m.Lists = append(m.Lists, m.list(list, mostCategories))
	}
	if m.Prices || m.Products && !m.Headline() {
		list := whyList{Prices: m.Prices}
		for i := range m.Since.Products {
			list.Parts = append(list.Parts, m.product(&m.Since.Products[i]))
		}
		m.Lists = append(m.Lists, m.list(list, mostProducts))
	}
	if m.Lists != nil {
		m.Sentence = m.sentence(m.Lists[0])
	}
}

func (m *why) category(category basket.Category, points panel.Fixed) whyPart {
	cell := *m.Row.Cell
	cell.Category = category
	part := whyPart{Exact: points, Own: m.change(panel.Fixed{})}
	part.Name = chart.Category(m.lang, m.Snapshot.Categories(), category)
	then, own := m.published.Find(m.Since.From, cell), m.published.Find(m.Row.Week, cell)
	if then == nil || own == nil {
		return part
	}
	part.Own = m.change(jevons.PercentChange(own.Index.Units, then.Index.Units))
	if name := m.Snapshot.Names().Name(cell); name != "" {
		part.Address = m.why(name, m.Row.Week, m.from, m.lang)
	}
	return part
}

// product describes the part of a product, with details if the reader may see them.
func (m *why) product(c *jevons.Contribution) whyPart {
	part := whyPart{Name: c.Product.Name, Exact: c.Rounded}
	if m.lang.Code == words.French.Code {
		part.Name = cmp.Or(c.Product.NameFr, c.Product.Name)
	}
	if !m.Prices {
		return part
	}
	part.Stores, part.Trimmed, part.Own = c.Stores, c.Trimmed, m.change(c.OverWeek())
	part.Weight = m.lang.Number(fmt.Sprintf("%.4f", c.Share))
	return part
}

// list sorts the parts, keeps the largest ones each way, and adds up the others. Each begins where the one
// before ends.
func (m *why) list(l whyList, most int) whyList {
	slices.SortStableFunc(l.Parts, func(a, b whyPart) int { return cmp.Compare(b.Exact.Units, a.Exact.Units) })
	n, rises, falls := len(l.Parts), 0, len(l.Parts)
	for rises < min(most, n) && l.Parts[rises].Exact.Units > 0 {
		rises++
	}
	for falls > max(rises, n-most) && l.Parts[falls-1].Exact.Units < 0 {
		falls--
	}
	if n > most && rises < falls {
		rest := whyPart{Rest: falls - rises, Exact: panel.FixedOf(0)}
		for _, p := range l.Parts[rises:falls] {
			rest.Exact.Units += p.Exact.Units
		}
		l.Parts = slices.Replace(l.Parts, rises, falls, rest)
	}
	var exact []panel.Fixed
	for _, p := range l.Parts {
		exact = append(exact, p.Exact)
	}
	at, high := int64(0), int64(1)
	for i, v := range jevons.Tenths(exact) {
		p := &l.Parts[i]
		p.Points, p.From, p.To = m.signed(v), at, at+p.Exact.Units
		at = p.To
		l.Low, high = min(l.Low, at), max(high, at)
	}
	l.Span = high - l.Low
	total := m.Since.Published
	l.Parts = append(l.Parts, whyPart{Sum: true, Exact: total, Points: m.signed(total), To: at})
	return l
}

// signed writes points with one decimal and their sign.
func (m *why) signed(v panel.Fixed) string {
	return strings.TrimSuffix(m.change(v), m.lang.Percent(""))
}

// sentence says what of a list moved the series most each way, as far as it is a tenth of a point. The style
// sheet begins it with a capital.
func (m *why) sentence(list whyList) string {
	var up, down whyPart
	for _, p := range list.Parts {
		switch none := m.signed(panel.FixedOf(0)); {
		case p.Name == "" || p.Points == none || m.signed(p.Exact) == none:
		case p.Exact.Units < 0:
			down = p
		case up.Name == "":
			up = p
		}
	}
	if list.Categories {
		up.Name, down.Name = strings.ToLower(up.Name), strings.ToLower(down.Name)
	}
	key := words.Key("nothing in it moved it by a tenth of a point.")
	args := []any{up.Name, strings.TrimLeft(up.Points, "+"), down.Name, strings.TrimLeft(down.Points, "−")}
	switch {
	case up.Name != "" && down.Name != "":
		key = words.Key("{up} added {more} points; {down} took {less} off.")
	case up.Name != "":
		key = words.Key("{up} added {more} points.")
	case down.Name != "":
		key, args = words.Key("{down} took {less} points off."), args[2:]
	}
	text := m.lang.T(key, args...)
	if m.Unclear {
		text = m.lang.T(words.Key("no clear change: {sentence}"), text)
	}
	return text
}

func (q *Query) why(series string, week panel.Week, from panel.Date, l *words.Language) template.URL {
	return WhyOf(l, series, week, from, q.AsOf)
}

// WhyOf returns the address of the change of a series to a week, from the week of a day that is earlier, or
// else from the published week before.
func WhyOf(l *words.Language, series string, week panel.Week, from panel.Date, asOf string) template.URL {
	next := &Query{Names: []string{series}, week: week, lang: l, AsOf: asOf}
	if from < week.Date() {
		next.from = from
	}
	return address(PathWhy, next.Address())
}

// comparedWith is the week that the view counts the change to a week from, or 0.
func (q *Query) comparedWith(week panel.Week) panel.Date {
	if n := q.shown.View.Weeks(); n > 0 {
		return week.Add(-n).Date()
	}
	return q.shown.Since.Date()
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
