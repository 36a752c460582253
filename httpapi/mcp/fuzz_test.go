package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// Whatever the arguments are, compare does what package compare says of them.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{list, "", "null", "{}", "[]", `{"city":"toronto","city":"x"}`, manyItems(51), `{"city":"paris","items":[{"id":1,"qty":1}]}`, "\xff"} {
		f.Add([]byte(seed))
	}
	s, _ := newServer(f)
	f.Fuzz(func(t *testing.T, arguments []byte) {
		text, body, err := s.callCompare(t.Context(), arguments)
		request, want := compare.DecodeRequest(orEmpty(arguments))
		if want == nil {
			_, want = compare.Evaluate(demo(), request, testNow)
		}
		if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Fatalf("%q: %v, want %v", arguments, err, want)
		}
		if err != nil {
			refusal, ok := asRefusal(err)
			if !ok || refusal.Code == "" || refusal.Path == "" || refusal.Message == "" {
				t.Fatalf("%q: %v", arguments, err)
			}
		} else if text == "" || !json.Valid(body) {
			t.Fatalf("%q: %s %s", arguments, text, body)
		}
	})
}

// Whatever comes in on the streams, every line that goes out is a message, and
// the session goes on until the input ends.
func FuzzStdio(f *testing.F) {
	for _, seed := range []string{callOne, "nonsense", "[]", "{}", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, "\r\n\n", "{}\n{}"} {
		f.Add([]byte(seed))
	}
	s, _ := newServer(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		in := readCloser{strings.NewReader(hello + string(input) + "\n" + strings.Replace(callOne, `"id":1`, `"id":"last"`, 1) + "\n")}
		if err := s.RunStdio(t.Context(), in, &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Fatalf("%q", line)
			}
		}
		if !bytes.Contains(out.Bytes(), []byte(`"id":"last"`)) {
			t.Fatalf("%q: the last call was not answered:\n%s", input, out.Bytes())
		}
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
