package httpapi

import (
	"encoding/xml"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
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
		current := s.worded(func(about *panel.About) (*document, error) {
			body, err := fill(about)
			return newDocument(contentType, body, "Cache-Control", documentAge), err
		})
		return &route{"GET", path, access{by: withBrowser}, nil, func(c *call) error {
			d, err := current()
			if err != nil {
				return err
			}
			return d.serve(c.w, c.r)
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
	if s.Snapshots.releases != nil {
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
