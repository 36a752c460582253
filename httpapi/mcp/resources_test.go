package mcp

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestResources reads the resources and completes the arguments of the prompt.
func TestResources(t *testing.T) {
	s, _ := newServer(t)
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		for uri, want := range map[string]string{
			"larder://catalog": `"Greek yogurt, plain, 750 g"`, "larder://rules": `"maxItems":50`, "larder://cities/toronto/chains": `"key":"northlarch"`,
		} {
			res, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			if err != nil || !strings.Contains(res.Contents[0].Text, want) {
				t.Errorf("%s: %+v, %v", uri, res, err)
			}
		}
		if res, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "larder://cities/paris/chains"}); err == nil {
			t.Errorf("an unknown city: %+v", res)
		}
		for argument, c := range map[string][2]string{"city": {"Tor", "toronto"}, "items": {"yogh", "Greek yogurt, plain, 750 g"}, "chains": {"north", "northlarch"}} {
			res, err := session.Complete(t.Context(), &sdk.CompleteParams{
				Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "compare_list"}, Argument: sdk.CompleteParamsArgument{Name: argument, Value: c[0]},
			})
			if err != nil || !slices.Contains(res.Completion.Values, c[1]) || len(res.Completion.Values) > 2 {
				t.Errorf("%s: %+v, %v", argument, res, err)
			}
		}
	})
}
