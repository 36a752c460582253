// Package pages holds the pages that people look at: templates, styles and
// scripts, embedded as they are written. There is no build step.
//
// It decides that a page loads nothing from another host, that its scripts and
// styles are files and never stand in the page, and that what a snapshot says
// becomes text and never markup: templates escape, and scripts make elements
// (assets/dom.js) instead of parsing HTML, which [Policy] has the browser enforce.
// The documentation is Markdown of package docs, made into pages at the start,
// without the raw HTML that Markdown may hold. It refuses to start with a template
// that does not parse, and with a document that links to one which is not there.
//
// The address of an asset holds a hash of all assets, so browsers may keep it for
// ever and never mix the files of two releases. It knows no HTTP: package httpapi
// serves what is here.
package pages
