package panel

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/larder-index/larder/basket"
)

// About says whose prices a snapshot holds. Every answer, page, chart and command
// takes its words from here. Its members are as set in the settings, or empty.
type About struct {
	BaseWeek                     Week
	Publisher                    string
	Contact                      string // an e-mail address, or the address of a page
	Source                       string // label of the data
	Licence                      string
	Attribution                  string
	CoverageNote                 string
	Place                        string // a name of the whole that the index is of; empty: from the cities
	Places                       string // what the cities are called together, such as regions; empty: cities
	Where                        string // no setting: the cities with prices, for SourceLabel; empty: the country
	UpgradeURL                   string // where a subscriber gets a higher tier; empty: from the contact
	ReleaseTime                  string // weekday and time by the calendar
	LogOrigin                    string // name of the release log, such as prices.example.org
	WeightsSource, WeightsPeriod string // of the basket weights; empty: not stated

	Synthetic                   bool // the prices are invented
	country, currency, language string
	calendar                    Calendar
	categories                  *basket.Categories // nil: the nine

	OwnWords bool // titles are judged by the panel's words alone, without the bundled ones
}

// The texts of a snapshot without settings.
const (
	defaultCountry = "CA"
	defaultSource  = "Larder weekly grocery price index, "
	defaultLicence = "The aggregate index may be charted, quoted and published with attribution and a link back; " +
		"bulk redistribution or resale of the series needs a separate licence."
)

// What is said of synthetic prices: SyntheticNotice wherever there is room for a
// sentence, SyntheticMark behind the name of the source.
const (
	SyntheticNotice = "These prices are invented: this is synthetic data, and no real shop charges them."
	SyntheticMark   = " (invented prices)"
)

// Country returns the country of the prices, by ISO 3166: CA without a setting.
func (a *About) Country() string { return cmp.Or(a.country, defaultCountry) }

// CountryName returns the English name of the country.
func (a *About) CountryName() string {
	return display.English.Regions().Name(language.MustParseRegion(a.Country())) // the settings were checked
}

// Currency returns the currency of the prices, by ISO 4217: CAD without a setting.
func (a *About) Currency() string { return cmp.Or(a.currency, "CAD") }

// Sign returns how headings name the currency: $ for CAD, else its code.
func (a *About) Sign() string {
	if a.Currency() == "CAD" {
		return "$"
	}
	return a.Currency()
}

// Elsewhere reports whether texts about the prices differ from those of the default publication, in Canada.
func (a *About) Elsewhere() bool {
	return a.Country() != "CA" || a.Currency() != "CAD" || a.calendar != (Calendar{}) || a.categories != nil
}

// CurrencyDigits returns the decimals of the currency's smallest unit, by ISO 4217. CLDR has none where coins fell
// out of use, though shops still name prices in them.
func (a *About) CurrencyDigits() int {
	switch {
	case strings.Contains("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", a.Currency()):
		return 0
	case strings.Contains("BHD IQD JOD KWD LYD OMR TND", a.Currency()):
		return 3
	}
	return 2
}

// Language returns the first language of the pages, one of Languages: en without a setting.
func (a *About) Language() string { return cmp.Or(a.language, Languages[0]) }

// Calendar returns the calendar by which the prices are dated: Toronto's without a setting.
func (a *About) Calendar() Calendar { return a.calendar }

// Categories returns the categories of the index in published order.
func (a *About) Categories() (list basket.Categories) {
	if a.categories != nil {
		list = *a.categories
	}
	return list
}

// NewAbout returns what settings say, by key, with the categories. The error is that of Setting.Check.
func NewAbout(settings map[string]string, list basket.Categories) (*About, error) {
	a := &About{BaseWeek: DefaultBaseWeek}
	if list != nil {
		a.categories = &list
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		s := Setting{key, settings[key]}
		if err := s.Check(); err != nil {
			return nil, err
		}
		a.set(s)
	}
	return a, nil
}

func (a *About) set(s Setting) {
	for _, x := range settings {
		if x.key == s.Key {
			x.set(a, strings.TrimSpace(s.Value))
		}
	}
}

// Notice says that the prices are invented; empty if they are not.
func (a *About) Notice() string {
	if a.Synthetic {
		return SyntheticNotice
	}
	return ""
}

// Label returns the name of a source, with SyntheticMark if the prices are invented.
func (a *About) Label(source string) string {
	if a.Synthetic {
		return source + SyntheticMark
	}
	return source
}

// SourceLabel names the source of the data. Without a setting it names the place, or the cities with prices.
func (a *About) SourceLabel() string {
	return a.Label(cmp.Or(a.Source, defaultSource+cmp.Or(a.Place, a.Where, a.CountryName())))
}

// Terms says what readers may do with the index, and whom they are to name.
func (a *About) Terms() string {
	terms := cmp.Or(a.Licence, defaultLicence)
	if a.Attribution != "" {
		terms += " Attribution: " + a.Attribution
	}
	return terms
}

// Credit names the publisher, the source and the terms, as far as they are set, in
// one line; empty if none is.
func (a *About) Credit() string {
	var parts []string
	for _, x := range []struct{ name, value string }{
		{"source", a.Source}, {"publisher", a.Publisher}, {"contact", a.Contact}, {"licence", a.Licence},
		{"attribution", a.Attribution},
	} {
		if x.value != "" {
			parts = append(parts, x.name+": "+x.value)
		}
	}
	return strings.Join(parts, "; ")
}

// ContactURL returns the contact as an address of a link; empty without one.
func (a *About) ContactURL() string {
	if strings.Contains(a.Contact, "@") && !strings.Contains(a.Contact, "://") {
		return (&url.URL{Scheme: "mailto", Opaque: url.PathEscape(a.Contact)}).String()
	}
	return a.Contact
}
