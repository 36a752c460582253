// Package docs holds the documentation, so that a server can show the pages that
// its responses refer to.
package docs

import "embed"

// Files are the pages, as Markdown.
//
//go:embed *.md
var Files embed.FS
