package panel_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
)

func TestNextRelease(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ zone, setting, after, want string }{
		{"", "", "2026-11-20T17:00:00Z", "2026-11-23T13:30:00Z"},
		{"", "", "2026-11-23T13:30:00Z", "2026-11-30T13:30:00Z"},
		{"", "", "2026-10-26T12:30:00Z", "2026-11-02T13:30:00Z"},          // clocks go back on 1 November
		{"", "", "2027-03-08T13:30:00Z", "2027-03-15T12:30:00Z"},          // and forward on 14 March
		{"", "Sun 01:30", "2026-10-26T12:30:00Z", "2026-11-01T05:30:00Z"}, // a time that comes twice
		{"", "tue 00:00", "2026-11-24T04:59:59Z", "2026-11-24T05:00:00Z"},
		{"", "Foo 08:30", "2026-11-24T04:59:59Z", "0001-01-01T00:00:00Z"}, // no setting can be this
		{"", "soon", "2026-11-24T04:59:59Z", "0001-01-01T00:00:00Z"},
		{"", "Mon 23:59", "2026-11-24T04:58:00Z", "2026-11-24T04:59:00Z"}, // Tuesday in UTC
		{"Europe/Berlin", "Mon 08:30", "2026-10-19T06:30:00Z", "2026-10-26T07:30:00Z"},
	} {
		after, err := time.Parse(time.RFC3339, x.after)
		a, err2 := panel.NewAbout(map[string]string{"time_zone": cmp.Or(x.zone, "America/Toronto")}, nil)
		if err := cmp.Or(err, err2); err != nil {
			t.Fatal(err)
		}
		a.ReleaseTime = x.setting
		if got := a.NextRelease(after).Format(time.RFC3339); got != x.want {
			t.Errorf("%q after %s: %s, want %s", x.setting, x.after, got, x.want)
		}
	}
}
