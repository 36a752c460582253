package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
)

// Query has the parameters of an address by their names, such as city or from. docs/api.md
// lists them with their defaults. The server refuses a name or a value that it does not know.
// Values are texts, whole numbers, and what has a String, such as panel.Week. Of a time.Time,
// as_of and changed_since take the instant. The others take the day that it has in its own zone.
type Query map[string]any

func (q Query) values() (url.Values, error) {
	query := url.Values{}
	for name, value := range q {
		switch v := value.(type) {
		case time.Time:
			layout := time.DateOnly
			if name == "as_of" || name == "changed_since" {
				layout = time.RFC3339Nano
			}
			query.Set(name, v.Format(layout))
		case string, int, int64, fmt.Stringer:
			query.Set(name, fmt.Sprint(v))
		default:
			return nil, fmt.Errorf("%s: %v is a %T: give a text, a whole number, a day or a time.Time", name, v, v)
		}
	}
	return query, nil
}

// Row is a row of the index. Rows of v1 and v2, or of different releases, do not go together.
type Row struct {
	jevons.Row
	Series  string          // v2 or v1
	Release string          // id; empty where the publisher keeps no release log
	JSON    json.RawMessage // as it was sent, with the members that include and view add
}

// ErrChanged says that the server took another snapshot or release between two pages.
var ErrChanged = errors.New("the data changed between two pages: start the download again")

// Index returns rows of /api/v1/index: the last 90 days, unless the query says otherwise.
func (c *Client) Index(ctx context.Context, q Query) iter.Seq2[Row, error] {
	return download(ctx, c, wire.IndexEndpoint, q, indexRow)
}

// PublicIndex returns rows of /api/public/index, which every tier may ask for: all weeks,
// unless the query says otherwise. They have no change over 52 weeks.
func (c *Client) PublicIndex(ctx context.Context, q Query) iter.Seq2[Row, error] {
	return download(ctx, c, wire.PublicIndexEndpoint, q, indexRow)
}

// AsOf returns rows of /api/v1/index as they were served by a release, such as r12, or at an
// instant, a time.Time or a text in RFC 3339.
func (c *Client) AsOf(ctx context.Context, release any, q Query) iter.Seq2[Row, error] {
	then := Query{"as_of": release}
	maps.Copy(then, q)
	return c.Index(ctx, then)
}

// Prices returns single prices: the last 30 days, unless the query says otherwise. With
// changed_since it returns those that changed since a release, as wire.Price says. Those that
// are set aside come last on each page.
func (c *Client) Prices(ctx context.Context, q Query) iter.Seq2[wire.Price, error] {
	return download(ctx, c, wire.PricesEndpoint, q, plain[wire.Price])
}

// Products returns the products of the basket, with as_of those of a release.
func (c *Client) Products(ctx context.Context, q Query) iter.Seq2[wire.Product, error] {
	return download(ctx, c, wire.ProductsEndpoint, q, plain[wire.Product])
}

// Shrinkflation returns packs that got smaller: those of the last 90 days with high
// confidence, unless the query says otherwise. It fails where the server looks at a part of
// the range only.
func (c *Client) Shrinkflation(ctx context.Context, q Query) iter.Seq2[wire.Event, error] {
	return download(ctx, c, "/api/v1/shrinkflation", q, plain[wire.Event])
}

// Releases returns what was released, newest first.
func (c *Client) Releases(ctx context.Context) iter.Seq2[wire.Release, error] {
	return download(ctx, c, "/api/v1/releases", nil, plain[wire.Release])
}

// page is an answer with rows, which are in one of its lists.
type page struct {
	Meta struct {
		wire.Page
		Series        string            `json:"series"`
		Filters       map[string]string `json:"filters"`
		ScanTruncated bool              `json:"scan_truncated"`
		Release       wire.ReleaseRef   `json:"release"`
	} `json:"meta"`
	Observations, Products, Events, Releases []json.RawMessage

	SetAside []json.RawMessage `json:"set_aside"`
}

// download returns all rows of a result, page by page, as convert reads them. The first page
// fixes the range of days for the others: the defaults move at midnight.
func download[R any](ctx context.Context, c *Client, path string, q Query, convert func(*page, json.RawMessage) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		query, err := q.values()
		if err != nil {
			yield(*new(R), fmt.Errorf("%s: %w", path, err))
			return
		}
		for series, before := query.Get("series"), ""; ; {
			p := &page{}
			a, err := c.get(ctx, path+"?"+query.Encode())
			if err == nil {
				err = json.Unmarshal(a.body, p)
			}
			switch {
			case err != nil:
			case before != "" && before != a.from:
				err = ErrChanged
			case series != "" && p.Meta.Series != series:
				err = fmt.Errorf("the server answered with series %q instead of %q", p.Meta.Series, series)
			case p.Meta.ScanTruncated:
				err = errors.New("there are more events in the range than the server looks at: ask for fewer days")
			}
			if err != nil {
				yield(*new(R), err)
				return
			}
			for _, text := range slices.Concat(p.Observations, p.SetAside, p.Products, p.Events, p.Releases) {
				r, err := convert(p, text)
				if err != nil {
					err = fmt.Errorf("%s: %.200s: %w", path, text, err)
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
			if p.Meta.NextOffset == nil {
				return
			}
			before = a.from
			if from := p.Meta.Filters["from"]; from != "" {
				query.Set("from", from)
				query.Set("to", p.Meta.Filters["to"])
			}
			query.Set("offset", strconv.Itoa(*p.Meta.NextOffset))
		}
	}
}

func plain[R any](_ *page, text json.RawMessage) (r R, err error) {
	err = json.Unmarshal(text, &r)
	return r, err
}

func indexRow(p *page, text json.RawMessage) (Row, error) {
	r, err := table.ReadJSON(text)
	return Row{r, p.Meta.Series, p.Meta.Release.ID, text}, err
}
