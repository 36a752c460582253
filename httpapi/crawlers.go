package httpapi

import (
	"cmp"
	"encoding/xml"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/panel"
)

const (
	pathRobots  = "/robots.txt"
	pathSitemap = "/sitemap.xml"
)

// robots tells crawlers what to leave out: answers that need a key, and the account's.
// What has the header X-Robots-Tag must not be here, or crawlers never see the header.
// The interface for shoppers' agents is open to them.
const robots = `User-agent: *
Disallow: /api/public/
Disallow: /api/v1/
Disallow: /account/

Sitemap: {base_url}/sitemap.xml
`

// The elements of a sitemap (sitemaps.org).
type (
	sitemap struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		XHTML   string        `xml:"xmlns:xhtml,attr"`
		Pages   []sitemapPage `xml:"url"`
	}
	sitemapPage struct {
		Address  string             `xml:"loc"`
		Changed  string             `xml:"lastmod,omitempty"`
		Versions []sitemapAlternate `xml:"xhtml:link"`
	}
	sitemapAlternate struct {
		Rel      string `xml:"rel,attr"`
		Language string `xml:"hreflang,attr"`
		Address  string `xml:"href,attr"`
	}
)

// crawlerRoutes returns the files that search engines read.
func (s *Server) crawlerRoutes() []*route {
	row := func(path, contentType string, fill func(*panel.About) ([]byte, error)) *route {
		current := s.worded(func(about *panel.About) (*reply.Document, error) {
			body, err := fill(about)
			return reply.NewDocument(contentType, body, "Cache-Control", reply.DocumentAge), err
		})
		return &route{"GET", path, access{by: withBrowser}, nil, func(c *call) error {
			d, err := current()
			if err != nil {
				return err
			}
			return d.Serve(c.w, c.r)
		}}
	}
	return []*route{
		row(pathRobots, "text/plain; charset=utf-8", func(about *panel.About) ([]byte, error) {
			return s.fillMarks(robots, about, func(text string) string { return text }), nil
		}),
		row(pathSitemap, "application/xml; charset=utf-8", func(*panel.About) ([]byte, error) { return s.sitemap() }),
	}
}

// sitemap lists the pages and figures that anybody may see, in every language.
func (s *Server) sitemap() ([]byte, error) {
	paths := []string{pathHome, compare.ShopperPath, pages.DocsPath}
	if s.Snapshots.Releases != nil {
		paths = append(paths, pathReleasesPage)
	}
	for _, d := range s.pages.Documents(lang.English) {
		paths = append(paths, d.Path)
	}
	x := sitemap{XHTML: "http://www.w3.org/1999/xhtml"}
	add := func(address func(*lang.Language) string) {
		var versions []sitemapAlternate
		for _, l := range lang.All {
			versions = append(versions, sitemapAlternate{"alternate", l.Tag, s.BaseURL + address(l)})
		}
		for _, v := range versions {
			x.Pages = append(x.Pages, sitemapPage{Address: v.Address, Versions: versions})
		}
	}
	for _, path := range paths {
		add(func(l *lang.Language) string { return l.At(path) })
	}
	for _, c := range basket.Slices() {
		if cell := nationalCell(c); s.Public.shows(&cell, false) {
			add(func(l *lang.Language) string { return figureAddress(l, "national."+c.String(), "") })
		}
	}
	b, err := xml.MarshalIndent(x, "", " ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

// linked is an object of JSON-LD.
type linked map[string]any

// newDataset describes the index to search engines, as schema.org's Dataset: what the page
// shows or, without an answer, the index that needs a key.
func (s *Server) newDataset(l *lang.Language, served *prepared.Served, x *answer, closed panel.Week) linked {
	about, home := served.Words, s.BaseURL+l.At(pathHome)
	creator := linked{"@type": "Organization", "name": cmp.Or(about.Publisher, "Larder"), "url": s.BaseURL}
	if contact := about.ContactURL(); contact != "" {
		creator["contactPoint"] = linked{"@type": "ContactPoint", "url": contact}
	}
	d := linked{
		"@context": "https://schema.org", "@type": "Dataset", "url": home, "inLanguage": l.Tag,
		"name":        about.Label(l.T("Weekly grocery price index, Canada")),
		"description": l.T("A weekly index of what the same groceries cost at the same stores in Canada, computed from supermarkets' online prices: the headline and nine categories. Where too little can be matched, no number is published."),
		"creator":     creator, "publisher": creator,
		"license":              linked{"@type": "CreativeWork", "name": about.Terms(), "url": home},
		"isAccessibleForFree":  x != nil,
		"dateModified":         served.Info.Last.UTC().Format(time.RFC3339),
		"temporalCoverage":     (served.Base.Date() - 6).String() + "/" + min(closed, prepared.LastWeek(served.Panel)).String(),
		"spatialCoverage":      linked{"@type": "Place", "name": l.T("Canada"), "address": linked{"@type": "PostalAddress", "addressCountry": "CA"}},
		"measurementTechnique": prepared.Methodologies["v2"],
		"variableMeasured": []linked{
			{"@type": "PropertyValue", "name": l.T("Price index"), "unitText": l.T("the week ending {week} is 100", l.Day(served.Base.Date()))},
			{"@type": "PropertyValue", "name": l.T("Basket cost"), "unitText": "CAD"},
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
			return linked{"@type": "DataDownload", "encodingFormat": kind, "contentUrl": s.BaseURL + figureAddress(l, "national.overall", form)}
		}
		d["distribution"] = []linked{file(".csv", "text/csv"), file(".json", "application/json"), file(".png", "image/png")}
		d["description"] = x.Sentence + " " + d["description"].(string)
	}
	return d
}
