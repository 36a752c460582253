// Package browser holds the tests of the pages in Chromium, against a server of its
// own each. Run them with make browser.
package browser
