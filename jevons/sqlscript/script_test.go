package sqlscript_test

import (
	"strings"
	"testing"

	"github.com/larder-index/larder/jevons/sqlscript"
	"github.com/larder-index/larder/panel"
)

// TestWrite checks what of a script no engine sees: what is refused, and keys with quotes.
func TestWrite(t *testing.T) {
	t.Parallel()
	base := panel.DefaultBaseWeek
	for _, x := range []struct {
		script sqlscript.Script
		want   string
	}{
		{sqlscript.Script{Dialect: "duck", Banners: []string{"tern"}}, `unknown dialect "duck"; use one of duckdb, postgres, clickhouse`},
		{sqlscript.Script{Dialect: "duckdb"}, "no banner is in the index"},
	} {
		var b strings.Builder
		if err := x.script.Write(&b); err == nil || !strings.Contains(err.Error(), x.want) || b.Len() > 0 {
			t.Errorf("%+v: %v, and wrote %q", x.script, err, b.String())
		}
	}
	berlin, err := panel.NewAbout(map[string]string{"time_zone": "Europe/Berlin", "currency": "EUR"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, dialect := range sqlscript.Dialects() {
		var b strings.Builder
		script := sqlscript.Script{Dialect: dialect, Banners: []string{"tern", `o'hara\x`}, Base: base, Through: base.Add(1), Products: 2, About: berlin}
		if err := script.Write(&b); err != nil {
			t.Fatal(err)
		}
		key := map[bool]string{true: `'o''hara\x'`, false: `'o\'hara\\x'`}[dialect == "duckdb" || dialect == "postgres"]
		for _, want := range []string{key, "DATE '2026-07-19'", "DATE '2026-07-26'", "(15, 6.0", "'Europe/Berlin')", "-- Berlin, of the moment", "AS basket_cost_eur,"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: the script lacks %s", dialect, want)
			}
		}
	}
}
