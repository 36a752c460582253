package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// TestCancel cancels a call while the server waits. The call returns at once and the
// session goes on.
func TestCancel(t *testing.T) {
	began, release := make(chan struct{}, 1), make(chan struct{})
	var hold atomic.Bool
	s, log := newServer(t, func(c *Config) {
		c.Projection = func() *compare.Projection {
			if hold.Load() {
				began <- struct{}{}
				<-release
			}
			return demo()
		}
	})
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		release = make(chan struct{})
		hold.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "compare", Arguments: json.RawMessage(list)})
			ended <- err
		}()
		<-began
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		hold.Store(false)
		close(release)
		if res := call(t, session, "compare", list); res.IsError {
			t.Errorf("afterwards: %s", textOf(t, res))
		}
	})
	if strings.Contains(log.String(), "toronto") {
		t.Errorf("logged: %s", log)
	}
}

// TestCancelledMeanwhile cancels a call before its answer is made. There is no answer.
func TestCancelledMeanwhile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, _ := newServer(t, func(c *Config) {
		c.Projection = func() *compare.Projection { cancel(); return demo() }
	})
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "compare", Arguments: json.RawMessage(list)}}
	if res, err := s.guard("compare", s.callCompare)(ctx, req); res != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestConcurrentSwap calls while snapshots are replaced and removed. Each answer comes from
// one snapshot, or says that there is none.
func TestConcurrentSwap(t *testing.T) {
	snapshots := []*compare.Projection{demo(), newDemo(2), nil}
	var at atomic.Int64
	s, _ := newServer(t, func(c *Config) {
		c.Projection = func() *compare.Projection { return snapshots[at.Load()%int64(len(snapshots))] }
	})
	request, err := compare.DecodeRequest([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, pr := range snapshots[:2] {
		request.Include = []string{compare.IncludeLines}
		r, err := compare.Evaluate(pr, request, testNow)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(value(t, newComparison(pr, request, r, false, s.BaseURL)))
		want = append(want, string(b))
	}
	if want[0] == want[1] {
		t.Fatal("the snapshots don't differ")
	}
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		var seen [3]atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 15 {
					at.Add(1)
					res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "compare", Arguments: json.RawMessage(list)})
					if err != nil {
						t.Error(err)
						return
					}
					got, _ := json.Marshal(res.StructuredContent)
					switch string(got) {
					case want[0]:
						seen[0].Add(1)
					case want[1]:
						seen[1].Add(1)
					default:
						if code, _, _ := details(t, res); code != "data_unavailable" {
							t.Errorf("%s", got)
						}
						seen[2].Add(1)
					}
				}
			})
		}
		wg.Wait()
		for i := range seen {
			if seen[i].Load() == 0 {
				t.Errorf("snapshot %d was never answered from", i)
			}
		}
	})
}
