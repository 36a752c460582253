package releaselog

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// Release is one release as the log has it, but for its rows. Its JSON is the second line of its leaf.
type Release struct {
	Number      int            `json:"-"`            // from 1
	At          time.Time      `json:"released_at"`  // UTC
	Snapshot    string         `json:"snapshot"`     // hash of the snapshot, as its seal has it
	Gate        string         `json:"gate_version"` // of the gate that judged the rows
	Method      string         `json:"method_version"`
	Note        string         `json:"note"` // may be empty
	Accepted    []Accepted     `json:"accepted"`
	Base        panel.Week     `json:"base_week"`
	Through     panel.Week     `json:"through"` // the last week that the table could have
	ContextHash string         `json:"context"` // SHA-256 of the context's JSON
	Counts                     // of what it changed
	Skipped     []release.Rule `json:"rules_skipped,omitempty"` // for want of prices: its rows were computed elsewhere

	File       string    `json:"-"` // where the snapshot came from
	Context    *Context  `json:"-"` // shared by releases with the same one
	Leaf       tlog.Hash `json:"-"` // of its canonical bytes; see the package doc
	Checkpoint string    `json:"-"` // head of the tree with this release as its last leaf

	text []byte // its canonical bytes, deflated
}

// ID returns the release's name, such as "r12".
func (r *Release) ID() string { return idOf(r.Number) }

func idOf(number int) string { return "r" + strconv.Itoa(number) }

// Text returns the canonical bytes of the release, which Leaf is the hash of.
func (r *Release) Text() ([]byte, error) {
	text, err := inflate(r.text)
	if err != nil || tlog.RecordHash(text) != r.Leaf {
		return nil, errors.New("its leaf does not fit what it says")
	}
	return text, nil
}

func (r *Release) changes(known *lines) ([]release.Change, error) {
	text, err := r.Text()
	if err != nil {
		return nil, err
	}
	return known.changes(text)
}

// Accepted is a finding of a stop rule that a release went past, and why.
type Accepted struct {
	Rule   release.Rule `json:"rule"`
	Reason string       `json:"reason"`
	ID     string       `json:"id,omitempty"`   // of the finding
	Value  Points       `json:"value,omitzero"` // what was found, and the ends of the usual range: null for an open one
	Low    Points       `json:"low,omitzero"`
	High   Points       `json:"high,omitzero"`
	Unit   string       `json:"unit,omitempty"` // of them: percent, points, times or count
}

// Counts says how much a release changed.
type Counts struct {
	WeeksAdded      int    `json:"weeks_added"`      // weeks that the release before did not have
	CellsAdded      int    `json:"cells_added"`      // rows that appeared
	CellsRevised    int    `json:"cells_revised"`    // rows of which any member changed
	CellsWithdrawn  int    `json:"cells_withdrawn"`  // rows that went
	LargestRevision Points `json:"largest_revision"` // largest move of a revised row's level; null: none was revised
}

// Points are index points. Their JSON is whole ten-thousandths.
type Points struct{ panel.Fixed }

// MarshalJSON implements json.Marshaler.
func (p Points) MarshalJSON() ([]byte, error) {
	if !p.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(p.Units)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Points) UnmarshalJSON(text []byte) error {
	p.Valid = string(text) != "null"
	return json.Unmarshal(text, &p.Units)
}

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
			n.LargestRevision.Fixed = panel.FixedOf(max(c.Move(), n.LargestRevision.Units))
		}
	}
	return n
}
