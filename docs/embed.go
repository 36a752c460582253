// Package docs holds the documentation, so that a server can show the pages that
// its responses refer to. It decides nothing: Files are the Markdown files of this
// folder as they are written, such as "methodology.md", their translations, such as
// "fr/methodology.md", and their pictures. Package pages makes HTML of them.
package docs

import "embed"

// Files are the pages, as Markdown, and their pictures, as SVG.
//
//go:embed *.md *.svg fr/*.md fr/*.svg
var Files embed.FS
