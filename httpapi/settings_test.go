package httpapi_test

import (
	"strconv"
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

// TestPilotTexts makes sure that v1 has a note and a method of its own.
func TestPilotTexts(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	for _, path := range []string{"/api/v1/index", "/api/public/index"} {
		for _, member := range []string{"meta.note", "meta.methodology"} {
			if path == "/api/public/index" && member == "meta.methodology" {
				continue
			}
			v1, v2 := at(f.Get(path+"?series=v1", key).JSON(t), member), at(f.Get(path, key).JSON(t), member)
			if !strings.Contains(v1, "different basis; not recomputed; never splice") || strings.Contains(v1, "Jevons") || strings.Contains(v2, "different basis") {
				t.Errorf("%s, %s: v1 %s, v2 %s", path, member, v1, v2)
			}
		}
	}
}

// TestCoverageNote makes sure that the note ends with the publisher's coverage_note.
func TestCoverageNote(t *testing.T) {
	t.Parallel()
	const left = "Two large retailers are missing, and one is covered in part."
	for _, settings := range [][]panel.Setting{nil, {{Key: "coverage_note", Value: left}}} {
		m := milkMarket()
		m.Settings = settings
		f := apitest.ServeFile(t, m.Snapshot(t))
		for _, path := range []string{"/api/v1/index", "/api/public/index"} {
			note, _ := strconv.Unquote(at(f.Get(path, f.Key(state.Standard)).JSON(t), "meta.note"))
			if !strings.Contains(note, "not a census; prices are online list prices") || strings.HasSuffix(note, " "+left) != (settings != nil) {
				t.Errorf("%s with %v: %q", path, settings, note)
			}
		}
	}
}
