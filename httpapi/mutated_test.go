package httpapi_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

var (
	mutated  = flag.Int("mutated", 2000, "how many requests TestMutatedRequests makes")
	mutation = flag.Uint64("mutation", 1, "which requests TestMutatedRequests makes")
)

// odd are values that a parameter, a header, or a part of a body or of a path may get.
var odd = []string{
	"", " ", "0", "-1", "1e9", "99999999999999999999", "007", "+5", "1.5", "NaN", "null", "true", "all", "r1", "r0", "r999", "r1 ", "R1", "latest", "é", "\xff\xfe", "\x00", "a\r\nb", "\u202e", "💥",
	"2026-11-15", "2026-02-30", "0000-00-00", "9999-12-31", "2026-11-15T00:00:00Z", "2026-11-15T00:00:00", "2999-01-01T00:00:00Z", "-0001-01-01", "2026-11-15T25:00:00+99:99",
	"Toronto", "toronto", "St. John's", "tillbrook", "dairy", "national.overall", "toronto.dairy,national.overall", "quality,contributions", "quality,quality", ",", ",,", "1x2,7x0.5", "1x1x1", "0x1", "1x-2",
	"<script>", "'; DROP TABLE keys; --", "../../etc/passwd", "%2e%2e%2f", "${jndi:x}", `"`, `\`, "[]", "{}", strings.Repeat("x", 3000), strings.Repeat("1,", 900),
	"*", "application/json", "text/html", "application/json;charset=latin1", "gzip", "gzip;q=0, *;q=0", "bytes=0-9", "bytes=-5", "bytes=9-0", "bytes=0-1,3-4,999999999-", "W/\"x\"", "same-origin", "cross-site", "https://elsewhere.example", "203.0.113.9", "Bearer", "Basic eDp5", "100-continue",
}

var oddHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Type", "Content-Encoding", "Cookie", "If-None-Match", "If-Modified-Since", "If-Range", "Origin", "Range", "Referer", "Sec-Fetch-Site", "X-Forwarded-For", "X-HTTP-Method-Override", "MCP-Protocol-Version", "Last-Event-ID",
}

// documented is a request as the document describes it.
type documented struct {
	method, path, body string
	query              url.Values
	header             http.Header
}

// mutant is a documented request of an operation, changed in some places.
func mutant(r *rand.Rand, operations []documented) (x documented) {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	x = operations[r.IntN(len(operations))]
	x.query, x.header = maps.Clone(x.query), x.header.Clone()
	for name := range x.query {
		if name != "limit" && r.IntN(2) == 0 {
			x.query.Del(name)
		}
	}
	names := append(slices.Sorted(maps.Keys(x.query)), "nonesuch", "limit", "as_of", "from")
	for range r.IntN(4) {
		switch name := pick(names); r.IntN(10) {
		case 0, 1, 2:
			x.query.Set(name, pick(odd))
		case 3:
			x.query.Add(name, pick(odd))
		case 4, 5:
			x.header.Set(pick(oddHeaders), strings.Map(func(c rune) rune { // others can't be sent
				if c < ' ' || c > '~' {
					return -1
				}
				return c
			}, pick(odd)))
		case 6:
			x.method = pick([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"})
		case 7:
			at := r.IntN(len(x.path))
			x.path = pick([]string{x.path + "/", x.path + "/" + url.PathEscape(pick(odd)), x.path[:at+1], x.path[:at] + "/" + x.path[at:], strings.ToUpper(x.path), x.path + "%00", "/" + url.PathEscape(pick(odd))})
		case 8:
			parts := strings.Split(x.path, "/")
			parts[1+r.IntN(len(parts)-1)] = url.PathEscape(pick(odd))
			x.path = strings.Join(parts, "/")
		default:
			if x.body == "" {
				x.body = pick(odd)
				continue
			}
			at := r.IntN(len(x.body))
			x.body = pick([]string{
				x.body[:at], x.body[:at] + pick(odd) + x.body[at:], x.body + x.body, x.body[:at] + string(rune(r.IntN(256))) + x.body[at+1:], "[" + x.body + "]",
				strings.Replace(x.body, "{", `{"city":1,`, 1), strings.Replace(x.body, ":", ":"+strings.Repeat("[", 200), 1), strings.Repeat(" ", 9000) + x.body,
			})
		}
	}
	return x
}

// operationsOf returns a request for every documented operation, with all of its parameters.
func operationsOf(doc *openapi3.T) (list []documented) {
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range slices.Sorted(maps.Keys(paths[path].Operations())) {
			operation := paths[path].GetOperation(method)
			x := documented{method, strings.Replace(path, "{id}", "r1", 1), "", url.Values{}, http.Header{}}
			for _, p := range operation.Parameters {
				p, value := p.Value, any("1")
				switch {
				case p.Example != nil:
					value = p.Example
				case p.Schema.Value.Default != nil:
					value = p.Schema.Value.Default
				case len(p.Schema.Value.Enum) > 0:
					value = p.Schema.Value.Enum[0]
				}
				switch p.In {
				case "query":
					x.query.Set(p.Name, fmt.Sprint(value))
				case "header":
					x.header.Set(p.Name, fmt.Sprint(value))
				}
			}
			if x.query.Has("limit") {
				x.query.Set("limit", "3") // answers are checked member by member
			}
			if b := operation.RequestBody; b != nil {
				x.header.Set("Content-Type", "application/json")
				x.header.Set("Sec-Fetch-Site", "same-origin")
				x.body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":{"city":"toronto","items":[{"id":1,"qty":2}]}}}`
				for _, name := range slices.Sorted(maps.Keys(b.Value.Content["application/json"].Examples)) {
					text, _ := json.Marshal(b.Value.Content["application/json"].Examples[name].Value.Value) // it was JSON
					x.body = string(text)
				}
			}
			list = append(list, x)
		}
	}
	return list
}

// TestMutatedRequests changes documented requests of every operation at random: parameters, headers,
// methods, paths and bodies. No answer is a fault of the server, and the recorder finds each in the document.
// go test ./httpapi -run MutatedRequests -mutated 20000 -mutation N makes more, and others.
func TestMutatedRequests(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, apitest.Ample, apitest.BehindProxy)
	operations, r, met := operationsOf(apitest.OpenAPI()), rand.New(rand.NewPCG(*mutation, 20)), map[int]int{}
	generous := func(n *state.NewKey) { n.PerMinute, n.PerMonth = 1_000_000, 10_000_000 }
	keys := []string{"", f.Key(state.Standard, generous), f.Key(state.Standard, generous), f.Key(state.Enterprise, generous), f.Key(state.Research, generous), apitest.UnknownKey}
	var session *http.Cookie
	for n := range *mutated {
		if n%500 == 0 { // a request may have ended it, or rotated its key
			session = f.SignIn(f.Key(state.Standard, generous))
			f.Clock.Advance(time.Minute)
		}
		x, key := mutant(r, operations), keys[r.IntN(len(keys))]
		change := []apitest.Change{apitest.AsClient(n % 250), func(q *http.Request) { maps.Copy(q.Header, x.header) }}
		if strings.HasPrefix(x.path, "/account") || r.IntN(8) == 0 {
			change, key = append(change, apitest.WithCookie(session)), ""
		}
		address := x.path + "?" + x.query.Encode()
		if _, err := url.ParseRequestURI(address); err != nil {
			continue
		}
		got := f.Do(x.method, address, key, x.body, change...)
		if met[got.StatusCode]++; got.StatusCode >= http.StatusInternalServerError || t.Failed() {
			t.Fatalf("request %d of -mutation %d: %s %s\nheaders %v\nbody %.500q\n%d %.500s", n, *mutation, x.method, address, x.header, x.body, got.StatusCode, got.Content)
		}
	}
	if t.Logf("%d operations: %v", len(operations), met); met[http.StatusOK] < *mutated/10 || met[http.StatusBadRequest] < *mutated/20 {
		t.Errorf("few are right, or few are wrong: %v", met)
	}
}
