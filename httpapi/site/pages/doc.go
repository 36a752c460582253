// Package pages holds the pages for people: templates, styles and scripts. Scripts and
// styles are written in the folder assets. go generate joins those of a page into one file
// in the folder built, which is kept with the sources and embedded.
//
// It decides that a page loads nothing from another host, that scripts and styles
// are files of their own, and that texts of a snapshot never become markup:
// templates escape, and scripts make elements (assets/dom.js) instead of parsing
// HTML. Browsers enforce this by [Policy]. The documentation is the Markdown of the folder
// docs, which go generate makes into pages too. It refuses raw HTML in a document, and a
// document whose links lead nowhere. A program with a template that does not parse does not start.
//
// The address of an asset holds a hash of all assets, so browsers may keep it for
// ever and never mix the files of two releases. Each page is made in every language of
// package words: templates and scripts name their texts by t, and links in markup lead to
// pages of the same language. The package knows no HTTP: package
// httpapi serves the pages.
package pages
