package httpapi

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	indexDecimals  = 4
	dollarDecimals = 2
)

// AppendObservation appends one index row as the JSON object that
// /api/v1/index calls an observation, its members in the document's order. It
// is written by hand because a response holds thousands of rows.
func AppendObservation(b []byte, r *jevons.Row) []byte {
	return append(appendYoY(appendIndexRow(b, r), r), '}')
}

func appendIndexRow(b []byte, r *jevons.Row) []byte {
	b = append(b, `{"date":"`...)
	b = r.Week.Date().Time(time.UTC).AppendFormat(b, time.DateOnly)
	b = append(b, `","city":`...)
	b = appendText(b, r.Cell.City)
	b = append(b, `,"retailer":`...)
	b = appendText(b, r.Cell.Banner)
	b = append(b, `,"category":`...)
	if r.Cell.Category == basket.Overall {
		b = append(b, "null"...)
	} else {
		b = appendText(b, r.Cell.Category.String())
	}
	b = append(b, `,"index_value":`...)
	b = r.Index.Append(b, indexDecimals)
	b = append(b, `,"basket_cost_cad":`...)
	b = r.BasketCost.Append(b, dollarDecimals)
	b = appendChange(b, "pct_change_wow", r.WoW)
	b = appendChange(b, "pct_change_mom", r.MoM)
	b = appendCount(b, "item_count", r.ItemCount)
	return appendCount(b, "total_items", r.TotalItems)
}

func appendYoY(b []byte, r *jevons.Row) []byte { return appendChange(b, "pct_change_yoy", r.YoY) }

func appendChange(b []byte, name string, v panel.Fixed) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	return v.Append(b, indexDecimals)
}

func appendCount(b []byte, name string, n int32) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	if n < 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// appendText appends a JSON string; the empty text is null.
func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	ascii := true
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return appendQuoted(b, s)
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029")) {
		return appendQuoted(b, s)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendQuoted(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	return append(b, quoted...)
}
