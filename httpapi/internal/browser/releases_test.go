package browser

import (
	"net"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testReleases opens the page of a subscriber of a service with a release log: it says which release
// it shows and when the next is due, and marks what releases revised.
func testReleases(t *testing.T, b *browser) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	of, x := apitest.ServeReleases(t, addressed(l))
	f := listening(l, of)
	for i, db := range x.Snapshots(t) {
		if i > 0 {
			f.Clock.Advance(7 * 24 * time.Hour)
		}
		x.Publish(t, f.Server, db, "")
		f.Look(false)
	}
	f.Clock.Advance(time.Hour)
	d := f.signedIn(b, f.standardKey())
	d.visit("/")
	const words = "This is release r4, published Monday, November 16, 2026, 07:30 Toronto time. The next release is due Monday, November 23, 2026, 08:30 Toronto time. All releases, and what they changed."
	if got := d.text("#release"); got != words {
		t.Errorf("%q, want %q", got, words)
	}
	d.visit("/releases")
	d.there("#releases")
	d.inspect("releases")
}
