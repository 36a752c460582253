package httpapi_test

import (
	"sync"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

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
