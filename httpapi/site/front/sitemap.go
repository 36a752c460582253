package front

import (
	"bytes"
	"fmt"
	"html"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
)

// Sitemap lists the pages and figures that anybody may see, in every language, as sitemaps.org
// says. The page of releases has an address if there is a release log.
func (m *Maker) Sitemap(releases string) []byte {
	b := bytes.NewBufferString(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`)
	add := func(address func(*words.Language) string) {
		versions := ""
		for _, l := range words.Of(m.Snapshots.Current().About()) {
			versions += fmt.Sprintf("  <xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"%s\"></xhtml:link>\n",
				l.Tag, html.EscapeString(m.BaseURL+address(l)))
		}
		for _, l := range words.Of(m.Snapshots.Current().About()) {
			fmt.Fprintf(b, " <url>\n  <loc>%s</loc>\n%s </url>\n", html.EscapeString(m.BaseURL+address(l)), versions)
		}
	}
	paths := []string{Path, compare.ShopperPath, pages.DocsPath}
	if m.Snapshots.Releases != nil {
		paths = append(paths, releases)
	}
	for _, d := range m.Pages.Documents(words.English) {
		paths = append(paths, d.Path)
	}
	for _, path := range paths {
		add(func(l *words.Language) string { return l.At(path) })
	}
	public := m.Public.Of(m.Snapshots.Current().About())
	for _, c := range m.Snapshots.Current().Slices() {
		if cell := nationalCell(c); public.Shows(&cell, false) {
			add(func(l *words.Language) string {
				return figure.AddressOf(l, "national."+c.String(), "", table.ViewIndex)
			})
		}
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}
