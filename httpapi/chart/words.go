package chart

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Words are the texts and formats of one language.
type Words struct {
	Lang                         string // as in the lang attribute
	BaseWeek                     string
	Notice, Mark                 string // invented prices: a warning, and what follows the name of their source
	Source, Week, Weeks, Until   string // below the picture; Until follows the name of a line that ends early
	Value                        string // of the description: name, value, week
	None                         string // lines without a value
	Bands, Method, DefaultSource string

	titles, units map[jevons.View]string
	pilot         [2]string            // of the title, of the unit
	mixed         string               // the unit of lines with different bases
	Companions    map[string][2]string // by series: in the title, as a note

	categories                                                                 map[basket.Category]string
	byCategory, national, canada, byCity, byPlace, bannersIn, in, bannerByCity string
	colon                                                                      string

	months, longMonths [12]string
	first              string // of the month
	dayFirst           bool
	point              string
	percent, dollars   string
}

const nbsp = "\u00a0"

// English are the words of a figure that names none.
var English = &Words{
	Lang: "en", BaseWeek: "base week",
	Notice: panel.SyntheticNotice, Mark: panel.SyntheticMark,
	Source: "Source: %s.", Week: "Week ending %s.", Weeks: "Weeks ending %s to %s.", Until: "(to %s)",
	Value: "%s: %s in the week ending %s.", None: "No value in these weeks: %s.",
	Bands:         "Bands: 95% intervals over the choice of products; not over stores, and not seasons.",
	Method:        "Not the published method: %s.",
	DefaultSource: "Larder, weekly matched-model Jevons index",
	titles: map[jevons.View]string{
		jevons.ViewIndex: "Grocery price index", jevons.ViewYoY: "Grocery prices, change from a year ago",
		jevons.ViewSince: "Grocery prices, change since %s", jevons.ViewFourWeeks: "Grocery prices, change in four weeks",
		jevons.ViewCost: "Cost of the grocery basket",
	},
	units: map[jevons.View]string{
		jevons.ViewIndex: "Index, week ending %s = 100", jevons.ViewYoY: "Percent change from 52 weeks earlier",
		jevons.ViewSince: "Percent change from the week ending %s", jevons.ViewFourWeeks: "Percent change from 4 weeks earlier",
		jevons.ViewCost: "Canadian dollars",
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
	in: "%s in %s", bannerByCity: "%s by city", colon: ": ",
	months:     [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	longMonths: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	first:      "1", point: ".", percent: "%s%%", dollars: "$%s",
}

// French are the words of Canadian French.
var French = &Words{
	Lang: "fr", BaseWeek: "semaine de base",
	Notice: "Ces prix sont inventés" + nbsp + ": ce sont des données synthétiques, et aucun vrai magasin ne les demande.",
	Mark:   " (prix inventés)",
	Source: "Source" + nbsp + ": %s.", Week: "Semaine se terminant le %s.", Weeks: "Semaines se terminant du %s au %s.", Until: "(jusqu’au %s)",
	Value: "%s" + nbsp + ": %s, semaine se terminant le %s.", None: "Aucune valeur pour ces semaines" + nbsp + ": %s.",
	Bands:         "Bandes" + nbsp + ": intervalles à 95" + nbsp + "% selon le choix des produits; ni le choix des magasins ni les saisons n’y sont compris.",
	Method:        "Méthode autre que celle publiée" + nbsp + ": %s.",
	DefaultSource: "Larder, indice de Jevons hebdomadaire à modèle apparié",
	titles: map[jevons.View]string{
		jevons.ViewIndex: "Indice des prix d’épicerie", jevons.ViewYoY: "Prix d’épicerie, variation sur un an",
		jevons.ViewSince: "Prix d’épicerie, variation depuis le %s", jevons.ViewFourWeeks: "Prix d’épicerie, variation sur quatre semaines",
		jevons.ViewCost: "Coût du panier d’épicerie",
	},
	units: map[jevons.View]string{
		jevons.ViewIndex: "Indice, semaine se terminant le %s = 100", jevons.ViewYoY: "Variation en pourcentage par rapport à 52 semaines plus tôt",
		jevons.ViewSince: "Variation en pourcentage depuis la semaine se terminant le %s", jevons.ViewFourWeeks: "Variation en pourcentage par rapport à 4 semaines plus tôt",
		jevons.ViewCost: "Dollars canadiens",
	},
	pilot: [2]string{" (série pilote v1)", "Indice, base de la série pilote"},
	mixed: "Indice, semaine d’entrée de chaque série = 100 (les niveaux ne se comparent pas)",
	Companions: map[string][2]string{
		jevons.RegularSeries: {" (série d’accompagnement" + nbsp + ": regular)", "Prix sans les soldes. Cette série ne se raccorde pas à la série publiée."},
		jevons.LinkedSeries:  {" (série d’accompagnement" + nbsp + ": linked)", "La base change au plus une fois par an. Cette série ne se raccorde pas à la série publiée."},
	},
	categories: map[basket.Category]string{
		basket.Overall: "Ensemble", basket.Dairy: "Produits laitiers", basket.Meat: "Viande", basket.Bakery: "Boulangerie",
		basket.ProduceFruit: "Fruits", basket.ProduceVeg: "Légumes", basket.Pantry: "Garde-manger",
		basket.Frozen: "Surgelés", basket.Beverages: "Boissons", basket.Household: "Produits ménagers",
	},
	byCategory: "par catégorie", national: "Canada", canada: "Canada", byCity: "par ville", byPlace: "par lieu", bannersIn: "enseignes à %s",
	in: "%s à %s", bannerByCity: "%s par ville", colon: nbsp + ": ",
	months:     [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juill.", "août", "sept.", "oct.", "nov.", "déc."},
	longMonths: [12]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	first:      "1er", dayFirst: true, point: ",", percent: "%s" + nbsp + "%%", dollars: "%s" + nbsp + "$",
}

// WordsOf returns the words of a language, en or fr, and English for another.
func WordsOf(lang string) *Words {
	if lang == French.Lang {
		return French
	}
	return English
}

// Number writes a value of a view as people read it: one decimal, or cents for
// dollars. Changes have a sign.
func (w *Words) Number(v jevons.View, value panel.Fixed) string { return w.number(v, value, 1) }

// exact writes a value with all published decimals.
func (w *Words) exact(v jevons.View, value panel.Fixed) string {
	return w.number(v, value, panel.PriceDecimals)
}

func (w *Words) number(v jevons.View, value panel.Fixed, decimals int32) string {
	d := decimal.New(value.Units, -panel.PriceDecimals)
	switch v {
	case jevons.ViewIndex:
		return w.decimal(d, decimals)
	case jevons.ViewCost:
		return fmt.Sprintf(w.dollars, w.decimal(d, 2))
	}
	text := fmt.Sprintf(w.percent, w.decimal(d, decimals))
	if d.Round(decimals).IsPositive() {
		text = "+" + text
	}
	return text
}

func (w *Words) decimal(d decimal.Decimal, decimals int32) string {
	return strings.NewReplacer(".", w.point, "-", "\u2212").Replace(d.StringFixed(decimals))
}

// tick writes a round value of an axis.
func (w *Words) tick(v jevons.View, value float64, decimals int) string {
	text := w.decimal(decimal.NewFromFloat(value), int32(decimals))
	switch v {
	case jevons.ViewIndex:
		return text
	case jevons.ViewCost:
		return fmt.Sprintf(w.dollars, text)
	}
	return fmt.Sprintf(w.percent, text)
}

// Date writes a day with the month's full name.
func (w *Words) Date(d panel.Date) string { return w.date(d, w.longMonths) }

func (w *Words) date(d panel.Date, months [12]string) string {
	t := d.Time(time.UTC)
	if w.dayFirst {
		return fmt.Sprintf("%s %d", w.day(t, months), t.Year())
	}
	return fmt.Sprintf("%s, %d", w.day(t, months), t.Year())
}

func (w *Words) day(t time.Time, months [12]string) string {
	month, day := months[t.Month()-1], fmt.Sprint(t.Day())
	if t.Day() == 1 {
		day = w.first
	}
	if w.dayFirst {
		return day + " " + month
	}
	return month + " " + day
}
