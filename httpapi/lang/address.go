package lang

import (
	"regexp"
	"strings"
)

// At returns the address of a page in the language. path is its address in English.
func (l *Language) At(path string) string {
	if l.Prefix == "" {
		return path
	}
	return l.Prefix + strings.TrimSuffix(path, "/")
}

// Locate returns the language of an address, and the address of the same page in
// English.
func Locate(address string) (l *Language, path string) {
	for _, l := range All {
		if rest, ok := strings.CutPrefix(address, l.Prefix); ok && l.Prefix != "" && (rest == "" || rest[0] == '/') {
			return l, "/" + strings.TrimPrefix(rest, "/")
		}
	}
	return English, address
}

// pageLink finds links to pages in markup. Every page whose address is the same in
// all languages but for the prefix is here.
var pageLink = regexp.MustCompile(`(href=")(/(?:account|docs(?:/[a-z-]+)*|methodology|releases|shopper)?)(["#?])`)

// Links makes links to pages in markup lead to the pages of the language.
func (l *Language) Links(markup string) string {
	if l.Prefix == "" {
		return markup
	}
	return pageLink.ReplaceAllStringFunc(markup, func(found string) string {
		part := pageLink.FindStringSubmatch(found)
		return part[1] + l.At(part[2]) + part[3]
	})
}

// Other returns the language that a page offers to switch to.
func (l *Language) Other() *Language {
	if l == English {
		return French
	}
	return English
}
