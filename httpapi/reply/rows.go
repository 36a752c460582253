package reply

import (
	"encoding/json"

	"github.com/larder-index/larder/httpapi/wire"
)

// AppendJSON appends v as a line of JSON.
func AppendJSON(b []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(append(b, text...), '\n'), err
}

// AppendHead appends a response as far as its rows, which have a name; End
// follows them.
func AppendHead(b []byte, meta any, rows string) ([]byte, error) {
	m, err := json.Marshal(meta)
	return append(append(append(append(append(b, `{"meta":`...), m...), `,"`...), rows...), `":[`...), err
}

// End ends a response that AppendHead began.
const End = "]}\n"

// Cut returns the places of a page's rows in a result of n, and notes the page.
func Cut(m *wire.Page, p Page, n int) (from, to int) {
	from = min(p.Offset, n)
	to = from + min(p.Limit, n-from)
	*m = wire.Page{Limit: p.Limit, Offset: p.Offset, Count: to - from, HasMore: to < n}
	if m.HasMore {
		m.NextOffset = &to
	}
	return from, to
}
