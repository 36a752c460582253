package httpapi

import (
	"bytes"
	"encoding/json"
)

const apiVersion = "v1"

// Texts of the responses.
const (
	source  = "Larder weekly grocery price index, Canada"
	license = "The aggregate index may be charted, quoted and published with attribution and a link back; bulk redistribution or resale of the series needs a separate licence."
	note    = "Do not compound pct_change_wow: over more than a week compare index_value. Levels of different series do not compare: headline city and banner series are rebased to 100 in their own entry week; compare places by basket_cost_cad, and categories with each other. Never splice v1 and v2. A missing row is usually a cell below the 60% publication floor."

	methodology = "Direct fixed-base matched-model Jevons index against the base week: one estimator for headline and categories, with the top and bottom 10 percent of store-level relatives of each product trimmed."
)

// pageMeta says which rows of the result a response holds.
type pageMeta struct {
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	Count      int  `json:"count"`
	HasMore    bool `json:"has_more"`
	NextOffset *int `json:"next_offset"`
}

// cut returns the places of the page's rows in a result of n, and notes them.
func (m *pageMeta) cut(p page, n int) (from, to int) {
	from = min(p.offset, n)
	to = from + min(p.limit, n-from)
	m.Limit, m.Offset, m.Count, m.HasMore = p.limit, p.offset, to-from, to < n
	if m.HasMore {
		next := to
		m.NextOffset = &next
	}
	return from, to
}

// indexMeta is meta of the public index.
type indexMeta struct {
	Source   string       `json:"source"`
	Series   string       `json:"series"`
	Endpoint string       `json:"endpoint"`
	License  string       `json:"license"`
	Note     string       `json:"note"`
	Filters  indexFilters `json:"filters"`
	pageMeta
	GeneratedAt string `json:"generated_at"`
}

type indexFilters struct {
	Series   string `json:"series"`
	Level    string `json:"level"`
	Category string `json:"category"`
	City     string `json:"city"`
	Banner   string `json:"banner"`
	From     string `json:"from"`
	To       string `json:"to"`
}

// v1IndexMeta is meta of /api/v1/index.
type v1IndexMeta struct {
	Version string `json:"version"`
	indexMeta
	Methodology string   `json:"methodology"`
	Coverage    coverage `json:"coverage"`
}

type coverage struct {
	AsOf     *string  `json:"as_of"`
	Included []string `json:"cities_included"`
	Missing  []string `json:"cities_missing"`
	Total    int      `json:"cities_total"`
}

func (c *call) indexMeta(q *indexQuery, endpoint string) indexMeta {
	return indexMeta{
		Source: source, Series: q.series, Endpoint: endpoint, License: license, Note: note,
		Filters: indexFilters{
			Series: q.series, Level: orAll(q.level), Category: orAll(q.category), City: orAll(q.city), Banner: orAll(q.banner),
			From: q.from.String(), To: q.to.String(),
		},
		GeneratedAt: c.generatedAt(),
	}
}

// orAll is how a filter that is not set reads.
func orAll(v string) string {
	if v == "" {
		return "all"
	}
	return v
}

// appendResponse appends {"meta": ..., "<name>": [...]}. rows appends the rows,
// a comma after each.
func appendResponse(b []byte, meta any, name string, rows func([]byte) []byte) ([]byte, error) {
	b, err := appendHead(b, meta, name)
	if err != nil {
		return b, err
	}
	start := len(b)
	b = rows(b)
	if len(b) > start {
		b = b[:len(b)-1] // the last comma
	}
	return append(b, responseEnd...), nil
}

// appendHead appends a response as far as its rows.
func appendHead(b []byte, meta any, name string) ([]byte, error) {
	m, err := json.Marshal(meta)
	if err != nil {
		return b, err
	}
	b = append(append(b, `{"meta":`...), m...)
	return append(append(append(b, `,"`...), name...), `":[`...), nil
}

// responseEnd is what a response has after its rows.
const responseEnd = "]}\n"

// share ends the response with rows of the snapshot, a comma after each.
func (c *call) share(rows []byte) {
	c.shared = [][]byte{bytes.TrimSuffix(rows, []byte{','}), []byte(responseEnd)}
}
