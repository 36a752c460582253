// Package releaselog keeps what was published and when: the release log.
//
// A release is the moment at which a snapshot becomes public. [Publish] makes one:
// it compares the new snapshot with the last release, applies the stop rules, appends
// the release to the log and puts the snapshot in service. [Log] reads a log: the
// table of any release exactly as it was published, and what each release changed.
// [Verify] recomputes everything that a log says.
//
// # What it decides
//
// The log is one SQLite file that is replaced as a whole (schema.sql). It keeps the leaf of
// each release, compressed. A leaf has the cells that the release changed and no others, so
// 520 weekly releases are small beside their snapshot. What answers need besides the rows is
// stored when it changes.
//
// # The leaf of a release
//
// Releases are the leaves of the tree of RFC 6962, in their order. The canonical bytes
// of a leaf are UTF-8 text. Each line ends with a line feed, JSON has no spaces, its
// members have the order given here, and only the characters that JSON must escape,
// <, >, &, U+2028 and U+2029 are escaped:
//
//   - The first line is "larder-release/1".
//   - The second line is a JSON object with id, released_at (RFC 3339, UTC), snapshot,
//     gate_version, method_version, note, accepted (an array of objects with rule, reason, id, value,
//     low, high and unit), base_week, through, context (the SHA-256 of the context's JSON, in
//     hexadecimal), weeks_added, cells_added, cells_revised, cells_withdrawn and
//     largest_revision. Where the rows were computed elsewhere, rules_skipped follows.
//   - Each changed cell has one line, by week, then in published order: a JSON array of
//     the week, the level, the city, the banner, the category, the causes, the old row and
//     the new row. A city or a banner that the cell does not have is the empty text. A row
//     is null, or an array of index_value, basket_cost_cad, pct_change_wow,
//     pct_change_mom, pct_change_yoy, item_count and total_items: whole ten-thousandths,
//     but plain counts. A number that is not known is null. largest_revision is in whole
//     ten-thousandths too. ci95_low and ci95_high follow where the level has an interval. Columns of
//     the index that were added later follow in the order of table.Columns.
//
// The context's JSON is an object with settings (by key, sorted), cities, banners, slugs,
// banner_names, annotations, products (with their weights), where (the cities
// with prices, if they are not all of Canada's) and pilot.
// Pilot has an array for each row of the pilot series: the week, the level, the city, the
// banner, the category and the figures.
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
