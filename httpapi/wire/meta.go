package wire

// The paths of the endpoints that clients download page by page.
const (
	PricesEndpoint      = "/api/v1/prices"
	ProductsEndpoint    = "/api/v1/products"
	IndexEndpoint       = "/api/v1/index"
	PublicIndexEndpoint = "/api/public/index"
)

// Page says which rows of a result an answer holds.
type Page struct {
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	Count      int  `json:"count"` // rows in the answer
	HasMore    bool `json:"has_more"`
	NextOffset *int `json:"next_offset"` // null after the last page
}

// PublicIndexMeta is meta of /api/public/index.
type PublicIndexMeta struct {
	Source   string       `json:"source"`
	Series   string       `json:"series"` // v2 or v1
	Endpoint string       `json:"endpoint"`
	License  string       `json:"license"`
	Note     string       `json:"note"`
	Filters  IndexFilters `json:"filters"`
	Page
	GeneratedAt string      `json:"generated_at"`
	Release     *ReleaseRef `json:"release,omitempty"` // absent without a release log
	View        *View       `json:"view,omitempty"`    // absent unless asked for
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
	Version string `json:"version"`
	PublicIndexMeta
	Methodology string   `json:"methodology"`
	Coverage    Coverage `json:"coverage"`
}

// IndexFilters are the filters of index rows in effect. A filter that is not set
// is "all".
type IndexFilters struct {
	Series   string `json:"series"`
	Level    string `json:"level"`
	Category string `json:"category"`
	City     string `json:"city"`
	Banner   string `json:"banner"`
	From     string `json:"from"`
	To       string `json:"to"`
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
	Version string `json:"version"`
	PublicIndexMeta
	Filters   CellsFilters `json:"filters"`
	Attrition Attrition    `json:"attrition"`
}

// CellsFilters are the filters of coverage in effect.
type CellsFilters struct {
	IndexFilters
	Missing string `json:"missing"` // "1" for cells that are not published, or "all"
}

// Attrition says how the sample of the index ages, whatever the filters of cells are. A
// series is one listing at one store.
type Attrition struct {
	Base  int         `json:"base_series"` // series priced in the base week
	Weeks []WeekOfUse `json:"weeks"`       // those of the range that have prices
}

// WeekOfUse is the series in use in one week.
type WeekOfUse struct {
	Week    string  `json:"week"`
	Matched int     `json:"base_series_matched"` // priced, and in the base week too
	Came    int     `json:"came"`                // priced for the first time
	Went    int     `json:"went"`                // last priced in the week before
	InUse   int     `json:"in_use"`              // priced
	Median  float64 `json:"median_age_weeks"`    // of these, since their first price
}

// PricesMeta is meta of /api/v1/prices. Limit, offset, has_more and next_offset
// count rows before the quality gate, count counts rows after it.
type PricesMeta struct {
	Version  string        `json:"version"`
	Endpoint string        `json:"endpoint"`
	Note     string        `json:"note,omitempty"` // that the prices are invented
	Filters  PricesFilters `json:"filters"`
	Page
	FilteredIdentity   int         `json:"filtered_identity"`
	FilteredQuarantine int         `json:"filtered_quarantine"`
	GateVersion        string      `json:"gate_version"`
	GeneratedAt        string      `json:"generated_at"`
	Release            *ReleaseRef `json:"release,omitempty"` // absent without a release log
}

// PricesFilters are the filters of prices in effect. A filter that is not set is
// "all".
type PricesFilters struct {
	ProductID string `json:"product_id"`
	City      string `json:"city"`
	Banner    string `json:"banner"`
	From      string `json:"from"`
	To        string `json:"to"`
}
