// Package audit recomputes published index rows from downloaded pages of the
// API, and compares them with what was published. It asks no server and reads
// no snapshot: everything it knows is in the pages.
//
// It decides whether the pages hold every price that a figure needs, which rows
// count (all but those of a verified banner), and whether each recomputed figure
// equals the published one to the last digit. The server
// reads prices from the snapshot, this package reads them from pages, and both
// use the arithmetic of package jevons.
//
// It refuses pages that are cut off, that contradict each other, that lack a page
// between them, or that were made before their week was over. The error says what
// to download. A figure that needs more prices than the pages hold is not
// recomputed, and says which prices it needs.
//
// It cannot tell of which snapshot a page is, whether the prices are right, or
// whether the quality gate was right to leave a row out.
//
// The steps are ReadPage for each file, NewEvidence for all pages together,
// Evidence.Recompute for a week, and Recomputation.Check for a cell.
package audit
