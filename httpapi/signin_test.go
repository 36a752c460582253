package httpapi_test

import (
	"fmt"
	"net/http"
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
	secret, disabled := f.Key(state.Research), f.Key(state.Research)
	good := `{"key": "` + secret + `"}`
	long := `{"key": "` + secret + `"` + strings.Repeat(" ", 4096-len(good)) + `}`
	f.Disable(disabled)
	_, expired := f.Created(state.NewKey{Tier: state.Research, Expires: apitest.Now.Add(time.Hour)})
	f.Clock.Advance(time.Hour)
	for i, c := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"key", good, 200, ""},
		{"escaped", `{"k\u0065y":"\u006c` + secret[1:] + `"}`, 200, ""},
		{"the longest", long, 200, ""},
		{"one byte longer", long + " ", 413, "body_too_large"},
		{"unknown key", `{"key": "` + apitest.UnknownKey + `"}`, 401, "unauthorized"},
		{"not a key", `{"key": "letmein"}`, 401, "unauthorized"},
		{"white space around the key", `{"key": " ` + secret + `"}`, 401, "unauthorized"},
		{"disabled", `{"key": "` + disabled + `"}`, 403, "key_disabled"},
		{"expired", `{"key": "` + expired + `"}`, 403, "key_expired"},
		{"unknown link", `{"signin": "` + strings.Repeat("A", 43) + `"}`, 401, "unauthorized"},
		{"key as link", `{"signin": "` + secret + `"}`, 401, "unauthorized"},
		{"no body", "", 400, "invalid_body"},
		{"nothing", "{}", 400, "invalid_body"},
		{"empty", `{"key": ""}`, 400, "invalid_body"},
		{"empty link", `{"signin": ""}`, 400, "invalid_body"},
		{"both", `{"key": "` + secret + `", "signin": "x"}`, 400, "invalid_body"},
		{"both, one empty", `{"key": "` + secret + `", "signin": ""}`, 400, "invalid_body"},
		{"unknown member", `{"key": "` + secret + `", "remember": "yes"}`, 400, "invalid_body"},
		{"other letters", `{"Key": "` + secret + `"}`, 400, "invalid_body"},
		{"twice, escaped", `{"key": "x", "\u006bey": "` + secret + `"}`, 400, "invalid_json"},
		{"number", `{"key": 1}`, 400, "invalid_body"},
		{"list", `{"key": ["` + secret + `"]}`, 400, "invalid_body"},
		{"no object", `"` + secret + `"`, 400, "invalid_body"},
		{"trailing data", good + good, 400, "invalid_json"},
		{"cut off", good[:len(good)-1], 400, "invalid_json"},
		{"not UTF-8", `{"key": "` + "\xff" + `"}`, 400, "invalid_json"},
		{"byte order mark", "\ufeff" + good, 400, "invalid_json"},
	} {
		for form, r := range map[string]*apitest.Response{
			"with its length": f.Post("/account/session", c.body, apitest.AsClient(i)), "in chunks": f.Post("/account/session", "x", apitest.AsClient(i), apitest.Chunked(c.body)),
		} {
			if c.code == "" {
				apitest.WantStatus(t, r, c.status)
				continue
			}
			apitest.WantError(t, c.name+" "+form, r, c.status, c.code)
			for _, forbidden := range []string{secret, secret[7:20], apitest.UnknownKey, "letmein", "remember"} {
				if strings.Contains(string(r.Content), forbidden) {
					t.Errorf("%s: the refusal repeats %s: %s", c.name, forbidden, r.Content)
				}
			}
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		apitest.WantError(t, method, f.Do(method, "/account/session?key="+secret, "", ""), http.StatusBadRequest, "invalid_parameter")
	}
}

// TestSignInWithALink signs in with links. A link is good once, for 15 minutes, and until
// its key is rotated.
func TestSignInWithALink(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, secret := f.Created(state.NewKey{Tier: state.Standard})
	link := func() string {
		token, _, err := f.State.NewLink(t.Context(), k.ID)
		if err != nil {
			t.Fatal(err)
		}
		return `{"signin": "` + token + `"}`
	}
	one, late, void := link(), link(), link()
	if r := f.Post("/account/session", one); r.StatusCode != http.StatusOK || r.JSON(t)["tier"] != "standard" {
		t.Errorf("%d %s", r.StatusCode, r.Content)
	}
	apitest.WantError(t, "twice", f.Post("/account/session", one), http.StatusUnauthorized, "unauthorized")
	f.Clock.Advance(15*time.Minute - time.Nanosecond)
	r := f.Post("/account/session", late)
	apitest.WantStatus(t, r, http.StatusOK)
	fresh := f.Post("/account/key/rotate", "{}", apitest.WithCookie(r.Cookies()[0])).JSON(t)["key"].(string)
	apitest.WantStatus(t, f.Get("/api/v1/index", fresh), http.StatusOK)
	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusUnauthorized)
	apitest.WantError(t, "rotated", f.Post("/account/session", void), http.StatusUnauthorized, "unauthorized")
	expiring := link()
	f.Clock.Advance(15 * time.Minute)
	apitest.WantError(t, "late", f.Post("/account/session", expiring), http.StatusUnauthorized, "unauthorized")
}

// TestSignInsAtOnce tries a link 64 times at once, which succeeds once, and a wrong key 40
// times, of which ten are tried.
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

// TestFailedSignInsAreLimited uses up a client's ten failures a minute. Attempts that
// succeed, or try nothing, do not count. Keys work all the same.
func TestFailedSignInsAreLimited(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	secret := f.Key(state.Research)
	good, bad := `{"key": "`+secret+`"}`, `{"key": "`+apitest.UnknownKey+`"}`
	for range 11 {
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
		apitest.WantError(t, body, r, http.StatusTooManyRequests, "rate_limited")
		if r.Header.Get("Retry-After") != "6" || r.Header.Get("RateLimit-Policy") != `"minute";q=10;w=60` {
			t.Errorf("headers %v", r.Header)
		}
	}
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(2)), http.StatusOK)
	apitest.WantStatus(t, f.Get("/api/v1/products", secret, apitest.AsClient(1)), http.StatusOK)
	f.Clock.Advance(6 * time.Second)
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(1)), http.StatusOK)
	apitest.WantStatus(t, f.Post("/account/session", bad, apitest.AsClient(1)), http.StatusUnauthorized)
	apitest.WantStatus(t, f.Post("/account/session", good, apitest.AsClient(1)), http.StatusTooManyRequests)
}
