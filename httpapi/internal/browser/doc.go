// Package browser holds the tests that need programs of npm or a browser: the pages in
// Chromium, the feeds in readers, /mcp in its conformance suite. Each has a server of its
// own. Run them with make browser.
package browser
