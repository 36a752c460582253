package httpapi_test

import (
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// TestUpgradeURL reads refusals for the tier and the account page. They link to the
// publisher's upgrade_url, or else to the contact.
func TestUpgradeURL(t *testing.T) {
	t.Parallel()
	mail, page, plans := panel.Setting{Key: "contact", Value: "prices@example.org"}, panel.Setting{Key: "contact", Value: "https://example.org/ask"},
		panel.Setting{Key: "upgrade_url", Value: "https://example.org/plans?a=1&b=2"}
	for _, c := range []struct {
		settings []panel.Setting
		want     string
	}{
		{nil, ""},
		{[]panel.Setting{mail}, "mailto:prices@example.org"},
		{[]panel.Setting{page}, "https://example.org/ask"},
		{[]panel.Setting{mail, plans}, "https://example.org/plans?a=1&b=2"},
	} {
		m := milkMarket()
		m.Settings = c.settings
		f := apitest.ServeFile(t, m.Snapshot(t))
		key := f.Key(state.Research)
		want := c.want
		if want == "" {
			want = "https://larder.example/account"
		}
		if got := f.Get("/api/v1/index", key).JSON(t)["upgrade_url"]; got != want {
			t.Errorf("402 with %v: %s, want %s", c.settings, got, want)
		}
		account := string(f.Get("/account", "", apitest.WithCookie(f.SignIn(key))).Content)
		link := `id="account-upgrade" href="` + strings.ReplaceAll(c.want, "&", "&amp;") + `"`
		if strings.Contains(account, link) != (c.want != "") || c.want == "" && strings.Contains(account, "account-upgrade") {
			t.Errorf("/account with %v has no %s", c.settings, link)
		}
	}
}
