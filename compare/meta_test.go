package compare_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// draw makes a request over the demo panel.
func draw(r *rand.Rand, city string) compare.Request {
	products := basket.Canada().Products
	req := compare.Request{City: city}
	for _, i := range r.Perm(len(products))[:1+r.IntN(20)] {
		it := compare.Item{ID: products[i].ID, Qty: compare.Packages(1 + r.IntN(20))}
		if products[i].PerKg() {
			it.Qty = compare.Quantity(25 * (1 + r.IntN(40)))
		}
		req.Items = append(req.Items, it)
	}
	return req
}

// bodies draws requests over all cities and evaluates them.
func bodies(t *testing.T, rounds int, f func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result)) {
	t.Helper()
	pr := demo(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds {
		for _, c := range basket.Canada().Cities {
			req := draw(r, c.Slug)
			f(t, r, pr, req, mustEvaluate(t, pr, req, demoNow))
			if t.Failed() {
				t.Fatalf("request: %s", asJSON(t, req))
			}
		}
	}
}

func mustEvaluate(t testing.TB, pr *compare.Projection, req compare.Request, now time.Time) *compare.Result {
	t.Helper()
	res, err := compare.Evaluate(pr, req, now)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// with stores: a chain's own figures don't depend on who else is compared.
func TestOtherChainsChangeNoTotal(t *testing.T) {
	bodies(t, 4, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		for _, s := range res.Stores {
			alone := req
			alone.Stores = []string{s.Key}
			if diff := cmp.Diff(s, mustEvaluate(t, pr, alone, demoNow).Stores[0]); diff != "" {
				t.Errorf("%s alone: %s", s.Key, diff)
			}
		}
		if len(res.Stores) < 2 {
			return
		}
		// Without the first the others stay as they are.
		fewer := req
		for _, s := range res.Stores[1:] {
			fewer.Stores = append(fewer.Stores, s.Key)
		}
		if diff := cmp.Diff(res.Stores[1:], mustEvaluate(t, pr, fewer, demoNow).Stores); diff != "" {
			t.Errorf("without %s: %s", res.Stores[0].Key, diff)
		}
	})
}

func TestOrderOfTheRequestChangesNothing(t *testing.T) {
	bodies(t, 4, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		req.Stores = slices.Concat(storeKeys(res), excludedKeys(res))
		want := asJSON(t, mustEvaluate(t, pr, req, demoNow).WithLinks("https://larder.example"))
		r.Shuffle(len(req.Items), func(i, j int) { req.Items[i], req.Items[j] = req.Items[j], req.Items[i] })
		r.Shuffle(len(req.Stores), func(i, j int) { req.Stores[i], req.Stores[j] = req.Stores[j], req.Stores[i] })
		if got := asJSON(t, mustEvaluate(t, pr, req, demoNow).WithLinks("https://larder.example")); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		// Naming all of them is naming none, but for the link.
		req.Stores = nil
		if got := asJSON(t, mustEvaluate(t, pr, req, demoNow)); got != asJSON(t, res) {
			t.Errorf("got %s\nwant %s", got, asJSON(t, res))
		}
	})
}

func storeKeys(res *compare.Result) (keys []string) {
	for _, s := range res.Stores {
		keys = append(keys, s.Key)
	}
	return keys
}

func excludedKeys(res *compare.Result) (keys []string) {
	for _, s := range res.ExcludedStores {
		keys = append(keys, s.Key)
	}
	return keys
}

// Twice as many packages cost twice as much, to the cent.
func TestPackagesScale(t *testing.T) {
	bodies(t, 2, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, _ *compare.Result) {
		one, many := req, req
		one.Items, many.Items = nil, nil
		n := 2 + r.IntN(19)
		for _, it := range req.Items {
			if it.Qty%compare.Packages(1) == 0 && !slices.Contains([]int{7, 8, 9, 11, 18, 21, 27, 50}, it.ID) {
				one.Items = append(one.Items, compare.Item{ID: it.ID, Qty: compare.Packages(1)})
				many.Items = append(many.Items, compare.Item{ID: it.ID, Qty: compare.Packages(n)})
			}
		}
		if len(one.Items) == 0 {
			return
		}
		a, b := mustEvaluate(t, pr, one, demoNow), mustEvaluate(t, pr, many, demoNow)
		for i, s := range a.Stores {
			if s.TotalCAD.Cents*int64(n) != b.Stores[i].TotalCAD.Cents || s.SizeAdjustedTotalCAD.Cents*int64(n) != b.Stores[i].SizeAdjustedTotalCAD.Cents {
				t.Errorf("%s: %s each, %s for %d", s.Key, s.TotalCAD, b.Stores[i].TotalCAD, n)
			}
		}
	})
}

// Nine days later every price is stale, and what was never seen still is not.
func TestNineDaysLater(t *testing.T) {
	seen := 0
	bodies(t, 2, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		later := mustEvaluate(t, pr, req, demoNow.AddDate(0, 0, 9))
		before := map[string]compare.Reason{}
		for _, x := range res.Exclusions {
			before[x.StoreKey+" "+strconv.Itoa(x.ItemID)] = x.Reason
		}
		for _, x := range later.Exclusions {
			was := before[x.StoreKey+" "+strconv.Itoa(x.ItemID)]
			kept := was == compare.NoObservation || was == compare.QualityGate
			if x.Reason != compare.StalePrice && !(kept && x.Reason == was) {
				t.Errorf("%s, item %d: %s, was %q", x.StoreKey, x.ItemID, x.Reason, was)
			}
			seen++
		}
		if len(later.ComparedItemIDs) != 0 || len(later.Exclusions) != len(later.Stores)*len(req.Items) || later.ComparisonScope != compare.NoComparableItems {
			t.Errorf("prices left: %s", asJSON(t, later))
		}
	})
	if seen == 0 {
		t.Error("nothing was seen")
	}
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
		q.want = asJSON(t, mustEvaluate(t, compare.NewProjection(p, rows), q.req, q.now))
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

// Rows that the instant has not seen yet do not exist: evaluating the whole
// panel as of a moment is evaluating the panel that ended there.
func TestLaterRowsDoNotExist(t *testing.T) {
	m := newMarket(t)
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 300 {
		at := noon.Add(-time.Duration(r.IntN(12*24)) * time.Hour)
		m.sells([]string{"alder", "birch", "cedar"}[n%3], 1+r.IntN(5), dollars("%d.%02d", 1+r.IntN(9), r.IntN(100)), seen(at), size([]string{"", "18 ct", "900 g"}[r.IntN(3)]))
	}
	whole := m.projection()
	for range 40 {
		now := noon.Add(-time.Duration(r.IntN(12*24*60)) * time.Minute)
		cut := *m
		cut.rows = slices.DeleteFunc(slices.Clone(m.rows), func(o panel.Observation) bool { return o.ObservedAt.After(now) })
		got := asJSON(t, evaluate(t, whole, now, "halifax", "1,2,3x2,4,5"))
		if want := asJSON(t, cut.at(now, "1,2,3x2,4,5")); got != want {
			t.Fatalf("at %s: got %s\nwant %s", now, got, want)
		}
	}
}

// Every missing item of every chain is explained, and nothing else.
func TestExclusionsExplainWhatIsMissing(t *testing.T) {
	reasons := map[compare.Reason]int{}
	bodies(t, 10, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		var want, got []string
		for _, s := range res.Stores {
			for _, id := range s.MissingItemIDs {
				want = append(want, s.Key+" "+strconv.Itoa(id))
			}
			if n := len(s.PricedItemIDs); n+len(s.MissingItemIDs) != len(req.Items) || n != len(s.ItemObservationDates) {
				t.Errorf("%s: %d priced, %d missing, %d dates of %d", s.Key, n, len(s.MissingItemIDs), len(s.ItemObservationDates), len(req.Items))
			}
		}
		for _, x := range res.Exclusions {
			got = append(got, x.StoreKey+" "+strconv.Itoa(x.ItemID))
			reasons[x.Reason]++
		}
		if !slices.IsSortedFunc(res.Exclusions, func(a, b compare.Exclusion) int {
			if a.StoreKey != b.StoreKey {
				return strings.Compare(a.StoreKey, b.StoreKey)
			}
			return a.ItemID - b.ItemID
		}) {
			t.Error("exclusions out of order")
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	// The demo panel has all of them.
	for reason := compare.StalePrice; reason <= compare.NoObservation; reason++ {
		if reasons[reason] == 0 {
			t.Errorf("no %s in the demo panel: %v", reason, reasons)
		}
	}
}
