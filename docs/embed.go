// Package docs holds the documentation, so that a server can show the pages that
// its responses refer to. It decides nothing: Files are the Markdown files of this
// folder as they are written, such as "methodology.md". Pictures are not among
// them. Package pages makes HTML of them.
package docs

import "embed"

// Files are the pages, as Markdown.
//
//go:embed *.md
var Files embed.FS
