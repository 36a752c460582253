package wire

import "github.com/larder-index/larder/panel/check"

// Page says which rows of a result an answer holds.
type Page struct {
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	Count      int  `json:"count"` // rows in the answer
	HasMore    bool `json:"has_more"`
	NextOffset *int `json:"next_offset"` // null after the last page
}

// Meta begins the meta of every answer with rows. What an endpoint has no use for is left out.
type Meta struct {
	Version  string   `json:"version,omitempty"`
	Source   string   `json:"source,omitempty"`
	Series   string   `json:"series,omitempty"` // v2 or v1
	Endpoint string   `json:"endpoint"`
	License  string   `json:"license,omitempty"`
	Note     string   `json:"note,omitempty"` // of prices: that they are invented
	Filters  *Filters `json:"filters,omitempty"`
	Page
}

// Made says what an answer was made from, and when.
type Made struct {
	GeneratedAt string      `json:"generated_at"`
	Snapshot    string      `json:"snapshot"`          // hash
	Release     *ReleaseRef `json:"release,omitempty"` // absent without a release log
}

// Filters are the filters of rows in effect: those that the endpoint has. A filter that is
// not set is "all".
type Filters struct {
	Series     string `json:"series,omitempty"`
	Release    string `json:"release,omitempty"`
	Since      string `json:"since,omitempty"`      // the last release that is left out
	Confidence string `json:"confidence,omitempty"` // the lowest that is wanted
	ProductID  string `json:"product_id,omitempty"`
	Level      string `json:"level,omitempty"`
	Category   string `json:"category,omitempty"`
	City       string `json:"city,omitempty"`
	Banner     string `json:"banner,omitempty"`
	Against    string `json:"against,omitempty"` // the city that rows are compared with
	From       string `json:"from,omitempty"`
	To         string `json:"to,omitempty"`
	Missing    string `json:"missing,omitempty"` // "1" for cells that are not published
}

// PublicIndexMeta is meta of /api/public/index and of revisions.
type PublicIndexMeta struct {
	Meta
	Made
	View *View `json:"view,omitempty"` // absent unless asked for
	Publication
}

// Publication says whose prices rows are of, where that is not the default.
type Publication struct {
	Place    string `json:"place,omitempty"`
	Currency string `json:"currency,omitempty"`
	TimeZone string `json:"time_zone,omitempty"`
}

// View says in which unit rows were asked for.
type View struct {
	Name   string `json:"name"`
	Member string `json:"member"` // of the rows: the one with the values
	Unit   string `json:"unit"`
	Since  Text   `json:"since"`      // the week of view since, else null
	First  Text   `json:"first_week"` // before it every value is null; null without rows
}

// IndexMeta is meta of /api/v1/index.
type IndexMeta struct {
	PublicIndexMeta
	Methodology string   `json:"methodology"`
	Coverage    Coverage `json:"coverage"`
}

// Coverage says which cities have a headline in the last published week of the
// range.
type Coverage struct {
	AsOf     Text     `json:"as_of"` // that week; null if the range has none
	Included []string `json:"cities_included"`
	Missing  []string `json:"cities_missing"`
	Total    int      `json:"cities_total"`
}

// CellsMeta is meta of /api/v1/coverage.
type CellsMeta struct {
	PublicIndexMeta
	Filters   *Filters        `json:"filters"`
	Attrition check.Attrition `json:"attrition"` // whatever the filters of cells are; of the weeks of the range
}

// PricesMeta is meta of /api/v1/prices. Limit, offset, has_more and next_offset
// count rows before the quality gate, count counts rows after it.
type PricesMeta struct {
	Meta
	FilteredIdentity   int    `json:"filtered_identity"`
	FilteredQuarantine int    `json:"filtered_quarantine"`
	GateVersion        string `json:"gate_version"`
	Made
}
