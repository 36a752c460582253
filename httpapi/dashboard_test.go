package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestDashboardPictures looks at the pictures that the dashboard has before its script. They
// are those of the figure at the same address. Levels of several places and refused addresses
// have no picture.
func TestDashboardPictures(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	cookie := apitest.WithCookie(f.SignIn(f.Key(state.Standard)))
	for query, want := range map[string]int{
		"":                           2,
		"?s=toronto.dairy&tab=costs": 2,
		"?s=toronto.dairy&s=toronto.overall&from=2026-08-30": 2,
		"?s=toronto.overall&s=halifax.overall&view=4w":       2,
		"?since=2026-09-06&view=since":                       2,
		"?since=2026-09-06":                                  2, // an earlier choice
		"?s=toronto.overall&s=halifax.overall":               0,
		"?s=national.cheese":                                 0,
		"?view=week":                                         0,
		"?view=since":                                        0,
		"?from=soon":                                         0,
	} {
		for _, path := range []string{"/", "/fr"} {
			r := f.Get(path+query, "", cookie)
			apitest.WantStatus(t, r, http.StatusOK)
			pictures := 0
			for n := range parsed(t, r.Content).Descendants() {
				if role, _ := attr(n, "role"); n.DataAtom == atom.Svg && role == "img" {
					pictures++
				}
			}
			if pictures != want {
				t.Errorf("%s%s: %d pictures, want %d", path, query, pictures, want)
			}
		}
	}
	page := string(f.Get("/?s=toronto.overall&view=cost", "", cookie).Content)
	rows := figureRows(t, f.Get("/figure.csv?s=toronto.overall&view=cost", "", cookie), "basket_cost_cad")
	if last := "$" + rows[len(rows)-1].value; !strings.Contains(page, last+"<") {
		t.Errorf("the picture does not have %s at its end", last)
	}
	// Drawing takes none of the turns of licensed responses, of which there are 16.
	for range 20 {
		apitest.WantStatus(t, f.Get("/", "", cookie), http.StatusOK)
	}
	apitest.WantStatus(t, f.Get("/api/v1/index?limit=1", f.Key(state.Standard)), http.StatusOK)
}
