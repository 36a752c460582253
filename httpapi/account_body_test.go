package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"
)

// What a body that does not arrive is answered with.
func TestBodyThatFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		status int
		code   string
	}{
		{"too slow", os.ErrDeadlineExceeded, 408, "request_timeout"},
		{"cut off", io.ErrUnexpectedEOF, 400, "invalid_json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/account/session", iotest.ErrReader(c.err))
			r.Header.Set("Content-Type", "application/json")
			_, err := readMembers(httptest.NewRecorder(), r, "key")
			refused, ok := errors.AsType[*apiError](err)
			if !ok || refused.Status != c.status || refused.Code != c.code {
				t.Errorf("%v, want %d %s", err, c.status, c.code)
			}
		})
	}
}

// What is accepted is what encoding/json reads too, and nothing else is in it.
func FuzzParseMembers(f *testing.F) {
	for _, s := range []string{
		`{"key": "x"}`, `{"signin":"y"}`, `{"key":"x","signin":"y"}`, `{}`, ` { } `, `{"key":"x","key":"y"}`, `{"key":"x","\u006bey":"y"}`,
		`{"key":1}`, `{"key":null}`, `{"key":{"key":"x"}}`, `{"key":"\ud800"}`, `[]`, `"key"`, `{"key":"x"}{}`, `{"key":"x",}`, "{\"key\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := parseMembers(body, []string{"key", "signin"})
		if err != nil {
			refused, ok := errors.AsType[*apiError](err)
			if !ok || refused.Status != 400 || refused.Code != "invalid_json" && refused.Code != "invalid_body" {
				t.Fatalf("%q: %v", body, err)
			}
			if refused.Code == "invalid_body" && !json.Valid(body) {
				t.Errorf("%q is called JSON", body)
			}
			return
		}
		var want map[string]string
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatalf("%q is read, but %v", body, err)
		}
		if len(got) != len(want) {
			t.Errorf("%q: %v, want %v", body, got, want)
		}
		for name, v := range want {
			if got[name] != v || name != "key" && name != "signin" {
				t.Errorf("%q: %q is %q, want %q", body, name, got[name], v)
			}
		}
	})
}
