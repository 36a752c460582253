package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWrap breaks lines.
func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"fits exactly", 12, "fits exactly"},
		{"fits no more", 11, "fits no\n  more"},
		{"one two three four", 9, "one two\n  three\n  four"},
		{"    indented text goes on", 24, "    indented text goes\n      on"},
		{"  --flag value    what it is for and more words", 40, "  --flag value    what it is for and\n                  more words"},
		{"unbreakableunbreakable", 10, "unbreakabl\n  eunbreak\n  able"},
		{"日本語の牛乳です", 10, "日本語の牛\n  乳です"},
		{"  larder import prices --db larder.db", 24, "  larder import prices \\\n    --db larder.db"},
		{`  curl -H "a b c" 'd e f' g`, 20, "  curl -H \"a b c\" \\\n    'd e f' g"},
	} {
		if got := strings.Join(wrap(c.line, c.width), "\n"); got != c.want {
			t.Errorf("%q in %d columns:\n%s\nwant\n%s", c.line, c.width, got, c.want)
		}
	}
}

// TestFit fits a table into fewer and fewer columns.
func TestFit(t *testing.T) {
	t.Parallel()
	rows := [][]any{
		{"2026-11-15", "Calgary", "milk and more", 1.5, "a long reason with many words in it"},
		{"2026-11-15", "Calgary", "eggs", 10.25, "short"},
		{"2026-11-15", "Toronto", "milk", 2, "-"},
		{"2026-11-15", "Toronto", "bread", 3, "-"},
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{72, `
week: 2026-11-15
city     product        price now  why
Calgary  milk and more        1.5  a long reason with many words in it
Calgary  eggs               10.25  short
Toronto  milk                   2  -
Toronto  bread                  3  -
`},
		{71, `
week: 2026-11-15
city     product        price now  why
Calgary  milk and more        1.5  a long reason with many words in it
Calgary  eggs               10.25  short
Toronto  milk                   2  -
Toronto  bread                  3  -
`},
		{60, `
week: 2026-11-15
city     product        price  why
                          now
Calgary  milk and more    1.5  a long reason with many words
                               in it
Calgary  eggs           10.25  short
Toronto  milk               2  -
Toronto  bread              3  -
`},
		{44, `
week: 2026-11-15
product        price  why
                 now

city: Calgary
milk and more    1.5  a long reason with
                      many words in it
eggs           10.25  short

city: Toronto
milk               2  -
bread              3  -
`},
		{22, `
week 2026-11-15,
  city Calgary,
  product milk and
    more,
  price now 1.5,
  why a long reason
    with many words in
    it
week 2026-11-15,
  city Calgary,
  product eggs,
  price now 10.25,
  why short
week 2026-11-15,
  city Toronto,
  product milk,
  price now 2, why -
week 2026-11-15,
  city Toronto,
  product bread,
  price now 3, why -
`},
	} {
		var b bytes.Buffer
		if err := newSheet(rows, "week", "city", "product", ">price now", "why").printTable(&screen{out: &b, width: c.width}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), b.String()); diff != "" {
			t.Errorf("%d columns: %s", c.width, diff)
		}
	}
}
