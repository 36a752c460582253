package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestSignInBodies(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	secret := f.Key(state.Research)
	good := `{"key": "` + secret + `"}`
	long := `{"key": "` + secret + `"` + strings.Repeat(" ", 4096-len(good)) + `}`
	disabledKey, disabled := f.Created(state.NewKey{Tier: state.Research})
	if _, err := f.State.DisableKey(t.Context(), disabledKey.ID); err != nil {
		t.Fatal(err)
	}
	_, expired := f.Created(state.NewKey{Tier: state.Research, Expires: apitest.Now.Add(time.Hour)})
	f.Clock.Advance(time.Hour)
	for i, c := range []struct {
		name, contentType, body string
		status                  int
		code                    string
	}{
		{"key", "application/json", good, 200, ""},
		{"escaped", "application/json", `{"k\u0065y":"\u006c` + secret[1:] + `"}`, 200, ""},
		{"charset and case", "Application/JSON; charset=UTF-8", good, 200, ""},
		{"as long as may be", "application/json", long, 200, ""},
		{"one byte longer", "application/json", long + " ", 413, "body_too_large"},
		{"unknown key", "application/json", `{"key": "` + apitest.UnknownKey + `"}`, 401, "unauthorized"},
		{"no key at all", "application/json", `{"key": "letmein"}`, 401, "unauthorized"},
		{"white space around the key", "application/json", `{"key": " ` + secret + `"}`, 401, "unauthorized"},
		{"disabled", "application/json", `{"key": "` + disabled + `"}`, 403, "key_disabled"},
		{"expired", "application/json", `{"key": "` + expired + `"}`, 403, "key_expired"},
		{"unknown link", "application/json", `{"signin": "` + strings.Repeat("A", 43) + `"}`, 401, "unauthorized"},
		{"key as link", "application/json", `{"signin": "` + secret + `"}`, 401, "unauthorized"},
		{"no body", "application/json", "", 400, "invalid_body"},
		{"nothing", "application/json", "{}", 400, "invalid_body"},
		{"empty", "application/json", `{"key": ""}`, 400, "invalid_body"},
		{"empty link", "application/json", `{"signin": ""}`, 400, "invalid_body"},
		{"both", "application/json", `{"key": "` + secret + `", "signin": "x"}`, 400, "invalid_body"},
		{"both, one empty", "application/json", `{"key": "` + secret + `", "signin": ""}`, 400, "invalid_body"},
		{"unknown member", "application/json", `{"key": "` + secret + `", "remember": "yes"}`, 400, "invalid_body"},
		{"other letters", "application/json", `{"Key": "` + secret + `"}`, 400, "invalid_body"},
		{"twice", "application/json", `{"key": "x", "key": "` + secret + `"}`, 400, "invalid_json"},
		{"twice, escaped", "application/json", `{"key": "x", "\u006bey": "` + secret + `"}`, 400, "invalid_json"},
		{"number", "application/json", `{"key": 1}`, 400, "invalid_body"},
		{"null", "application/json", `{"key": null}`, 400, "invalid_body"},
		{"list", "application/json", `{"key": ["` + secret + `"]}`, 400, "invalid_body"},
		{"no object", "application/json", `"` + secret + `"`, 400, "invalid_body"},
		{"in a list", "application/json", "[" + good + "]", 400, "invalid_body"},
		{"trailing data", "application/json", good + good, 400, "invalid_json"},
		{"trailing comma", "application/json", `{"key": "` + secret + `",}`, 400, "invalid_json"},
		{"cut off", "application/json", good[:len(good)-1], 400, "invalid_json"},
		{"not UTF-8", "application/json", `{"key": "` + "\xff" + `"}`, 400, "invalid_json"},
		{"byte order mark", "application/json", "\ufeff" + good, 400, "invalid_json"},
		{"text/plain", "text/plain", good, 415, "unsupported_media_type"},
		{"form", "application/x-www-form-urlencoded", "key=" + secret, 415, "unsupported_media_type"},
		{"no type", "", good, 415, "unsupported_media_type"},
		{"other charset", "application/json; charset=latin1", good, 415, "unsupported_media_type"},
		{"other JSON", "application/problem+json", good, 415, "unsupported_media_type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := f.Post("/account/session", c.body, apitest.AsClient(i), func(r *http.Request) {
				r.Header.Del("Content-Type")
				if c.contentType != "" {
					r.Header.Set("Content-Type", c.contentType)
				}
			})
			if c.code == "" {
				apitest.WantStatus(t, r, c.status)
				return
			}
			apitest.WantError(t, c.name, r, c.status, c.code)
			for _, forbidden := range []string{secret, secret[7:20], apitest.UnknownKey, "letmein", "remember"} {
				if strings.Contains(string(r.Content), forbidden) {
					t.Errorf("the refusal repeats %s: %s", forbidden, r.Content)
				}
			}
		})
	}
	apitest.WantError(t, "", f.Post("/account/session?key="+secret, ""), http.StatusBadRequest, "invalid_parameter")
	apitest.WantError(t, "", f.Post("/account/session", good, apitest.Header("Content-Encoding", "identity")), http.StatusUnsupportedMediaType, "unsupported_media_type")
	// Without its length sent ahead.
	apitest.WantError(t, "", f.Post("/account/session", long+" ", func(r *http.Request) { r.ContentLength = -1 }), http.StatusRequestEntityTooLarge, "body_too_large")
}

func TestSignInWithALink(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, secret := f.Created(state.NewKey{Tier: state.Standard})
	link := func() string {
		token, _, err := f.State.NewLink(context.Background(), k.ID)
		if err != nil {
			t.Fatal(err)
		}
		return `{"signin": "` + token + `"}`
	}
	one, late, void := link(), link(), link()
	r := f.Post("/account/session", one)
	apitest.WantStatus(t, r, http.StatusOK)
	if r.JSON(t)["tier"] != "standard" {
		t.Errorf("body %s", r.Content)
	}
	apitest.WantError(t, "", f.Post("/account/session", one), http.StatusUnauthorized, "unauthorized")

	// What the link is for: rotating a lost key. That voids the other links.
	f.Clock.Advance(15*time.Minute - time.Nanosecond)
	r = f.Post("/account/session", late)
	apitest.WantStatus(t, r, http.StatusOK)
	fresh := f.Post("/account/key/rotate", "{}", apitest.WithCookie(r.Cookies()[0])).JSON(t)["key"].(string)
	apitest.WantStatus(t, f.Get("/api/v1/index", fresh), http.StatusOK)
	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusUnauthorized)
	apitest.WantError(t, "", f.Post("/account/session", void), http.StatusUnauthorized, "unauthorized")

	expiring := link()
	f.Clock.Advance(15 * time.Minute)
	apitest.WantError(t, "", f.Post("/account/session", expiring), http.StatusUnauthorized, "unauthorized")
}

// TestSignInsAtOnce tries a link 64 times at once, which is good once, and a wrong
// key 40 times, of which ten are tried.
func TestSignInsAtOnce(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	k, _ := f.Created(state.NewKey{Tier: state.Research})
	token, _, err := f.State.NewLink(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	atOnce := func(n int, body string, client func(i int) int) map[int]int {
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for i := range n {
			wg.Go(func() {
				r := f.Post("/account/session", body, apitest.AsClient(client(i)))
				mu.Lock()
				defer mu.Unlock()
				got[r.StatusCode]++
			})
		}
		wg.Wait()
		return got
	}
	if got := atOnce(64, `{"signin": "`+token+`"}`, func(i int) int { return i }); got[200] != 1 || got[401] != 63 {
		t.Errorf("a link: statuses %v", got)
	}
	if got := atOnce(40, `{"key": "`+apitest.UnknownKey+`"}`, func(int) int { return 200 }); got[401] != 10 || got[429] != 30 {
		t.Errorf("a wrong key: statuses %v", got)
	}
}

func TestFailedSignInsAreLimited(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	secret := f.Key(state.Research)
	good, bad := `{"key": "`+secret+`"}`, `{"key": "`+apitest.UnknownKey+`"}`
	for range 30 { // those that succeed are not counted, nor are those that try nothing
		apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(1)), http.StatusOK)
		apitest.WantStatus(t, f.Post("/account/session", `{}`, apitest.AsClient(1)), http.StatusBadRequest)
	}
	for i := range 10 {
		r := f.Post("/account/session", bad, apitest.AsClient(1))
		apitest.WantStatus(t, r, http.StatusUnauthorized)
		if got, want := r.Header.Get("X-RateLimit-Remaining"), fmt.Sprint(9-i); got != want {
			t.Errorf("remaining %s, want %s", got, want)
		}
	}
	for _, body := range []string{bad, good, `{"signin": "x"}`} {
		r := f.Post("/account/session", body, apitest.AsClient(1))
		apitest.WantError(t, "", r, http.StatusTooManyRequests, "rate_limited")
		if r.Header.Get("Retry-After") != "6" || r.Header.Get("RateLimit-Policy") != `"minute";q=10;w=60` {
			t.Errorf("headers %v", r.Header)
		}
	}
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(2)), http.StatusOK)
	// A reader with a key is not affected.
	apitest.WantStatus(t, f.Get("/api/v1/products", secret, apitest.AsClient(1)), http.StatusOK)
	f.Clock.Advance(6 * time.Second)
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(1)), http.StatusOK)
	apitest.WantStatus(t, f.Post("/account/session", bad, apitest.AsClient(1)), http.StatusUnauthorized)
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(1)), http.StatusTooManyRequests)
}

// FuzzSignIn holds bodies against encoding/json: only a body that it reads as one
// key or link, and nothing else, is tried.
func FuzzSignIn(f *testing.F) {
	for _, s := range []string{`{"key": "x"}`, `{"signin":"y","\u006bey":"y"}`, "{\"key\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	server := apitest.Serve(f, apitest.BehindProxy)
	client := 0
	f.Fuzz(func(t *testing.T, body []byte) {
		client++ // so that no limit is met
		r := httptest.NewRequest(http.MethodPost, "/account/session", bytes.NewReader(body))
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", client>>16&255, client>>8&255, client&255))
		got := server.Ask(t, r)
		var want map[string]string
		err := json.Unmarshal(body, &want)
		if tried := got.StatusCode == http.StatusUnauthorized; tried && (err != nil || len(want) != 1 || want["key"] == "" && want["signin"] == "") {
			t.Errorf("%q is tried", body)
		}
		if code, _ := got.JSON(t)["code"].(string); code == "invalid_body" && !json.Valid(body) && len(body) > 0 {
			t.Errorf("%q is called JSON", body)
		}
	})
}
