package prepared

import (
	"cmp"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Sentences of notes.
var (
	note = words.Key("Do not compound pct_change_wow: over more than a week compare index_value. Levels of " +
		"different series do not compare: headline city and banner series are rebased to 100 in their own entry " +
		"week; compare places by basket_cost_cad, and categories with each other. Never splice v1 and v2. A missing " +
		"row is usually a cell below the 60% publication floor.")

	census = words.Key("The panel is not a census; prices are online list prices from public retailer sites.")

	noteQuality = words.Key("se, the interval and se_wow measure how much a figure depends on the choice of " +
		"products; they say nothing about the choice of stores, or about prices within a product.")
)

// notes say what readers must not do with the numbers of a series.
var notes = map[string]string{
	"v2": note,

	"coverage": "A cell that is not published has the first reason that holds; each of its products that is not " +
		"matched has its own. meta.attrition counts series of the whole panel, whatever the filters; in the newest " +
		"weeks some that went are only late.",

	jevons.RegularSeries: "Series regular is a companion of v2, never to be spliced into it: the index of prices " +
		"without sales. A price counts as its regular price where that is known, else as it is when it is not on " +
		"sale; a price on sale whose regular price is not known does not count. " + note,

	"v1": "Series v1 is the frozen pilot of March to June 2026: different basis; not recomputed; never splice it " +
		"with v2. Do not compound pct_change_wow: over more than a week compare index_value. Levels of different " +
		"series do not compare: compare places by basket_cost_cad where it is given.",
}

// Methodologies name the estimator of each series.
var Methodologies = map[string]string{
	"v2": words.Key("Direct fixed-base matched-model Jevons index against the base week: one estimator for headline " +
		"and categories, with the top and bottom 10 percent of store-level relatives of each product trimmed."),
	jevons.RegularSeries: "Direct fixed-base matched-model Jevons index of regular prices against the base week: " +
		"the estimator of v2, its base, entry weeks, floor and basket cost taken from regular prices.",
	"v1": "The frozen pilot of March to June 2026, served as it was published: different basis; not " +
		"recomputed; never splice it with v2.",
}

// Note returns the note of a series. It begins by saying that the prices are invented, or
// says that the panel is no census. It explains included members. Except for v1, it ends with
// the snapshot's own note on coverage.
func Note(series string, about *panel.About, include ...string) string {
	return NoteIn(words.English, series, about, include...)
}

// NoteIn is Note in a language. A coverage note stays in the publisher's words.
func NoteIn(l *words.Language, series string, about *panel.About, include ...string) string {
	text := Own(about, "", l.T(notes[series]))
	if slices.Contains(include, table.IncludeQuality) || slices.Contains(include, table.IncludeWoWInterval) {
		text += " " + l.T(noteQuality)
	}
	if about.Synthetic {
		text = l.T(about.Notice()) + " " + text
	} else {
		text += " " + l.T(census)
	}
	if series != "v1" {
		text += " " + about.CoverageNote
	}
	return strings.TrimSpace(text)
}

// Own returns a text about the service with the publication's own names in place of those of the default: the
// country, the currency, a category, and a city of the given slug.
func Own(about *panel.About, city, text string) string {
	if !about.Elsewhere() {
		return text
	}
	code, names := about.Currency(), []string(nil)
	if city != "" {
		names = append(names, "toronto", city)
	}
	if about.Country() != "CA" {
		names = append(names, "Canadian city", "city in "+about.CountryName())
	}
	if code != "CAD" {
		names = append(names, "basket_cost_cad", table.BasketCost(about), "Canadian dollars", code, "dollars", code,
			"Dollars", code, "CAD", code, "Cad`", "`", `Cad"`, `"`)
	}
	if list := about.Categories(); list != nil {
		names = append(names, "dairy", list[0].Slug, "nine categories", "its categories")
	}
	return strings.NewReplacer(names...).Replace(text)
}

var defaultLicence = words.Key("The aggregate index may be charted, quoted and published with attribution and " +
	"a link back; bulk redistribution or resale of the series needs a separate licence.")

// TermsIn says in a language what readers may do with the index. What the publisher wrote
// stays as it is.
func TermsIn(l *words.Language, about *panel.About) string {
	terms := cmp.Or(about.Licence, l.T(defaultLicence))
	if about.Attribution != "" {
		terms += " " + l.T(words.Key("Attribution: {attribution}"), about.Attribution)
	}
	return terms
}
