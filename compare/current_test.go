package compare_test

import (
	"math/rand/v2"
	"sync"
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

// What a projection keeps for an instant never shows at another: whatever was
// asked before, and by how many at once, the answer is that of a fresh one.
func TestInstantsDoNotMix(t *testing.T) {
	p, rows := demoPanel(t)
	shared := compare.NewProjection(p, rows)
	first, last := time.Unix(0, rows.UnixNano(0)), demoNow.AddDate(0, 0, 12)
	r := rand.New(rand.NewPCG(5, 6))
	type question struct {
		req  compare.Request
		now  time.Time
		want string
	}
	var all []question
	for n := range 60 {
		now := first.Add(time.Duration(r.Int64N(int64(last.Sub(first)))))
		switch n % 4 {
		case 1: // the moment of a row, and just before it
			now = time.Unix(0, rows.UnixNano(r.IntN(rows.Len()))).Add(-time.Duration(n % 2))
		case 2:
			now = demoNow.Add(time.Duration(r.IntN(48)) * time.Hour)
		case 3: // midnight, and just before it
			now = demoNow.Truncate(24 * time.Hour).Add(-time.Duration(n / 4 % 2))
		}
		q := question{req: draw(r, []string{"toronto", "halifax"}[n%2]), now: now}
		q.want = string(mustEvaluate(t, compare.NewProjection(p, rows), q.req, q.now).AppendJSON(nil))
		all = append(all, q)
	}
	for _, now := range []time.Time{{}, time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2500, 1, 1, 0, 0, 0, 0, time.UTC)} {
		res := mustEvaluate(t, shared, draw(r, "toronto"), now)
		if len(res.ComparedItemIDs) != 0 || res.EvaluatedOn.String() != now.Format(time.DateOnly) {
			t.Errorf("at %s: %s", now, asJSON(t, res))
		}
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range all {
				q := all[(i*7+worker*11)%len(all)]
				res, err := compare.Evaluate(shared, q.req, q.now)
				if err != nil {
					t.Error(err)
					return
				}
				if got := string(res.AppendJSON(nil)); got != q.want {
					t.Errorf("at %s: got %s\nwant %s", q.now, got, q.want)
				}
			}
		})
	}
	wg.Wait()
}
