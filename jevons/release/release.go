// Package release compares what was published with what would be published next.
//
// Diff lists every published cell that appears, moves or goes, and says why. Findings
// applies the stop rules: a finding says where, by how much and beyond what range, and
// whether it is grave enough to stop a release. The package decides nothing else: it
// keeps no history (see package releaselog) and replaces no file.
package release

import (
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Snapshot is one panel with its table, and with everything that a cause can be found in.
type Snapshot struct {
	Table      *jevons.Table // closed weeks only; of an old snapshot as it was released
	Panel      *panel.Panel
	Rows       *panel.Rows
	Quarantine []panel.Quarantine
	Gate       string // version of the gate that judged the rows
	Method     string // version of the method that computed the table
	Elsewhere  bool   // the table was computed elsewhere, from prices that Panel and Rows lack
}

// Cause says why a published cell changed. A change can have several.
type Cause string

// The causes, in the order in which a change lists them.
const (
	NewWeek    Cause = "new_week"   // the cell's week is published for the first time
	AddedRows  Cause = "rows"       // passing rows of a week that the cell looks at were added
	Quarantine Cause = "quarantine" // rows of a week that the cell looks at were set aside or let go
	Reference  Cause = "reference"  // a product, weight, listing, store, banner or spec changed
	Settings   Cause = "settings"   // a setting that the index reads changed
	Method     Cause = "method"     // the gate or the method has another version
)

// Change is one published cell in one week that differs between two tables. A cell
// is revised when any member of its row changed.
type Change struct {
	Week   panel.Week
	Cell   jevons.Cell
	Old    *jevons.Row // nil: the cell appears
	New    *jevons.Row // nil: the cell goes
	Causes []Cause     // at least one, in the order of the constants
}

// Rule names a stop rule.
type Rule string

// The stop rules.
const (
	Scale       Rule = "scale"       // a banner's prices have another scale than before
	Shift       Rule = "shift"       // a banner's prices move together, or far more than they used to
	Jump        Rule = "jump"        // a headline or a national category moves far more than it used to
	Surge       Rule = "surge"       // far more rows of a banner are set aside, or come twice
	Vanished    Rule = "vanished"    // a banner, in a city or a category, has far fewer prices than usual
	Lost        Rule = "lost"        // many cells or a city are gone
	Promotions  Rule = "promotions"  // a banner's sales or stock differ from the usual
	Frozen      Rule = "frozen"      // far more, or far fewer, of a banner's prices stand still than usual
	Revision    Rule = "revision"    // a released level moves a lot
	Restatement Rule = "restatement" // references, settings or the method move released levels
	NothingNew  Rule = "nothing_new" // no new closed week and no changed cell
)
