// Package releaselog keeps what was published and when: the release log.
//
// A release is the moment at which a snapshot becomes public. [Publish] makes one:
// it compares the new snapshot with the last release, applies the stop rules, appends
// the release to the log and puts the snapshot in service. [Log] reads a log: the
// table of any release exactly as it was published, and what each release changed.
// [Verify] recomputes everything that a log says.
//
// The log is one SQLite file that is replaced as a whole (schema.sql). It keeps the leaf of
// each release, compressed, and what answers need besides the rows when that changes.
//
// # The leaf of a release
//
// Releases are the leaves of the tree of RFC 6962, in their order. docs/revisions.md says what lines a leaf has.
// Its canonical bytes are UTF-8 text. Each line ends with a line feed, JSON has no spaces, and only the characters
// that JSON must escape, <, >, &, U+2028 and U+2029 are escaped. The members of the second line are id and those of
// [Release] in their order; context is the SHA-256, in hexadecimal, of the JSON of [Context]. Changed cells are by
// week, then in published order. Numbers are whole ten-thousandths, but for plain counts. Columns of the index that
// were added later follow the intervals in the order of table.Columns.
//
// The head of the tree is a checkpoint (c2sp.org/tlog-checkpoint): the lines are the origin of the
// log, the number of releases, and the root in base64. With a key of the origin's name it is a
// signed note. The first release fixes the origin.
//
// # What it refuses
//
// A release before the last one. A snapshot in service that is not the last release's. A
// log that does not fit what it says.
package releaselog
