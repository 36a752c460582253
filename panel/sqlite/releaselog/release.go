package releaselog

import (
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// Release is one release as the log has it, but for its rows.
type Release struct {
	Number     int       // from 1
	At         time.Time // when it was released, UTC
	Snapshot   string    // hash of the snapshot, as its seal has it
	File       string    // where the snapshot came from
	Gate       string    // version of the gate that judged the rows
	Method     string    // version of the method that computed the table
	Note       string    // may be empty
	Accepted   []Accepted
	Base       panel.Week // base week of the table
	Through    panel.Week // the last week that the table could have
	Context    *Context   // shared by releases with the same one
	Counts                // of what it changed
	Leaf       tlog.Hash  // of its canonical bytes; see the package doc
	Checkpoint string     // head of the tree with this release as its last leaf

	context int    // id of Context in the file
	changes []byte // as stored
}

// ID returns the release's name, such as "r12".
func (r *Release) ID() string { return idOf(r.Number) }

func idOf(number int) string { return "r" + strconv.Itoa(number) }

// Accepted is a stop rule that fired and was accepted, and why.
type Accepted struct {
	Rule   release.Rule `json:"rule"`
	Reason string       `json:"reason"`
}

// Counts says how much a release changed.
type Counts struct {
	WeeksAdded      int         // weeks that the release before did not have
	CellsAdded      int         // rows that appeared
	CellsRevised    int         // rows of which any member changed
	CellsWithdrawn  int         // rows that went
	LargestRevision panel.Fixed // largest move of a revised row's level, in index points; null if no row was revised
}

// countChanges counts changes that follow a table with the given weeks.
func countChanges(changes []release.Change, had func(panel.Week) bool) (n Counts) {
	weeks := map[panel.Week]bool{}
	for i := range changes {
		c := &changes[i]
		switch {
		case c.Old == nil:
			n.CellsAdded++
			if !had(c.Week) && !weeks[c.Week] {
				weeks[c.Week] = true
				n.WeeksAdded++
			}
		case c.New == nil:
			n.CellsWithdrawn++
		default:
			n.CellsRevised++
			n.LargestRevision = panel.FixedOf(max(c.Move(), n.LargestRevision.Units))
		}
	}
	return n
}
