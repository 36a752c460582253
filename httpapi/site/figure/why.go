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
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Why is a change between two weeks taken apart, for one reader: the same in every form.
type Why struct {
	view
	*jevons.Explanation
	Weeks         []panel.Week // published, newest first
	Before, After panel.Week   // published beside the row's, or 0
	Oldest        panel.Week
	Picture       *Picture // of the steps; nil if the reader sees none
	Lists         []whyList
	Products      bool // the reader may see contributions of products
	Prices        bool // and details of these

	low, high panel.Fixed // ends of the interval, or null
	alike     bool        // all products moved alike, so there is no interval
	week      bool        // the change is a headline's from the week before
}

// whyList has the largest contributions each way, the largest rise first, all others in one line, and
// their sum.
type whyList struct {
	Categories, Prices bool // what the lines are; whether they have details
	Parts, all         []whyPart
}

// whyPart is a line of a list. All texts are as people read them, or empty.
type whyPart struct {
	ID      any // a slug, or the number of a product
	Name    string
	said    string       // the name in a sentence; empty: the line is of others, or the sum
	Address template.URL // of the same weeks of the category
	Points  string       // one decimal; the lines' add up to the sum's
	Exact   panel.Fixed
	Own     string
	Weight  string
	Stores  int
	Trimmed int
}

// The largest numbers of contributions shown each way.
const (
	mostCategories = 9
	mostProducts   = 6
)

// NewWhy takes the change of a series to a week apart. key is the reader's; the zero key sees what anybody may see.
func NewWhy(s *Source, q *Query, key state.Key) (*Why, error) {
	v, err := open(s, q, PathWhy)
	if err != nil {
		return nil, err
	}
	m := &Why{view: v, Products: key.ID != 0, Prices: key.Tier >= state.Standard}
	if err := m.explain(v.cells[0]); err != nil {
		return nil, err
	}
	q.week = m.Row.Week.Date()
	m.addInterval()
	m.addLists()
	return m, nil
}

// Page returns the page, which works without script.
func (m *Why) Page() (body []byte, err error) {
	if m.Lists != nil {
		if m.Picture, err = pictureAt(m.Drawn, m.Form(".svg")); err != nil {
			return nil, err
		}
		for _, part := range m.Lists[0].Parts {
			m.Picture.Steps = append(m.Picture.Steps, part.Address)
		}
	}
	return m.Pages.Render("why", pages.View{
		Lang: m.lang, Base: m.BaseURL, About: m.Snapshot.Words, Data: m, Elsewhere: m.elsewhere(),
	})
}

var errNoSteps = reply.Refuse("not_found", "no contribution to show: the week is the first one of the series, or "+
	"those of products need a key")

// CSV returns a line for each contribution, with all its decimals. Every line names the source.
func (m *Why) CSV() ([]byte, error) {
	if m.Lists == nil {
		return nil, errNoSteps
	}
	lines, source := [][]string{{"from", "date", "series", "id", "name", "points", "source"}}, m.source()
	for _, part := range m.Lists[0].all {
		lines = append(lines, []string{m.Since.From.String(), m.Row.Week.String(), phrase.Cell(m.Names[0]),
			phrase.Cell(fmt.Sprint(part.ID)), phrase.Cell(part.Name), part.Exact.String(), source})
	}
	return csvOf(lines)
}

// JSON returns the same contributions for programs, with the change and its interval.
func (m *Why) JSON() ([]byte, error) {
	if m.Lists == nil {
		return nil, errNoSteps
	}
	body := wire.Change{
		Origin: m.origin(m.citeAs(m.Drawn.Name, m.Row.Week.Date())), Series: m.Names[0],
		From: m.Since.From.String(), To: m.Row.Week.String(), Change: wire.Number(m.Since.Published.String()),
		Low: wire.Number(m.low.String()), High: wire.Number(m.high.String()),
	}
	for _, part := range m.Lists[0].all {
		body.Contributions = append(body.Contributions,
			wire.Contribution{ID: part.ID, Name: part.Name, Points: wire.Number(part.Exact.String())})
	}
	return reply.AppendJSON(nil, body)
}

// explain takes apart the change of a cell to the week that was asked for, or to the newest one. The prices
// in service have to give both published rows.
func (m *Why) explain(cell jevons.Cell) error {
	for week := m.Last; week >= m.Snapshot.Base; week = week.Add(-1) {
		if m.published.Find(week, cell) != nil {
			m.Weeks = append(m.Weeks, week)
		}
	}
	week, from := m.Query.week.Week(), m.From.Week()
	if m.Query.week == 0 {
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
	case week > m.Last:
		return reply.Invalid("week", nil,
			"week: the week ending %s is not published; the last one is the week ending %s", week, m.Last)
	case m.From == 0 && row != nil && (m.Before == 0 || headline && !row.WoW.Valid):
		from = row.Base
	case m.From == 0:
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
	m.week, m.Oldest = headline && from == m.Before, slices.Min(append(m.Weeks, week))
	if m.Explanation, err = computed.Between(from, week, cell); errors.Is(err, jevons.ErrNotPublished) {
		return reply.Refuse("not_found", strings.TrimPrefix(err.Error(), "jevons: "))
	}
	return err
}

// Title names the series.
func (m *Why) Title() string {
	return chart.Series(m.lang, m.Snapshot.Categories(), m.Snapshot.Banners, m.places(m.Row.Week), *m.Row.Cell)
}

// Version names what the row was made from.
func (m *Why) Version() string { return m.version(m.Snapshot) }

// Figure is the address of the figure of the series.
func (m *Why) Figure() template.URL {
	q := *m.Query
	q.week = 0
	return address(Path, q.Address())
}

// Headline reports whether the series is of all categories.
func (m *Why) Headline() bool { return m.Row.Cell.Category == basket.Overall }

// To is the address of the change to a week.
func (m *Why) To(week panel.Week) template.URL {
	return m.WhyOf(m.Names[0], week, m.From)
}

// addInterval finds the interval of the change. Only a headline's has one, from the week before and from the base.
func (m *Why) addInterval() {
	var se panel.Fixed
	switch q := m.Row.Extra.Quality; {
	case m.Since.From == m.Row.Base:
		m.low, m.high, se = jevons.AboveBase(q.Low), jevons.AboveBase(q.High), q.SE
	case m.week:
		m.low, m.high, se = q.LowWoW, q.HighWoW, q.SEWoW
	}
	m.alike = se == panel.FixedOf(0)
}

// Lead says what is taken apart.
func (m *Why) Lead() string {
	change, from, to := m.change(m.Since.Published), m.lang.Day(m.Since.From.Date()), m.lang.Day(m.Row.Week.Date())
	switch m.Since.From {
	case m.Row.Week:
		return m.lang.T(words.Key("The series begins in the week ending {week}: nothing has moved yet."), to)
	case m.Row.Base:
		return m.lang.T(words.Key("{change} from the base week, ending {from}, to the week ending {week}"), change,
			from, to)
	}
	return m.lang.T(words.Key("{change} from the week ending {from} to the week ending {week}"), change, from, to)
}

// Notes say over which products the change is, and how sure.
func (m *Why) Notes() (notes []string) {
	say := func(key string, args ...any) { notes = append(notes, m.lang.T(key, args...)) }
	if m.week {
		say(words.Key("The same products at the same stores in both weeks."))
	} else if m.Since.From != m.Row.Base {
		say(words.Key("The ratio of two published levels, each over its own products: what comes or goes counts."))
	}
	switch {
	case m.low.Valid:
		say(words.Key("95% interval {low} to {high}: sensitivity to the choice of products, not of stores."),
			m.change(m.low), m.change(m.high))
		if m.unclear() {
			say(words.Key("Other goods could have shown a rise or a fall: the interval contains 0."))
		}
	case !m.Headline():
		say(words.Key("The change of a category has no interval."))
	case !m.week && m.Since.From != m.Row.Base:
		say(words.Key("Only the change of a headline over the week or since the base has an interval."))
	case m.alike:
		say(words.Key("No interval: all products moved alike."))
	default:
		say(words.Key("Too few products for an interval."))
	}
	return notes
}

func (m *Why) unclear() bool { return jevons.Unclear(m.low, m.high) }

func (m *Why) change(v panel.Fixed) string { return chart.Number(m.lang, table.ViewSince, v) }

func (m *Why) addLists() {
	if m.Since.From == m.Row.Week {
		return
	}
	if m.Headline() {
		list := whyList{Categories: true}
		for _, c := range m.Explanation.Categories() {
			list.all = append(list.all, m.category(c.Category, c.Level))
		}
		m.Lists = append(m.Lists, m.list(list, mostCategories))
	}
	if m.Prices || m.Products && !m.Headline() {
		list := whyList{Prices: m.Prices}
		for i := range m.Since.Products {
			list.all = append(list.all, m.product(&m.Since.Products[i]))
		}
		m.Lists = append(m.Lists, m.list(list, mostProducts))
	}
	if m.Lists != nil {
		m.addPicture(m.Lists[0].Parts)
	}
}

// addPicture makes the figure of a list, whose title is the sentence.
func (m *Why) addPicture(list []whyPart) {
	m.Drawn = &chart.Figure{
		Lang: m.lang, Title: m.sentence(list), Notes: m.Notes(), Version: m.Version(),
		Name:  m.lang.T(words.Key("{name}: {value}"), m.Title(), m.Lead()),
		Unit:  m.lang.T(words.Key("Percentage points. Each bar begins where the one above it ends.")),
		Steps: &chart.Steps{From: m.Since.From, To: m.Row.Week, Clear: m.low.Valid && !m.unclear()},
	}
	for _, part := range list {
		m.Drawn.Steps.Parts = append(m.Drawn.Steps.Parts,
			chart.Step{Name: part.Name, Points: part.Points, Value: part.Exact})
	}
	m.Drawn.Credit(m.Snapshot.Words)
}

func (m *Why) category(category basket.Category, points panel.Fixed) whyPart {
	cell := *m.Row.Cell
	cell.Category = category
	list, part := m.Snapshot.Categories(), whyPart{ID: category.String(), Exact: points}
	part.Own = m.change(panel.Fixed{})
	part.Name = chart.Category(m.lang, list, category)
	part.said = part.Name
	if nine := basket.Categories(nil); nine.Named(category) == list.Named(category) {
		part.said = strings.ToLower(part.Name) // a publisher's own name keeps its capitals
	}
	then, own := m.published.Find(m.Since.From, cell), m.published.Find(m.Row.Week, cell)
	if then == nil || own == nil {
		return part
	}
	part.Own = m.change(jevons.PercentChange(own.Index.Units, then.Index.Units))
	if name := m.Snapshot.Names().Name(cell); name != "" {
		part.Address = m.WhyOf(name, m.Row.Week, m.From)
	}
	return part
}

// product describes the part of a product, with details if the reader may see them.
func (m *Why) product(c *jevons.Contribution) whyPart {
	part := whyPart{ID: c.Product.ID, Name: c.Product.Name, Exact: c.Rounded}
	if m.lang.Code == words.French.Code {
		part.Name = cmp.Or(c.Product.NameFr, c.Product.Name)
	}
	part.said = part.Name
	if !m.Prices {
		return part
	}
	part.Stores, part.Trimmed, part.Own = c.Stores, c.Trimmed, m.change(c.OverWeek())
	part.Weight = m.lang.Number(fmt.Sprintf("%.4f", c.Share))
	return part
}

// list sorts all parts, keeps the largest ones each way, and adds up the others.
func (m *Why) list(l whyList, most int) whyList {
	l.Parts = slices.Clone(l.all)
	slices.SortStableFunc(l.Parts, func(a, b whyPart) int { return cmp.Compare(b.Exact.Units, a.Exact.Units) })
	n, rises, falls := len(l.Parts), 0, len(l.Parts)
	for rises < min(most, n) && l.Parts[rises].Exact.Units > 0 {
		rises++
	}
	for falls > max(rises, n-most) && l.Parts[falls-1].Exact.Units < 0 {
		falls--
	}
	if n > most && rises < falls {
		rest := whyPart{Name: m.lang.T(words.Key("{n} other products"), falls-rises), Exact: panel.FixedOf(0)}
		if l.Categories {
			rest.Name = m.lang.T(words.Key("{n} other categories"), falls-rises)
		}
		for _, p := range l.Parts[rises:falls] {
			rest.Exact.Units += p.Exact.Units
		}
		l.Parts = slices.Replace(l.Parts, rises, falls, rest)
	}
	var exact []panel.Fixed
	for _, p := range l.Parts {
		exact = append(exact, p.Exact)
	}
	for i, v := range jevons.Tenths(exact) {
		l.Parts[i].Points = m.signed(v)
	}
	total := m.Since.Published
	l.Parts = append(l.Parts, whyPart{Name: m.lang.T("Change"), Exact: total, Points: m.signed(total)})
	return l
}

// signed writes points with one decimal and their sign.
func (m *Why) signed(v panel.Fixed) string {
	return strings.TrimSuffix(m.change(v), m.lang.Percent(""))
}

// WhyOf returns the address of the change of a series to a week, from the week of a day.
func (q *Query) WhyOf(series string, week panel.Week, from panel.Date) template.URL {
	return WhyOf(q.lang, series, week, from, q.AsOf)
}

// WhyOf returns the address of the change of a series to a week, from the week of a day that is earlier, or
// else from the published week before.
func WhyOf(l *words.Language, series string, week panel.Week, from panel.Date, asOf string) template.URL {
	next := &Query{Names: []string{series}, week: week.Date(), lang: l, AsOf: asOf}
	if from < week.Date() {
		next.From = from
	}
	return address(PathWhy, next.Address())
}

// comparedWith is the week that the view counts the change to a week from, or 0.
func (q *Query) comparedWith(week panel.Week) panel.Date {
	if n := q.Shown.View.Weeks(); n > 0 {
		return week.Add(-n).Date()
	}
	return q.Shown.Since.Date()
}

var plainWord = regexp.MustCompile(`^[\w.-]+$`)

// Flags are the flags of commands that name the row.
func (m *Why) Flags() string {
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
