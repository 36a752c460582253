package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestCancel cancels a call while the server waits. The call returns at once and the
// session goes on.
func TestCancel(t *testing.T) {
	began, release := make(chan struct{}, 1), make(chan struct{})
	var hold atomic.Bool
	s, log := newServer(t, func(c *Config) {
		c.Admit = func(context.Context) error {
			if hold.Load() {
				began <- struct{}{}
				<-release
			}
			return nil
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
		c.Admit = func(context.Context) error { cancel(); return nil }
	})
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "compare", Arguments: json.RawMessage(list)}}
	if res, err := s.handler("compare")(ctx, req); res != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", res, err)
	}
}
