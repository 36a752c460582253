package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// unknownKey has the shape of a key and the right checksum.
const unknownKey = "larder_live_" + "00000000000000000000000000000000" + "0xJoHK"

func TestSignInBodies(t *testing.T) {
	f := serveDemo(t, behindProxy)
	secret := f.key(state.Research)
	good := `{"key": "` + secret + `"}`
	long := `{"key": "` + secret + `"` + strings.Repeat(" ", 4096-len(good)) + `}`
	disabledKey, disabled := f.created(state.NewKey{Tier: state.Research})
	if _, err := f.state.DisableKey(t.Context(), disabledKey.ID); err != nil {
		t.Fatal(err)
	}
	_, expired := f.created(state.NewKey{Tier: state.Research, Expires: testNow.Add(time.Hour)})
	f.clock.Advance(time.Hour)
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
		{"unknown key", "application/json", `{"key": "` + unknownKey + `"}`, 401, "unauthorized"},
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
			r := f.post("/account/session", c.body, asClient(i), func(r *http.Request) {
				r.Header.Del("Content-Type")
				if c.contentType != "" {
					r.Header.Set("Content-Type", c.contentType)
				}
			})
			if c.code == "" {
				wantStatus(t, r, c.status)
				return
			}
			wantRefusal(t, r, c.status, c.code)
			for _, forbidden := range []string{secret, secret[7:20], unknownKey, "letmein", "remember"} {
				if strings.Contains(string(r.body), forbidden) {
					t.Errorf("the refusal repeats %s: %s", forbidden, r.body)
				}
			}
		})
	}
	wantRefusal(t, f.post("/account/session?key="+secret, ""), http.StatusBadRequest, "invalid_parameter")
	wantRefusal(t, f.post("/account/session", good, header("Content-Encoding", "identity")), http.StatusUnsupportedMediaType, "unsupported_media_type")
	// Without its length sent ahead.
	wantRefusal(t, f.post("/account/session", long+" ", func(r *http.Request) { r.ContentLength = -1 }), http.StatusRequestEntityTooLarge, "body_too_large")
}

func TestSignInWithALink(t *testing.T) {
	f := serveDemo(t)
	k, secret := f.created(state.NewKey{Tier: state.Standard})
	link := func() string {
		token, _, err := f.state.NewLink(context.Background(), k.ID)
		if err != nil {
			t.Fatal(err)
		}
		return `{"signin": "` + token + `"}`
	}
	one, late, void := link(), link(), link()
	r := f.post("/account/session", one)
	wantStatus(t, r, http.StatusOK)
	if r.json(t)["tier"] != "standard" {
		t.Errorf("body %s", r.body)
	}
	wantRefusal(t, f.post("/account/session", one), http.StatusUnauthorized, "unauthorized")

	// What the link is for: rotating a lost key. That voids the other links.
	f.clock.Advance(15*time.Minute - time.Nanosecond)
	r = f.post("/account/session", late)
	wantStatus(t, r, http.StatusOK)
	fresh := f.post("/account/key/rotate", "{}", withCookie(r.Cookies()[0])).json(t)["key"].(string)
	wantStatus(t, f.get("/api/v1/index", fresh), http.StatusOK)
	wantStatus(t, f.get("/api/v1/index", secret), http.StatusUnauthorized)
	wantRefusal(t, f.post("/account/session", void), http.StatusUnauthorized, "unauthorized")

	expiring := link()
	f.clock.Advance(15 * time.Minute)
	wantRefusal(t, f.post("/account/session", expiring), http.StatusUnauthorized, "unauthorized")
}

func TestLinkIsGoodOnce(t *testing.T) {
	f := serveDemo(t, behindProxy)
	k, _ := f.created(state.NewKey{Tier: state.Research})
	token, _, err := f.state.NewLink(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for i := range 64 {
		wg.Go(func() {
			r := f.post("/account/session", `{"signin": "`+token+`"}`, asClient(i))
			mu.Lock()
			defer mu.Unlock()
			got[r.StatusCode]++
		})
	}
	wg.Wait()
	if got[200] != 1 || got[401] != 63 {
		t.Errorf("statuses %v, want one 200 and 63 times 401", got)
	}
}

func TestFailedSignInsAreLimited(t *testing.T) {
	f := serveDemo(t, behindProxy)
	secret := f.key(state.Research)
	good, bad := `{"key": "`+secret+`"}`, `{"key": "`+unknownKey+`"}`
	for range 30 { // those that succeed are not counted, nor are those that try nothing
		wantStatus(t, f.post("/account/session", good, asClient(1)), http.StatusOK)
		wantStatus(t, f.post("/account/session", `{}`, asClient(1)), http.StatusBadRequest)
	}
	for i := range 10 {
		r := f.post("/account/session", bad, asClient(1))
		wantStatus(t, r, http.StatusUnauthorized)
		if got, want := r.Header.Get("X-RateLimit-Remaining"), fmt.Sprint(9-i); got != want {
			t.Errorf("remaining %s, want %s", got, want)
		}
	}
	for _, body := range []string{bad, good, `{"signin": "x"}`} {
		r := f.post("/account/session", body, asClient(1))
		wantRefusal(t, r, http.StatusTooManyRequests, "rate_limited")
		if r.Header.Get("Retry-After") != "6" || r.Header.Get("RateLimit-Policy") != `"minute";q=10;w=60` {
			t.Errorf("headers %v", r.Header)
		}
	}
	wantStatus(t, f.post("/account/session", good, asClient(2)), http.StatusOK)
	// Who is signed in, and reads with a key, is not affected.
	wantStatus(t, f.get("/api/v1/products", secret, asClient(1)), http.StatusOK)
	f.clock.Advance(6 * time.Second)
	wantStatus(t, f.post("/account/session", good, asClient(1)), http.StatusOK)
	wantStatus(t, f.post("/account/session", bad, asClient(1)), http.StatusUnauthorized)
	wantStatus(t, f.post("/account/session", good, asClient(1)), http.StatusTooManyRequests)
}

// Many wrong keys at once are no way around the limit.
func TestFailedSignInsAtOnce(t *testing.T) {
	f := serveDemo(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for range 40 {
		wg.Go(func() {
			r := f.post("/account/session", `{"key": "`+unknownKey+`"}`)
			mu.Lock()
			defer mu.Unlock()
			got[r.StatusCode]++
		})
	}
	wg.Wait()
	if got[401] != 10 || got[429] != 30 {
		t.Errorf("statuses %v", got)
	}
}
