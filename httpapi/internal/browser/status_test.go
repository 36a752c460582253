//go:build browser

package browser

import (
	"maps"
	"slices"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testStatuses opens a list in each situation and compares all that is shown with the
// API's bodies.
func testStatuses(t *testing.T, b *browser) {
	f := serve(t, situationSnapshot(t), apitest.Ample)
	seen := map[string]bool{}
	for _, s := range situations {
		t.Run(s.city, func(t *testing.T) {
			list := apitest.List(t, s.city, situationItems)
			want := f.answers(list)
			if want.Recommendation.Status != s.recommendation || want.Split.Status != s.split {
				t.Fatalf("the prices lead to %s and %s, want %s and %s", want.Recommendation.Status, want.Split.Status, s.recommendation, s.split)
			}
			x := b.open(t, f.API.BaseURL)
			x.visit(apitest.PageURL("", list))
			x.compared(want)
			x.glance("shopper-" + s.recommendation + "-" + s.split + "-" + s.city)
		})
		seen[s.recommendation], seen["split "+s.split] = true, true
	}
	all := []string{
		"insufficient_coverage", "lowest", "size_basis_disagrees", "split covers_list", "split insufficient_coverage",
		"split no_saving", "split one_chain", "split saves", "split size_basis_disagrees", "too_close_to_call",
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, all) {
		t.Errorf("statuses %q, want %q", got, all)
	}
}
