package figure

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	Sentence  string     // what moved it most; or empty
	Low, High string     // of the interval; or empty
	Unclear   bool       // the interval contains no change
	Clear     bool       // it doesn't
	Week      bool       // the change is that from the week before, of a headline
	Alike     bool       // all products moved alike, so there is no interval
	Weeks     []weekStep // published, newest first
	Lists     []whyList
	Products  bool // the reader may see contributions of products
	Prices    bool // and details of these

	computed *jevons.Table // by the prices in service
}

// weekStep is a published week, and the page that takes it apart.
type weekStep struct {
	Date panel.Week
	Why  template.URL
}

// whyList has the largest contributions each way, the largest rise first, and all others in one line.
// They are the steps from the first week to the second.
type whyList struct {
	Categories, Prices bool // what the lines are; whether they have details
	Parts              []whyPart
	Sum                whyPart
}

// whyPart is a line of a list. All texts are as people read them, or empty.
type whyPart struct {
	Name    string
	Address template.URL // of the same weeks of the category
	Points  string       // one decimal; the lines' add up to the sum's
	Exact   panel.Fixed
	Bar     bar
	Own     string
	Weight  string
	Stores  int
	Trimmed int
	Rest    int // the number of others in the line

	shown panel.Fixed // one decimal
}

// bar is a step of a list in thousandths of the picture's width. Zero is where the first one begins.
type bar struct{ Zero, From, To int64 }

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
	m.say()
	for week := m.last; week >= s.Snapshot.Base; week = week.Add(-1) {
		if m.published.Find(week, v.cells[0]) != nil {
			m.Weeks = append(m.Weeks, weekStep{week, q.why(q.Names[0], week, q.from, q.lang)})
		}
	}
	return s.Pages.Render("why", pages.View{
		Lang: q.lang, Base: s.BaseURL, About: s.Snapshot.Words, Data: m,
		Elsewhere: string(q.why(q.Names[0], m.Row.Week, q.from, q.lang.Other())),
	})
}

// explain takes apart the change of a cell to the week that has the day, or to the newest one. The prices
// in service have to give both published rows.
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
	from := m.from.Week()
	if m.from == 0 {
		from = m.before(week, cell)
	} else if from >= week {
		return reply.Invalid("from", nil, "from: the week ending %s is not before the week ending %s; "+
			"choose an earlier one, or leave out from", from, week)
	}
	if err := m.Snapshot.NeedPrices(); err != nil {
		return err
	}
	if m.computed, err = m.Snapshot.Quality(); err != nil {
		return err
	}
	for _, w := range []panel.Week{from, week} {
		row, own := m.published.Find(w, cell), m.computed.Find(w, cell)
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
	if m.Explanation, err = m.computed.Between(from, week, cell); errors.Is(err, jevons.ErrNotPublished) {
		return reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	}
	return err
}

// before returns the published week before a week, and the base if a headline has no change over that week.
func (m *why) before(week panel.Week, cell jevons.Cell) panel.Week {
	row, then := m.published.Find(week, cell), m.published.Before(week, cell)
	switch {
	case row == nil:
		return week
	case then == nil || cell.Category == basket.Overall && !row.WoW.Valid:
		return row.Base
	}
	return then.Week
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

// First reports whether the series begins in the week, so that nothing has changed.
func (m *why) First() bool { return m.Since.From == m.Row.Week }

// FromBase reports whether the change is from the base.
func (m *why) FromBase() bool { return m.Since.From == m.Row.Base }

// Given reports whether the reader chose the week that the change is from.
func (m *why) Given() bool { return m.from != 0 }

// Beside returns the published week so many published weeks later, or nil.
func (m *why) Beside(later int) *weekStep {
	i := slices.IndexFunc(m.Weeks, func(s weekStep) bool { return s.Date == m.Row.Week }) - later
	if i < 0 || i >= len(m.Weeks) {
		return nil
	}
	return &m.Weeks[i]
}

// Oldest and Newest are the ends of the series.
func (m *why) Oldest() *weekStep { return &m.Weeks[len(m.Weeks)-1] }
func (m *why) Newest() *weekStep { return &m.Weeks[0] }

// SinceBase is the address of the change from the base to the same week.
func (m *why) SinceBase() template.URL {
	return m.why(m.Names[0], m.Row.Week, m.Row.Base.Date(), m.lang)
}

// addInterval finds the interval of the change. Only a headline's has one, from the week before and from the base.
func (m *why) addInterval() {
	q := m.Row.Extra.Quality
	before := m.published.Before(m.Row.Week, *m.Row.Cell)
	m.Week = m.Headline() && before != nil && before.Week == m.Since.From
	low, high, se := panel.Fixed{}, panel.Fixed{}, panel.Fixed{}
	switch {
	case m.FromBase():
		low, high, se = jevons.AboveBase(q.Low), jevons.AboveBase(q.High), q.SE
	case m.Week:
		low, high, se = q.LowWoW, q.HighWoW, q.SEWoW
	}
	m.Alike = se == panel.FixedOf(0)
	if low.Valid {
		m.Unclear = jevons.Unclear(low, high)
		m.Clear = !m.Unclear
		m.Low, m.High = m.change(low), m.change(high)
	}
}

// Change writes the change with one decimal.
func (m *why) Change() string { return m.change(m.Since.Published) }

func (m *why) change(v panel.Fixed) string {
	if !v.Valid {
		return "–"
	}
	return chart.Number(m.lang, table.ViewSince, v)
}

func (m *why) addLists() {
	if m.First() {
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

// list sorts the parts, keeps the largest ones each way, and adds up the others. Its bars begin where the
// one before ends.
func (m *why) list(l whyList, most int) whyList {
	slices.SortStableFunc(l.Parts, func(a, b whyPart) int { return cmp.Compare(b.Exact.Units, a.Exact.Units) })
	rest, lines, falls := whyPart{}, []whyPart(nil), 0
	for i, p := range l.Parts {
		up, down := i < most && p.Exact.Units > 0, i >= len(l.Parts)-most && p.Exact.Units < 0
		if !up && !down && len(l.Parts) > most {
			rest.Rest++
			rest.Exact = panel.FixedOf(rest.Exact.Units + p.Exact.Units)
			continue
		}
		lines = append(lines, p)
		if p.Exact.Units >= 0 {
			falls = len(lines)
		}
	}
	if rest.Rest > 0 {
		lines = slices.Insert(lines, falls, rest)
	}
	var exact []panel.Fixed
	for _, p := range lines {
		exact = append(exact, p.Exact)
	}
	at, low, high := int64(0), int64(0), int64(0)
	for i, v := range jevons.Tenths(exact) {
		p := &lines[i]
		p.shown, p.Points, p.Bar.From = v, m.signed(v), at
		at += p.Exact.Units
		p.Bar.To, low, high = at, min(low, at), max(high, at)
	}
	place := func(b bar) bar {
		in := func(units int64) int64 { return 1000 * (units - low) / max(1, high-low) }
		return bar{in(0), in(b.From), in(b.To)}
	}
	for i := range lines {
		lines[i].Bar = place(lines[i].Bar)
	}
	l.Parts = lines
	l.Sum = whyPart{Exact: m.Since.Published, Points: m.signed(m.Since.Published), Bar: place(bar{To: at})}
	return l
}

// signed writes points with one decimal and their sign.
func (m *why) signed(v panel.Fixed) string {
	return strings.TrimSuffix(m.change(v), m.lang.Percent(""))
}

// say says what moved the series most each way, as far as it is a tenth of a point.
func (m *why) say() {
	if m.Lists == nil {
		return
	}
	list, up, down := &m.Lists[0], whyPart{}, whyPart{}
	for _, p := range list.Parts {
		switch {
		case p.Name == "" || p.shown.Units == 0 || m.signed(p.Exact) == m.signed(panel.FixedOf(0)):
		case p.Exact.Units < 0:
			down = p
		case up.Name == "":
			up = p
		}
	}
	name := func(p whyPart) string {
		if list.Categories {
			return lower(p.Name)
		}
		return p.Name
	}
	points := func(p whyPart) string { return strings.TrimLeft(p.Points, "+−") }
	switch {
	case up.Name != "" && down.Name != "":
		m.Sentence = m.lang.T(words.Key("{up} added {more} points; {down} took {less} off."),
			name(up), points(up), name(down), points(down))
	case up.Name != "":
		m.Sentence = m.lang.T(words.Key("{up} added {more} points."), name(up), points(up))
	case down.Name != "":
		m.Sentence = m.lang.T(words.Key("{down} took {less} points off."), name(down), points(down))
	case list.Categories:
		m.Sentence = m.lang.T(words.Key("no category moved it by a tenth of a point."))
	default:
		m.Sentence = m.lang.T(words.Key("no product moved it by a tenth of a point."))
	}
	if m.Unclear {
		m.Sentence = m.lang.T(words.Key("no clear change: {sentence}"), m.Sentence)
	}
	first, rest := utf8.DecodeRuneInString(m.Sentence)
	m.Sentence = string(unicode.ToUpper(first)) + m.Sentence[rest:]
}

// lower begins a name in a sentence with a small letter, unless the name is in capitals.
func lower(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	if next, _ := utf8.DecodeRuneInString(name[n:]); unicode.IsUpper(next) {
		return name
	}
	return string(unicode.ToLower(first)) + name[n:]
}

func (q *Query) why(series string, week panel.Week, from panel.Date, l *words.Language) template.URL {
	next := &Query{Names: []string{series}, week: week, lang: l, AsOf: q.AsOf}
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
