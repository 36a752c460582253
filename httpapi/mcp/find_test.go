package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// TestRequestsInWords has a client that knows only the texts of the tools do shopping
// requests. It takes what find_items says to take. Where it says to ask, the shopper
// takes the first item offered. Each request ends in a comparison of the right ids and
// quantities.
func TestRequestsInWords(t *testing.T) {
	s, _ := newServer(t)
	table, err := os.ReadFile("../../compare/testdata/lists.tsv")
	if err != nil {
		t.Fatal(err)
	}
	session := connect(t, overHTTP(t, s))
	offer := regexp.MustCompile(`^(take|ask how much:|ask the shopper:|not compared; related:) id (\d+) [^;(]*?(?:, qty ([0-9.]+))?(?: \(|; |\. |$)`)
	wrong, n := 0, 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "request\t") {
			continue
		}
		n++
		row := strings.Split(line, "\t")
		texts := strings.Split(row[1], "; ")
		arguments, _ := json.Marshal(map[string]any{"texts": texts})
		answer := strings.Split(strings.TrimSpace(textOf(t, call(t, session, "find_items", string(arguments)))), "\n")
		want := map[string]string{}
		for item := range strings.SplitSeq(row[2], ",") {
			if id, qty, ok := strings.Cut(item, "x"); ok {
				want[id] = qty
			}
		}
		open := map[string]bool{} // what may not be taken: the shopper says no, or leaves it out
		for text := range strings.SplitSeq(row[3]+"; "+row[4], "; ") {
			if i := strings.LastIndex(text, ": "); i >= 0 {
				text = text[:i]
			}
			open[text] = true
		}
		got, bad := []string{}, false
		for i, said := range answer {
			said = strings.TrimPrefix(said, fmt.Sprintf("%q: ", texts[i]))
			part := offer.FindStringSubmatch(said)
			if part == nil || strings.HasPrefix(part[1], "not") {
				continue
			}
			if open[texts[i]] {
				bad = bad || part[1] == "take"
				continue
			}
			qty := part[3]
			if qty == "" {
				qty = "1"
			}
			got = append(got, part[2]+"x"+qty)
			if accepted, ok := want[part[2]]; !ok || !slices.Contains(strings.Split(accepted, "|"), qty) {
				bad = true
			}
			delete(want, part[2])
		}
		if len(got) > 0 {
			items := strings.NewReplacer("x", `,"qty":`).Replace(`{"id":` + strings.Join(got, `},{"id":`) + "}")
			res := call(t, session, "compare", `{"city":"toronto","items":[`+items+`]}`)
			list, _ := res.StructuredContent.(map[string]any)["items"].([]any)
			bad = bad || res.IsError || len(list) != len(got)
		}
		if bad || len(want) > 0 {
			wrong++
			t.Logf("%s\n\tends in %s, not %s\n\t%s", row[0], got, row[2], strings.Join(answer, "\n\t"))
		}
	}
	if n < 30 || wrong > 0 {
		t.Errorf("%d of %d requests end in another list", wrong, n)
	}
}

// TestFindItemsRefused sends what find_items does not take.
func TestFindItemsRefused(t *testing.T) {
	s, _ := newServer(t)
	session := connect(t, overHTTP(t, s))
	for _, arguments := range []string{`{}`, `{"texts":[]}`, `{"texts":"eggs"}`, `{"texts":["eggs"],"city":"toronto"}`, `{"texts":[` + strings.Repeat(`"eggs",`, 50) + `"eggs"]}`} {
		res := call(t, session, "find_items", arguments)
		if code, path, _ := details(t, res); code != "invalid_body" || path != "texts" {
			t.Errorf("%s: %s", arguments, textOf(t, res))
		}
	}
}

// piece matches a text that a tokenizer makes one token of, or several if the text is long.
var piece = regexp.MustCompile(`\n|\pL+|\pN{1,3}|[^\s\pL\pN]`)

// tokens estimates the tokens of a text: a token for each five bytes of a word. On
// texts of compare this was at most 3% below what cl100k_base and o200k_base count,
// which is added.
func tokens(text string) float64 {
	n := 0
	for _, s := range piece.FindAllString(text, -1) {
		n += (len(s) + 4) / 5
	}
	return 1.03 * float64(n)
}

// TestTextLength compares twenty items in all cities. Each text has fewer than 900
// tokens.
func TestTextLength(t *testing.T) {
	s, _ := newServer(t)
	session := connect(t, overHTTP(t, s))
	for _, city := range compare.Catalog(demo()).Cities {
		for first := 1; first <= 31; first += 10 {
			var items []string
			for id := first; id < first+20; id++ {
				items = append(items, fmt.Sprintf(`{"id":%d,"qty":%d}`, id, 1+id%2))
			}
			text := textOf(t, call(t, session, "compare", `{"city":"`+city.Slug+`","items":[`+strings.Join(items, ",")+`]}`))
			if n := tokens(text); n >= 900 {
				t.Errorf("%s from %d: %.0f tokens\n%s", city.Slug, first, n, text)
			}
		}
	}
}

// TestNoLinks compares without a known server: nothing links to one.
func TestNoLinks(t *testing.T) {
	s, _ := newServer(t, func(c *Config) { c.BaseURL = "" })
	session := connect(t, overStdio(t, s))
	res := call(t, session, "compare", list)
	body, _ := json.Marshal(res)
	if res.IsError || strings.Contains(string(body), "comparisonUrl") || strings.Contains(string(body), "/shopper#") {
		t.Errorf("%s", body)
	}
	if url := session.InitializeResult().ServerInfo.WebsiteURL; url != "" {
		t.Errorf("the server is at %s", url)
	}
}
