package front

import (
	"cmp"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// linked is an object of JSON-LD.
type linked map[string]any

// weights says where the basket weights are from, and of which period.
func weights(l *words.Language, about *panel.About) string {
	none := l.T("not stated")
	return l.T("Weights of products: source {source}, weight reference period {period}.",
		cmp.Or(about.WeightsSource, none), cmp.Or(about.WeightsPeriod, none))
}

// dataset describes the index to search engines, as schema.org's Dataset: what the page
// shows or, without an answer, the index that needs a key.
func (m *Maker) dataset(l *words.Language, served *prepared.Snapshot, page *pageData, places words.Places,
	closed panel.Week) linked {
	x, covered := page.Answer, []linked{}
	for _, city := range places.Cities {
		covered = append(covered,
			linked{"@type": "Place", "name": l.T(city),
				"address": linked{"@type": "PostalAddress", "addressLocality": l.T(city),
					"addressCountry": served.Words.Country()}})
	}
	about, home := served.Words, m.BaseURL+l.At(Path)
	creator := linked{"@type": "Organization", "name": cmp.Or(about.Publisher, "Larder"), "url": m.BaseURL}
	if contact := about.ContactURL(); contact != "" {
		creator["contactPoint"] = linked{"@type": "ContactPoint", "url": contact}
	}
	d := linked{
		"@context": "https://schema.org", "@type": "Dataset", "url": home, "inLanguage": l.Tag,
		"name": l.Label(about, l.T("Weekly grocery price index, {place}", page.Whole)),
		"description": l.T("A weekly index of what the same groceries cost at the same stores, {where}, "+
			"computed from supermarkets' online prices: the headline and {n} categories. "+
			"Where too little can be matched, no number is published.", page.Where,
			len(served.Slices())-1) + " " + page.Weights,
		"creator": creator, "publisher": creator,
		"license":             linked{"@type": "CreativeWork", "name": prepared.TermsIn(l, about), "url": home},
		"isAccessibleForFree": x != nil,
		"dateModified":        served.Info.Last.UTC().Format(time.RFC3339),
		"temporalCoverage": (served.Base.Date() - 6).String() + "/" +
			min(closed, prepared.LastWeek(served.Panel)).String(),
		"spatialCoverage":      covered,
		"measurementTechnique": l.T(prepared.Methodologies["v2"]),
		"variableMeasured": []linked{
			{"@type": "PropertyValue", "name": l.T("Price index"), "unitText": l.T("the week ending {week} is 100",
				l.Day(served.Base.Date()))},
			{"@type": "PropertyValue", "name": l.T("Basket cost"), "unitText": about.Currency()},
		},
	}
	if about.Attribution != "" {
		d["creditText"] = about.Attribution
	}
	if r := served.Ref; r != nil {
		d["version"], d["dateModified"] = r.ID, r.ReleasedAt.UTC().Format(time.RFC3339)
	}
	if x != nil {
		file := func(form, kind string) linked {
			return linked{"@type": "DataDownload", "encodingFormat": kind, "contentUrl": m.BaseURL +
				figure.AddressOf(l, "national.overall", form, table.ViewIndex)}
		}
		d["distribution"] = []linked{file(".csv", "text/csv"), file(".json", "application/json"),
			file(".png", "image/png")}
		said := append([]string{x.Sentence + "."}, page.Headline.Drawn.Notes...)
		d["description"] = strings.Join(append(said, d["description"].(string)), " ")
	}
	return d
}
