package compare_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
)

// draw makes a request over the demo panel.
func draw(r *rand.Rand, city string) compare.Request {
	products := basket.Canada().Products
	req := compare.Request{City: city}
	for _, i := range r.Perm(len(products))[:1+r.IntN(20)] {
		it := compare.Item{ID: products[i].ID, Qty: compare.Quantity(100 * (1 + r.IntN(20)))}
		if products[i].PerKg() {
			it.Qty = compare.Quantity(25 * (1 + r.IntN(40)))
		}
		req.Items = append(req.Items, it)
	}
	if r.IntN(3) == 0 {
		req.Include = []string{compare.IncludeLines}
	}
	for _, c := range []string{"member", "multi_buy"} {
		if r.IntN(4) == 0 {
			req.Conditions = append(req.Conditions, c)
		}
	}
	return req
}

func mustEvaluate(t testing.TB, pr *compare.Projection, req compare.Request, now time.Time) *compare.Result {
	t.Helper()
	res, err := compare.Evaluate(pr, req, now)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestInstants compares before and after every row.
func TestInstants(t *testing.T) {
	pr, r := demo(t), rand.New(rand.NewPCG(5, 6))
	for _, now := range []time.Time{{}, time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2500, 1, 1, 0, 0, 0, 0, time.UTC)} {
		res := mustEvaluate(t, pr, draw(r, "toronto"), now)
		if len(res.ComparedItemIDs) != 0 || res.EvaluatedOn.String() != now.Format(time.DateOnly) {
			t.Errorf("at %s: %s", now, asJSON(t, res))
		}
	}
}
