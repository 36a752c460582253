package desk

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// packs are the newest packs that got smaller, of a period and some grades.
type packs struct {
	Days   []figure.Option
	Grades []grade
	Events []event // the newest first
	Total  int     // of the grades
}

// mostPacks is how many packs the page shows at most.
const mostPacks = 40

type grade struct {
	Value, Name, Means string
	Count              int
	Here               bool
}

type event struct {
	wire.Event
	Name, Chain, Category, Recorded string
	Size, UnitPrice, Before, After  string
	Shelf, Grade, Flag              string
}

var grades = []struct{ name, means string }{
	shrink.High: {words.Key("high"), words.Key(
		"the unit price rose as much as the pack shrank: a smaller pack at about the old price")},
	shrink.Medium: {words.Key("medium"), words.Key(
		"smaller, and its price moved as well; or it got cheaper with its size")},
	shrink.Low: {words.Key("low"), words.Key("doubtful, often misread or another pack: check one by one")},
}

var flags = map[string]string{
	"suspect_tiny": words.Key(
		"A change of less than 2%: too little to tell from another way of weighing or rounding."),
	"suspect_swap": words.Key(
		"It lost a fifth or more: most often another pack under the same listing, or a misread size."),
	"suspect_unit_mismatch": words.Key("The price contradicts the size, or there is no price to compare with."),
}

func (d *desk) packs() *packs {
	p, wanted := &packs{}, d.q.Rest["grade"]
	for _, name := range wanted {
		if _, err := shrink.ParseConfidence(name); err != nil {
			d.q.Params.Err = reply.Invalid("grade", nil, "grade: %s", err)
		}
	}
	if len(wanted) == 0 {
		wanted = []string{shrink.High.String(), shrink.Medium.String()}
	}
	periods := []string{"30", "90", "365"}
	period := cmp.Or(d.q.Params.OneOf("days", periods), "90")
	for i, text := range []string{words.Key("In the last 30 days"), words.Key("In the last 90 days"),
		words.Key("In the last year")} {
		p.Days = append(p.Days, figure.Option{Value: periods[i], Text: d.l.T(text), Here: periods[i] == period})
	}
	for i, x := range grades {
		name := shrink.Confidence(i).String()
		p.Grades = append(p.Grades, grade{Value: name, Name: d.l.T(x.name), Means: d.l.T(x.means),
			Here: slices.Contains(wanted, name)})
	}
	days, _ := strconv.Atoi(period) // it is one of those above
	since := d.Snapshot.Words.Calendar().DateIn(d.At) - panel.Date(days)
	for _, e := range slices.Backward(d.Snapshot.Shrinkages()) {
		if e.Day < since || e.DetectedAt.After(d.At) {
			continue
		}
		g := &p.Grades[e.Confidence]
		g.Count++
		if g.Here {
			p.Total++
			if len(p.Events) < mostPacks {
				p.Events = append(p.Events, d.event(&e, g.Name))
			}
		}
	}
	return p
}

func (d *desk) event(e *shrink.Graded, grade string) event {
	of := d.Snapshot.Listings[e.Listing]
	x := event{
		Event: prepared.NewEvent(e, of), Name: of.Product.Name, Chain: of.Banner.Name, Recorded: d.l.Day(e.Day),
		Size: d.percent(e.PctSizeChange), UnitPrice: d.percent(e.PctUnitPriceChange), Grade: grade,
	}
	x.Before, x.After = d.l.Money(x.OldUnitPrice), d.l.Money(x.NewUnitPrice)
	x.Shelf = d.number(table.ViewCost, panel.Fixed{Units: int64(e.ShelfPrice), Valid: e.ShelfPrice.Valid()})
	if e.PctSizeChange.Units == shrink.Floor {
		x.Size = d.l.T(words.Key("{share} or more"), x.Size)
	}
	if d.l.Code == words.French.Code {
		x.Name = cmp.Or(of.Product.NameFr, x.Name)
	}
	categories := d.Snapshot.Categories()
	x.Category = chart.Category(d.l, categories, categories.Of(of.Product.Category))
	if key := flags[e.Flag]; key != "" {
		x.Flag = d.l.T(key)
	}
	return x
}
