package chart

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

var views = [...]struct{ title, unit string }{
	table.ViewIndex: {words.Key("Grocery price index"), words.Key("Index, week ending {week} = 100")},
	table.ViewYoY: {words.Key("Grocery prices, change in 52 weeks"),
		words.Key("Percent change from 52 weeks earlier")},
	table.ViewSince: {words.Key("Grocery prices, change since {week}"),
		words.Key("Percent change from the week ending {week}")},
	table.ViewFourWeeks: {words.Key("Grocery prices, change in four weeks"),
		words.Key("Percent change from 4 weeks earlier")},
	table.ViewCost: {words.Key("Cost of the grocery basket"), words.Key("Canadian dollars")},
}

// Category names a slice of the basket, of a list of categories.
func Category(l *words.Language, list basket.Categories, c basket.Category) string {
	switch named := list.Named(c); {
	case c == basket.Overall:
		return l.T(words.Key("All items"))
	case l.Code == words.French.Code:
		return cmp.Or(named.NameFr, named.Name)
	default:
		return named.Name
	}
}

// Credit says whose prices the figure shows, and that invented prices are invented.
func (f *Figure) Credit(about *panel.About) {
	f.Publisher = about.Publisher
	f.Source = cmp.Or(about.Attribution, about.Source, about.Publisher,
		f.Lang.T(words.Key("Larder, weekly matched-model Jevons index")))
	if about.Synthetic {
		f.Source += " " + f.Lang.T(words.Key("(invented prices)"))
		f.Notice = f.Lang.T(panel.SyntheticNotice)
	}
}

// Snapshot names a snapshot by the first digits of its hash.
func Snapshot(l *words.Language, hash string) string {
	const enough = 16
	return l.T(words.Key("snapshot {hash}"), hash[:enough])
}

// OneDecimal rounds half away from zero.
func OneDecimal(v panel.Fixed) string { return decimal.New(v.Units, -4).StringFixed(1) }

// Number writes a value of a view as people read it: one decimal, or the cents
// of a cost. Changes have a sign. Null is words.None.
func Number(l *words.Language, v table.View, value panel.Fixed) string {
	if !value.Valid {
		return words.None
	}
	return number(l, v, value, 1)
}

// number writes a value with so many decimals, a cost with its cents.
func number(l *words.Language, v table.View, value panel.Fixed, decimals int32) string {
	if v == table.ViewCost {
		decimals = l.Cents()
	}
	return written(l, v, decimal.New(value.Units, -4).StringFixed(decimals))
}

func written(l *words.Language, v table.View, text string) string {
	switch v {
	case table.ViewIndex:
		return l.Number(text)
	case table.ViewCost:
		return l.Money(text)
	default:
		return l.Change(text)
	}
}

// naming names the title by what all series share, and a line by what differs.
type naming struct {
	*words.Language
	categories                    basket.Categories
	banners                       []basket.Banner
	places                        words.Places
	first                         jevons.Cell
	category, level, city, banner bool // the same for all series
	cities                        []string
}

func newNaming(l *words.Language, list basket.Categories, banners []basket.Banner, places words.Places,
	cells ...jevons.Cell) *naming {
	n := &naming{l, list, banners, places, cells[0], true, true, true, true, nil}
	for _, c := range cells {
		n.category = n.category && c.Category == n.first.Category
		n.level = n.level && c.Level == n.first.Level
		n.city = n.city && c.City == n.first.City
		n.banner = n.banner && c.Banner == n.first.Banner
		if !slices.Contains(n.cities, c.City) {
			n.cities = append(n.cities, c.City)
		}
	}
	return n
}

// Series names a series by its category and place, such as "Dairy, in Toronto".
func Series(l *words.Language, list basket.Categories, banners []basket.Banner, places words.Places,
	cell jevons.Cell) string {
	return newNaming(l, list, banners, places, cell).title()
}

func (n *naming) title() string {
	what := n.T(words.Key("by category"))
	if n.category {
		what = Category(n.Language, n.categories, n.first.Category)
	}
	return what + ", " + n.place(n.places)
}

// place says where the series are from; whole is that of the headline.
func (n *naming) place(whole words.Places) string {
	switch banner := n.display(n.first.Banner); {
	case n.city && n.banner && n.first.City == "":
		return n.In(whole)
	case n.city && n.banner && banner != "":
		return n.T(words.Key("at {banner} in {city}"), banner, n.T(n.first.City))
	case n.city && n.banner:
		return n.T(words.Key("in {city}"), n.T(n.first.City))
	case n.city:
		return n.T(words.Key("by chain in {city}"), n.T(n.first.City))
	case n.banner && banner != "":
		return n.T(words.Key("at {banner}, by city"), banner)
	case n.level && n.banner && len(n.cities) == 2:
		return n.T(words.Key("in {city} and {other}"), n.T(n.cities[0]), n.T(n.cities[1]))
	case n.level && n.banner:
		return n.In(words.Places{Cities: n.cities, Parts: n.places.Parts})
	}
	return n.T(words.Key("by place"))
}

func (n *naming) line(c jevons.Cell) string {
	place := n.T(c.City)
	switch {
	case n.city && n.banner:
		return Category(n.Language, n.categories, c.Category)
	case c.Level == jevons.National:
		place = n.Whole(n.places)
	case c.Level == jevons.Banner && n.city:
		place = n.display(c.Banner)
	case c.Level == jevons.Banner && !n.banner:
		place = n.display(c.Banner) + ", " + place
	}
	if n.category {
		return place
	}
	return n.T(words.Key("{name}: {value}"), place, Category(n.Language, n.categories, c.Category))
}

func (n *naming) display(key string) string {
	if i := slices.IndexFunc(n.banners, func(b basket.Banner) bool { return b.Key == key }); i >= 0 {
		return n.banners[i].Name
	}
	return key
}
