package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/shrink"
)

const (
	mostRows  = 100
	fewMonths = 90 // days of a list, unless asked for more
)

// rowQuery names rows of the index.
type rowQuery struct {
	City     string `json:"city,omitempty" jsonschema:"the display name of a city; without one, the nation"`
	Banner   string `json:"banner,omitempty" jsonschema:"the key of a banner, which needs a city"`
	Category string `json:"category,omitempty" jsonschema:"such as dairy; without one, all items"`
	From     string `json:"from,omitempty" jsonschema:"the first day, such as 2026-11-15; or 90 days before the last"`
	To       string `json:"to,omitempty" jsonschema:"the last day; without one, the newest week"`
}

// rows returns the rows with their quality, the newest last.
func (s *Server) rows(served *prepared.Snapshot, q *rowQuery) (rows []jevons.Row, of jevons.Cell, err error) {
	p, err := reply.ReadParams(url.Values{
		"city": {q.City}, "banner": {q.Banner}, "category": {q.Category}, "from": {q.From}, "to": {q.To},
	}.Encode(), []string{"city", "banner", "category", "from", "to"})
	of = jevons.Cell{
		Level: jevons.LevelOf(q.City, q.Banner), City: p.OneOf("city", served.CityNames),
		Banner: p.OneOf("banner", served.IndexBanners),
	}
	word := cmp.Or(p.OneOf("category", served.Categories().Words()), basket.Overall.String())
	closed := served.LastClosed(s.Now()).Date()
	last := min(p.Date("to", closed), closed)
	first := p.Date("from", last-fewMonths)
	if err = cmp.Or(err, p.Err); err != nil {
		return nil, of, err
	}
	if q.Banner != "" && q.City == "" {
		return nil, of, reply.Invalid("banner", nil, "a banner's index is that of one city: send city too")
	}
	of.Category, _ = served.Categories().Parse(word)
	t, err := served.Quality()
	if err != nil {
		return nil, of, err
	}
	return t.Select(jevons.Filter{
		Level: of.Level, City: of.City, Banner: of.Banner, Categories: []string{word},
		From: first, To: last,
	}), of, nil
}

type indexRows struct {
	Note         string            `json:"note"`
	Observations []json.RawMessage `json:"observations"`
}

func callIndex(s *Server, served *prepared.Snapshot, q rowQuery) (string, any, error) {
	rows, of, err := s.rows(served, &q)
	out := indexRows{prepared.Note("v2", served.About()), []json.RawMessage{}}
	columns := append(table.Columns(served.About()), table.QualityColumn(), table.WoWIntervalColumn())
	for _, r := range slices.Backward(rows[max(0, len(rows)-mostRows):]) {
		out.Observations = append(out.Observations, table.AppendJSON(nil, &r, columns))
	}
	return fmt.Sprintf("%s: %d rows.", of, len(out.Observations)), out, err
}

// callExplain takes the newest of the rows apart.
func callExplain(s *Server, served *prepared.Snapshot, q rowQuery) (string, any, error) {
	rows, of, err := s.rows(served, &q)
	if err != nil {
		return "", nil, err
	}
	if len(rows) == 0 {
		return "", nil, reply.Refuse("not_found", "no week of these days is published: "+of.String())
	}
	t, err := served.Quality()
	if err != nil {
		return "", nil, err
	}
	e, err := t.Explain(rows[len(rows)-1].Week, of)
	if err != nil {
		return "", nil, err
	}
	text := fmt.Sprintf("%s, week ending %s: level %s.", of, e.Row.Week, e.Row.Index)
	return text, table.Explanation{Explanation: e, About: served.About()}, nil
}

type shrinkQuery struct {
	Banner string `json:"banner,omitempty" jsonschema:"the key of a banner"`
	Grade  string `json:"grade,omitempty" jsonschema:"the least: high, medium (without one) or low"`
}

func callShrinkflation(_ *Server, served *prepared.Snapshot, q shrinkQuery) (string, any, error) {
	least, err := shrink.ParseConfidence(cmp.Or(q.Grade, "medium"))
	if err != nil {
		return "", nil, reply.Invalid("grade", []string{"high", "medium", "low"}, "%s is no grade",
			reply.Quote(q.Grade))
	}
	out := struct {
		Events []wire.Event `json:"events"`
	}{[]wire.Event{}}
	for _, e := range slices.Backward(served.Shrinkages()) {
		of := served.Listings[e.Listing]
		if e.Confidence <= least && (q.Banner == "" || q.Banner == of.Banner.Key) && len(out.Events) < mostRows {
			out.Events = append(out.Events, prepared.NewEvent(&e, of))
		}
	}
	return fmt.Sprintf("%d packs got smaller.", len(out.Events)), out, nil
}
