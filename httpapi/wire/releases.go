package wire

import (
	"encoding/json"
	"time"
)

// ReleaseRef names the release that an answer was made from. Without an id it is null:
// nothing was released by then.
type ReleaseRef struct {
	ID         string    `json:"id"`
	ReleasedAt time.Time `json:"released_at"`
}

// MarshalJSON implements json.Marshaler.
func (r *ReleaseRef) MarshalJSON() ([]byte, error) {
	if r.ID == "" {
		return []byte("null"), nil
	}
	type plain ReleaseRef
	return json.Marshal((*plain)(r))
}

// Release is one row of /api/v1/releases.
type Release struct {
	ID              string     `json:"id"`
	ReleasedAt      time.Time  `json:"released_at"`
	Snapshot        string     `json:"snapshot"` // hash of the snapshot
	GateVersion     string     `json:"gate_version"`
	MethodVersion   string     `json:"method_version"`
	Note            Text       `json:"note"`
	WeeksAdded      int        `json:"weeks_added"`
	CellsAdded      int        `json:"cells_added"`
	CellsRevised    int        `json:"cells_revised"`
	CellsWithdrawn  int        `json:"cells_withdrawn"`
	LargestRevision Number     `json:"largest_revision"` // index points; null if no row was revised
	Accepted        []Accepted `json:"accepted"`
	Skipped         []string   `json:"rules_skipped,omitempty"` // for want of prices: the rows were computed elsewhere
}

// Accepted is a finding of a stop rule that a release went past, and why.
type Accepted struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	Found
}

// Found is what a stop rule found. All of it is absent in releases that accepted whole rules.
type Found struct {
	ID    string `json:"id,omitempty"`
	Value Number `json:"value,omitempty"`
	Low   Number `json:"usual_low,omitempty"`  // absent: open
	High  Number `json:"usual_high,omitempty"` // absent: open
	Unit  string `json:"unit,omitempty"`       // percent, points, times or count
}

// Releases is the body of /api/v1/releases.
type Releases struct {
	Meta struct {
		Meta
		NextDue time.Time `json:"next_due"` // when the next release is planned
		Made
	} `json:"meta"`
	Releases []Release `json:"releases"` // newest first
}

// Announced is the body of /releases.json. It needs no key, so it has no figure.
type Announced struct {
	Title      string             `json:"title"`
	Note       string             `json:"note,omitempty"` // that the prices are invented
	Checkpoint string             `json:"checkpoint"`     // address of the signed head of the tree
	Planned    []time.Time        `json:"planned"`        // the next releases
	Releases   []AnnouncedRelease `json:"releases"`       // oldest first: leaf by leaf of the tree
}

// AnnouncedRelease is one release of an Announced.
type AnnouncedRelease struct {
	ID         string    `json:"id"`
	ReleasedAt time.Time `json:"released_at"`
	Leaf       string    `json:"leaf"` // hash of the leaf, in hexadecimal
}

// Origin says what the data of a page are and where they are from.
type Origin struct {
	Title    string      `json:"title"`
	Address  string      `json:"address"`
	Source   string      `json:"source"`
	License  string      `json:"license"`
	Note     string      `json:"note"`
	Citation string      `json:"citation"`
	Snapshot string      `json:"snapshot"`          // hash
	Release  *ReleaseRef `json:"release,omitempty"` // absent without a release log
}

// Figure is a figure for programs. Two answers of one snapshot or release are equal.
type Figure struct {
	Origin
	View   View           `json:"view"`
	From   string         `json:"from"` // the first and the last week with a row
	To     string         `json:"to"`
	Series []FigureSeries `json:"series"`
}

// Change is a change between two weeks taken apart. Numbers are percent and percentage points.
type Change struct {
	Origin
	Series        string         `json:"series"` // such as toronto.dairy
	From          string         `json:"from"`
	To            string         `json:"to"`
	Change        Number         `json:"pct_change"`
	Low           Number         `json:"ci95_low"`
	High          Number         `json:"ci95_high"`
	Contributions []Contribution `json:"contributions"`
}

// Contribution says how much of a change comes from a category or a product.
type Contribution struct {
	ID     any    `json:"id"` // a slug, or the number of a product
	Name   string `json:"name"`
	Points Number `json:"points"`
}

// FigureSeries is one series of a figure.
type FigureSeries struct {
	Name     string            `json:"name"` // such as toronto.dairy
	City     Text              `json:"city"`
	Retailer Text              `json:"retailer"`
	Category Text              `json:"category"` // null: the headline
	Rows     []json.RawMessage `json:"rows"`     // the date and the value of each
}
