package reply

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParams compares queries with net/url. A query is read the same or refused, in a text
// that can be shown.
func FuzzParams(f *testing.F) {
	for _, s := range []string{"city=Toronto&limit=5", "limit=1&limit=2", "cíty=1", "a=%", "limit=%31", "from=2026-07-19;to=2026", "offset=99999999999999999999", "limit=-1", "=&&="} {
		f.Add(s)
	}
	names := []string{"city", "limit", "offset", "from"}
	f.Fuzz(func(t *testing.T, raw string) {
		shown := func(err error) {
			refused, ok := errors.AsType[*Error](err)
			if !ok || refused.Status() != http.StatusBadRequest || !utf8.ValidString(refused.Refusal.Error) || len(refused.Refusal.Error) > 1000 {
				t.Fatalf("%q: %v", raw, err)
			}
		}
		p, err := ReadParams(raw, names)
		if err != nil {
			shown(err)
			return
		}
		values, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%q is taken", raw)
		}
		for name, list := range values {
			if !slices.Contains(names, name) || len(list) != 1 || p.values[name] != list[0] {
				t.Fatalf("%q becomes %v", raw, p)
			}
		}
		wrong := func() bool {
			err := p.Err
			if p.Err = nil; err != nil {
				shown(err)
			}
			return err != nil
		}
		if pg := p.Page(10, 100); !wrong() && (pg.Limit < 1 || pg.Limit > 100 || pg.Offset < 0 || pg.Offset > maxWhole) {
			t.Fatalf("%q: %+v", raw, pg)
		}
		p.Date("from", 0)
		wrong()
		if v := p.OneOf("city", []string{"Toronto"}); !wrong() && v != "" && v != "Toronto" {
			t.Fatalf("%q: city %q", raw, v)
		}
	})
}

// FuzzRequestHeaders puts a tag into a list of any other texts. It matches only there.
func FuzzRequestHeaders(f *testing.F) {
	for _, s := range []string{`"a", W/"b"`, `*`, `W/"abc`, `gzip;q=0, *`, `gzip;q=1e999`, ` GZIP ; q=0.5`, `,,;q=`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const tag = `W/"0123456789abcdef"`
		if TagMatches(http.Header{"If-None-Match": {s}}, tag) && !strings.Contains(s, tag[2:]) && !strings.Contains(s, "*") {
			t.Fatalf("%q matches %s", s, tag)
		}
		for _, list := range []string{s + "," + tag, tag[2:] + "," + s} {
			if !TagMatches(http.Header{"If-None-Match": {list}}, tag) {
				t.Fatalf("%q does not match %s", list, tag)
			}
		}
	})
}
