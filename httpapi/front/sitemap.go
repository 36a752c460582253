package front

import (
	"encoding/xml"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
)

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

// Sitemap lists the pages and figures that anybody may see, in every language. The page of
// releases has an address if there is a release log.
func (m *Maker) Sitemap(releases string) ([]byte, error) {
	paths := []string{Path, compare.ShopperPath, pages.DocsPath}
	if m.Snapshots.Releases != nil {
		paths = append(paths, releases)
	}
	for _, d := range m.Pages.Documents(lang.English) {
		paths = append(paths, d.Path)
	}
	x := sitemap{XHTML: "http://www.w3.org/1999/xhtml"}
	add := func(address func(*lang.Language) string) {
		var versions []sitemapAlternate
		for _, l := range lang.All {
			versions = append(versions, sitemapAlternate{"alternate", l.Tag, m.BaseURL + address(l)})
		}
		for _, v := range versions {
			x.Pages = append(x.Pages, sitemapPage{Address: v.Address, Versions: versions})
		}
	}
	for _, path := range paths {
		add(func(l *lang.Language) string { return l.At(path) })
	}
	for _, c := range basket.Slices() {
		if cell := nationalCell(c); m.Public.Shows(&cell, false) {
			add(func(l *lang.Language) string { return figure.AddressOf(l, "national."+c.String(), "") })
		}
	}
	b, err := xml.MarshalIndent(x, "", " ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}
