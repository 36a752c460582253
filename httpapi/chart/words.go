package chart

import (
	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Words are the texts and formats of one language.
type Words struct {
	Lang                         string         // en or fr
	in                           *lang.Language // numbers and dates
	BaseWeek                     string
	Notice, Mark                 string // invented prices: a warning, and what follows the name of their source
	Source, Week, Weeks, Until   string // below the picture; Until follows the name of a line that ends early
	Value                        string // of the description: name, value, week
	None                         string // lines without a value
	Bands, Method, DefaultSource string

	titles, units map[table.View]string
	pilot         [2]string            // of the title, of the unit
	mixed         string               // the unit of lines with different bases
	Companions    map[string][2]string // by series: in the title, as a note

	categories                                                                       map[basket.Category]string
	byCategory, national, canada, byCity, byPlace, bannersIn, bannerIn, bannerByCity string
	colon                                                                            string
}

const nbsp = "\u00a0"

// English are the words of a figure that names none.
var English = &Words{
	Lang: "en", in: lang.English, BaseWeek: "base week",
	Notice: panel.SyntheticNotice, Mark: panel.SyntheticMark,
	Source: "Source: %s.", Week: "Week ending %s.", Weeks: "Weeks ending %s to %s.", Until: "(to %s)",
	Value: "%s: %s in the week ending %s.", None: "No value in these weeks: %s.",
	Bands:         "Bands: 95% intervals over the choice of products; not over stores, and not seasons.",
	Method:        "Not the published method: %s.",
	DefaultSource: "Larder, weekly matched-model Jevons index",
	titles: map[table.View]string{
		table.ViewIndex: "Grocery price index", table.ViewYoY: "Grocery prices, change from a year ago",
		table.ViewSince: "Grocery prices, change since %s", table.ViewFourWeeks: "Grocery prices, change in four weeks",
		table.ViewCost: "Cost of the grocery basket",
	},
	units: map[table.View]string{
		table.ViewIndex: "Index, week ending %s = 100", table.ViewYoY: "Percent change from 52 weeks earlier",
		table.ViewSince: "Percent change from the week ending %s", table.ViewFourWeeks: "Percent change from 4 weeks earlier",
		table.ViewCost: "Canadian dollars",
	},
	pilot: [2]string{" (pilot series v1)", "Index, pilot basis"},
	mixed: "Index, each series' entry week = 100 (levels do not compare)",
	Companions: map[string][2]string{
		jevons.RegularSeries: {" (companion series: regular)", "Prices without sales. Never splice this series into the published one."},
		jevons.LinkedSeries:  {" (companion series: linked)", "The base moves once a year or later. Never splice this series into the published one."},
	},
	categories: map[basket.Category]string{
		basket.Overall: "All items", basket.Dairy: "Dairy", basket.Meat: "Meat", basket.Bakery: "Bakery",
		basket.ProduceFruit: "Fruit", basket.ProduceVeg: "Vegetables", basket.Pantry: "Pantry",
		basket.Frozen: "Frozen", basket.Beverages: "Beverages", basket.Household: "Household",
	},
	byCategory: "by category", national: "National", canada: "national", byCity: "by city", byPlace: "by place", bannersIn: "banners in %s",
	bannerIn: "%s in %s", bannerByCity: "%s by city", colon: ": ",
}

// French are the words of Canadian French.
var French = &Words{
	Lang: "fr", in: lang.French, BaseWeek: "semaine de base",
	Notice: "Ces prix sont inventés" + nbsp + ": ce sont des données synthétiques, et aucun vrai magasin ne les demande.",
	Mark:   " (prix inventés)",
	Source: "Source" + nbsp + ": %s.", Week: "Semaine se terminant le %s.", Weeks: "Semaines se terminant du %s au %s.", Until: "(jusqu’au %s)",
	Value: "%s" + nbsp + ": %s, semaine se terminant le %s.", None: "Aucune valeur pour ces semaines" + nbsp + ": %s.",
	Bands:         "Bandes" + nbsp + ": intervalles à 95" + nbsp + "% selon le choix des produits; ni le choix des magasins ni les saisons n’y sont compris.",
	Method:        "Méthode autre que celle publiée" + nbsp + ": %s.",
	DefaultSource: "Larder, indice de Jevons hebdomadaire à modèles appariés",
	titles: map[table.View]string{
		table.ViewIndex: "Indice des prix à l’épicerie", table.ViewYoY: "Prix à l’épicerie, variation sur un an",
		table.ViewSince: "Prix à l’épicerie, variation depuis le %s", table.ViewFourWeeks: "Prix à l’épicerie, variation sur quatre semaines",
		table.ViewCost: "Coût du panier d’épicerie",
	},
	units: map[table.View]string{
		table.ViewIndex: "Indice, semaine se terminant le %s = 100", table.ViewYoY: "Variation en pourcentage par rapport à 52 semaines plus tôt",
		table.ViewSince: "Variation en pourcentage depuis la semaine se terminant le %s", table.ViewFourWeeks: "Variation en pourcentage par rapport à 4 semaines plus tôt",
		table.ViewCost: "Dollars canadiens",
	},
	pilot: [2]string{" (série pilote v1)", "Indice, base de la série pilote"},
	mixed: "Indice, semaine d’entrée de chaque série = 100 (les niveaux ne se comparent pas)",
	Companions: map[string][2]string{
		jevons.RegularSeries: {" (série complémentaire" + nbsp + ": regular)", "Prix sans les promotions. Cette série ne se raccorde pas à la série publiée."},
		jevons.LinkedSeries:  {" (série complémentaire" + nbsp + ": linked)", "La base change au plus une fois par an. Cette série ne se raccorde pas à la série publiée."},
	},
	categories: map[basket.Category]string{
		basket.Overall: "Ensemble", basket.Dairy: "Produits laitiers", basket.Meat: "Viande", basket.Bakery: "Boulangerie",
		basket.ProduceFruit: "Fruits", basket.ProduceVeg: "Légumes", basket.Pantry: "Garde-manger",
		basket.Frozen: "Surgelés", basket.Beverages: "Boissons", basket.Household: "Entretien ménager",
	},
	byCategory: "par catégorie", national: "Canada", canada: "Canada", byCity: "par ville", byPlace: "par lieu", bannersIn: "chaînes à %s",
	bannerIn: "%s à %s", bannerByCity: "%s par ville", colon: nbsp + ": ",
}

// WordsOf returns the words of a language, en or fr, and English for another.
func WordsOf(language string) *Words {
	if language == French.Lang {
		return French
	}
	return English
}

// Number writes a value of a view as people read it: one decimal, or cents for
// dollars. Changes have a sign.
func (w *Words) Number(v table.View, value panel.Fixed) string { return w.number(v, value, 1) }

// exact writes a value with all published decimals.
func (w *Words) exact(v table.View, value panel.Fixed) string {
	return w.number(v, value, panel.PriceDecimals)
}

func (w *Words) number(v table.View, value panel.Fixed, decimals int32) string {
	d := decimal.New(value.Units, -panel.PriceDecimals)
	switch v {
	case table.ViewIndex:
		return w.in.Number(d.StringFixed(decimals))
	case table.ViewCost:
		return w.in.Money(d.StringFixed(2))
	}
	return w.in.Change(d.StringFixed(decimals))
}

// tick writes a round value of an axis.
func (w *Words) tick(v table.View, value float64, decimals int) string {
	text := decimal.NewFromFloat(value).StringFixed(int32(decimals))
	switch v {
	case table.ViewIndex:
		return w.in.Number(text)
	case table.ViewCost:
		return w.in.Money(text)
	}
	return w.in.Percent(text)
}

// Date writes a day with the month's full name.
func (w *Words) Date(d panel.Date) string { return w.in.Day(d) }
