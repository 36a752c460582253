package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
)

// refusal returns the code and path of an error: "" for none.
func refusal(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*compare.Error](err)
	if !ok {
		t.Fatalf("%v is no *Error", err)
	}
	if !strings.Contains(e.Message, " such as ") && !strings.Contains(e.Message, "send ") && !strings.Contains(e.Message, "name one of") && !strings.Contains(e.Message, "leave ") {
		t.Errorf("%s does not say what to change", e)
	}
	return e.Code + " " + e.Path
}

func TestDecodeRequest(t *testing.T) {
	const items = `"items":[{"id":1,"qty":2}]`
	for _, c := range []struct{ name, body, want string }{
		{"smallest", `{"city":"halifax",` + items + `}`, ""},
		{"in another order, with space", "\r\n\t {" + items + ` , "city" : "halifax", "stores" : [ ] } `, ""},
		{"escapes", `{"\u0063ity":"halifa\u0078","items":[{"id":1,"qty":2}]}`, ""},
		{"a pair of surrogates", `{"city":"\ud83d\ude00",` + items + `}`, ""},

		{"a key twice in an item", `{"city":"halifax","items":[{"id":1,"qty":1,"id":1}]}`, "invalid_json body"},

		{"an array", `[]`, "invalid_body body"},
		{"null", `null`, "invalid_body body"},
		{"no city", `{` + items + `}`, "invalid_body city"},
		{"no items", `{"city":"halifax"}`, "invalid_body items"},
		{"null stores", `{"city":"halifax",` + items + `,"stores":null}`, "invalid_body stores"},
		{"null item", `{"city":"halifax","items":[null]}`, "invalid_body items[0]"},
		{"an item that is a number", `{"city":"halifax","items":[{"id":1,"qty":1},7]}`, "invalid_body items[1]"},
		{"unknown member", `{"city":"halifax",` + items + `,"City":1}`, "invalid_body City"},
		{"unknown member without a name", `{"city":"halifax",` + items + `,"":1}`, `invalid_body ""`},
		{"unknown member of an item", `{"city":"halifax","items":[{"id":1,"qty":1,"name":"milk"}]}`, "invalid_body items[0].name"},
		{"no id", `{"city":"halifax","items":[{"qty":1}]}`, "invalid_body items[0].id"},
		{"no qty", `{"city":"halifax","items":[{"id":1}]}`, "invalid_body items[0].qty"},
		{"qty in a string", `{"city":"halifax","items":[{"id":1,"qty":"1"}]}`, "invalid_body items[0].qty"},

		{"an item twice", `{"city":"halifax","items":[{"id":1,"qty":1},{"id":1.0,"qty":2}]}`, "duplicate_item items[1].id"},
		{"a store twice", `{"city":"halifax",` + items + `,"stores":["a","b","a"]}`, "duplicate_store stores[2]"},

		// Of several faults the first kind is reported.
		{"JSON before shape", `{"cities":1,"cities":1}`, "invalid_json body"},
		{"unknown before missing", `{"cities":1}`, "invalid_body cities"},
		{"shape before quantities", `{"city":"halifax","items":[{"id":1,"qty":99},{"id":2}]}`, "invalid_body items[1].qty"},
		{"items before stores", `{"city":"halifax","items":[{"id":1,"qty":99}],"stores":["a","a"]}`, "invalid_quantity items[0].qty"},
		{"the id before its quantity", `{"city":"halifax","items":[{"id":0,"qty":99}]}`, "unknown_item items[0].id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := compare.DecodeRequest([]byte(c.body))
			if got := refusal(t, err); got != c.want {
				t.Errorf("%s: %s (%v), want %s", c.body, got, err, c.want)
			}
			if err == nil && (r.City == "" || len(r.Items) != 1 || r.Items[0] != compare.Item{ID: 1, Qty: 200}) {
				t.Errorf("%s: %+v", c.body, r)
			}
		})
	}
}

// What keeps a body from being JSON, and at which byte where encoding/json finds it.
func TestBrokenJSON(t *testing.T) {
	for body, want := range map[string]string{
		``: "at byte 0: unexpected end of JSON input", `{"a":1`: "at byte 6: unexpected end of JSON input",
		`[1,]`:                     "at byte 4: invalid character ']' looking for beginning of value",
		`{} {}`:                    "at byte 4: invalid character '{' after top-level value",
		`{"a":1,"b":2,"\u0061":3}`: `the key "a" stands twice in one object`,
		`{"a":[{"b":{},"b":[]}]}`:  `the key "b" stands twice in one object`,
		`["\ud83d"]`:               "an escape is half a pair of surrogates, or U+FFFD",
		"[\"\u00e9\ufffd\xff\"]":   "it is not UTF-8",
	} {
		_, err := compare.DecodeRequest([]byte(body))
		want = "compare: body: the body is not one JSON value: " + want + `; send {"city":"{city}","items":[{"id":1,"qty":2}]}`
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

// Numbers count by their value.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ id, qty, want string }{
		{"7", "0.25", "0.25"}, {"7", "0.250", "0.25"}, {"7", "25e-2", "0.25"}, {"7", "0.00025E+3", "0.25"},
		{"7", "10", "10"}, {"7", "1e1", "10"}, {"7", "0.5", "0.5"}, {"7", "9.75", "9.75"},
		{"1", "1", "1"}, {"1", "1.0", "1"}, {"1", "1e0", "1"}, {"1", "20", "20"}, {"1", "2e1", "20"}, {"1", "200000e-4", "20"},
		{"1.0", "1", "1"}, {"1e0", "1", "1"}, {"10e-1", "1", "1"},
		{"1", "1" + strings.Repeat("0", 3000) + "e-3000", "1"},
		{"7", "0." + strings.Repeat("0", 3000) + "5e3000", "0.5"},
		{"1", "20.25", "invalid_quantity items[0].qty"}, {"7", "20.25", "invalid_quantity items[0].qty"},
		{"7", "0.3", "invalid_quantity items[0].qty"}, {"7", "0.30", "invalid_quantity items[0].qty"},
		{"7", "0.255", "invalid_quantity items[0].qty"}, {"7", "0", "invalid_quantity items[0].qty"},
		{"7", "-0.25", "invalid_quantity items[0].qty"}, {"7", "0.125", "invalid_quantity items[0].qty"},
		{"1", "21", "invalid_quantity items[0].qty"}, {"1", "1e999999999", "invalid_quantity items[0].qty"},
		{"1", "1e-999999999", "invalid_quantity items[0].qty"}, {"1", "1e99999999999999999999", "invalid_quantity items[0].qty"},
		{"1", "2e18446744073709551616", "invalid_quantity items[0].qty"}, {"1", "20e-18446744073709551617", "invalid_quantity items[0].qty"},
		{"1", "0e99999999999999999999", "invalid_quantity items[0].qty"}, {"1", "9223372036854775808", "invalid_quantity items[0].qty"},
		{"1", "1.00000000000000000000001", "invalid_quantity items[0].qty"},
		{"0", "1", "unknown_item items[0].id"}, {"9007199254740992", "1", "unknown_item items[0].id"}, {"9007199254740991", "1", "1"}, {"9.007199254740991e15", "2", "2"}, {"-1", "1", "unknown_item items[0].id"},
		{"-0", "1", "unknown_item items[0].id"}, {"1e999999999", "1", "unknown_item items[0].id"}, {"4294967297", "429496729601", "invalid_quantity items[0].qty"},
		{"18446744073709551617", "1", "unknown_item items[0].id"}, {"1.5", "1", "invalid_body items[0].id"}, {"1e-999999999", "1", "invalid_body items[0].id"},
		{"0e-999999999", "1", "unknown_item items[0].id"},
	} {
		r, err := compare.DecodeRequest(fmt.Appendf(nil, `{"city":"halifax","items":[{"id":%s,"qty":%s}]}`, c.id, c.qty))
		got := refusal(t, err)
		if err == nil {
			got = r.Items[0].Qty.String()
		}
		if got != c.want {
			t.Errorf("id %.40s, qty %.40s: %s, want %s", c.id, c.qty, got, c.want)
		}
	}
}

func TestBodySize(t *testing.T) {
	body := `{"city":"halifax","items":[{"id":1,"qty":2}]}`
	body += strings.Repeat(" ", compare.MaxBody-len(body))
	if _, err := compare.DecodeRequest([]byte(body)); err != nil {
		t.Errorf("8192 bytes: %v", err)
	}
	if _, err := compare.DecodeRequest([]byte(body + " ")); refusal(t, err) != "body_too_large body" {
		t.Errorf("8193 bytes: %v", err)
	}
	// As deep as a body can be.
	for _, deep := range []string{strings.Repeat("[", compare.MaxBody), strings.Repeat(`{"":`, compare.MaxBody/4)} {
		if _, err := compare.DecodeRequest([]byte(deep)); refusal(t, err) != "invalid_json body" {
			t.Errorf("%.10s...: %v", deep, err)
		}
	}
}

// knownCodes are those that a request can be refused with.
var knownCodes = map[string]bool{
	"body_too_large": true, "invalid_json": true, "invalid_body": true, "invalid_items": true, "too_many_items": true,
	"unknown_item": true, "duplicate_item": true, "invalid_quantity": true, "invalid_stores": true,
	"too_many_stores": true, "duplicate_store": true,
}

// FuzzDecodeRequest holds the reader against encoding/json: what is refused as
// no JSON is not valid there, or has a key twice, bytes that are no UTF-8 or half
// a pair of surrogates, all of which encoding/json lets pass. What is read is
// written and read again as the same.
func FuzzDecodeRequest(f *testing.F) {
	for _, seed := range []string{
		`{"city":"\ud83d\ude00\n","items":[{"id":1e0,"qty":2},{"id":7,"qty":2.5e-1}],"stores":["alder"]}`, `[{"a":[null,true,-1.5e+3,""]}]`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := compare.DecodeRequest(body)
		if err != nil {
			e, ok := errors.AsType[*compare.Error](err)
			if !ok || !knownCodes[e.Code] || e.Path == "" || !utf8.ValidString(e.Message) {
				t.Fatalf("%q: %#v", body, err)
			}
			valid := json.Valid(body)
			if e.Code == "invalid_body" && !valid {
				t.Fatalf("%q: no JSON, but %v", body, err)
			}
			lenient := strings.Contains(e.Message, "twice") || strings.Contains(e.Message, "UTF-8") || strings.Contains(e.Message, "surrogates")
			if e.Code == "invalid_json" && valid && !lenient {
				t.Fatalf("%q is JSON: %v", body, err)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("%q is no JSON", body)
		}
		again, err := compare.DecodeRequest([]byte(asJSON(t, r)))
		if diff := cmp.Diff(r, again, equateEmpty); diff != "" || err != nil {
			t.Fatalf("%v: %s", err, diff)
		}
	})
}

// equateEmpty takes a list that was left out for an empty one.
var equateEmpty = cmp.Transformer("stores", func(s []string) string { return strings.Join(s, "\x00") })
