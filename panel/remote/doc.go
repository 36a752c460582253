// Package remote keeps a copy of a file that a web server or an object store publishes. The copy
// is replaced only by a whole file that its caller has checked, so whoever reads it needs no
// network and never meets half a file.
//
// A fetch is one GET. It names the ETag or the date of the copy, and mostly the answer is 304. A
// download that breaks off goes on where it was, if the file has a strong ETag and is still the
// same. Every fetch is bounded in bytes, in time and in redirects. Addresses may hold a password
// or a signed query: no error and no status shows them.
//
// The package knows nothing of what the file holds. It promises nothing to other modules.
package remote
