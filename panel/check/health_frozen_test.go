package check

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/panel"
)

// feed is a store with so many series. In each week, counted from 2, so many of
// them get another price; -1: the store is not observed.
type feed struct {
	store   int64
	series  int
	changed []int
}

// flow adds the rows of a feed: new prices go to the series in turn.
func (c *collected) flow(f feed) {
	prices := make([]panel.Price, f.series)
	for i := range prices {
		prices[i] = panel.Price(10_000 + i)
	}
	next := 0
	for week := 1; week <= len(f.changed)+1; week++ {
		if week > 1 {
			n := f.changed[week-2]
			if n < 0 {
				continue
			}
			for range n {
				prices[next%f.series] += 100
				next++
			}
		}
		listing := int64(0)
		if f.store == 5 {
			listing = 100
		}
		for i, p := range prices {
			c.see(f.store, listing+int64(i+1), week, p)
		}
	}
}

func TestFrozenFeeds(t *testing.T) {
	lively := feed{2, 20, []int{5, 5, 5, 5, 5, 5, 5, 5, 5, 5}} // a quarter a week
	another := func(p panel.Price) func(*collected) {          // another price in one week
		return func(c *collected) { c.seeAt(1, 3, wednesday(8).Add(time.Hour), p) }
	}
	for _, test := range []struct {
		name  string
		feeds []feed
		more  func(*collected)
		want  *FrozenFeed
	}{
		{"lively", []feed{{1, 20, lively.changed}, lively}, nil, nil},
		{"frozen", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Expected: 30}},
		{"for four weeks", []feed{{1, 20, []int{5, 5, 5, 5, 5, 5, 5, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(7), To: week1.Add(10), Matched: 60, Expected: 15}},
		{"for three", []feed{{1, 20, []int{5, 5, 5, 5, 5, 5, 5, 5, 0, 0}}, {2, 20, []int{5, 5, 5, 5, 5, 5, 5, 5, 19, 19}}}, nil, nil},
		{"thawed", []feed{{1, 20, []int{5, 5, 0, 0, 0, 0, 0, 0, 0, 5}}, lively}, nil, nil},
		{"one in twenty moves once", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 1, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Changed: 1, Expected: 30}},
		{"one in ten", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 2, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Changed: 2, Expected: 30}},
		{"more than one in ten", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 3, 0}}, lively}, nil, nil},
		{"more than one in ten, before", []feed{{1, 20, []int{5, 5, 5, 5, 0, 3, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(6), To: week1.Add(10), Matched: 80, Expected: 4 * 20 * 23. / 120}},
		{"it begins with one in twenty", []feed{{1, 20, []int{5, 5, 5, 5, 2, 1, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(5), To: week1.Add(10), Matched: 100, Changed: 1, Expected: 5 * 20 * 22. / 100}},
		{"more than a tenth of what is expected", []feed{{1, 20, []int{5, 5, 5, 5, 1, 1, 0, 1, 0, 1}}, lively}, nil, nil},
		{"a lower price within a week", []feed{{1, 24, []int{6, 6, 6, 6, 0, 0, 0, 0, 0, 0}}, {2, 24, []int{6, 6, 6, 6, 6, 6, 6, 6, 6, 6}}}, another(9_000),
			&FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 144, Changed: 2, Expected: 36}},
		{"a higher price within a week", []feed{{1, 24, []int{6, 6, 6, 6, 0, 0, 0, 0, 0, 0}}, {2, 24, []int{6, 6, 6, 6, 6, 6, 6, 6, 6, 6}}}, another(19_000),
			&FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 144, Changed: 2, Expected: 36}},
		{"the store itself is none of the others", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 1, 0, 0, 0}}, {2, 20, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Changed: 1, Expected: 12}},
		{"nine series", []feed{{1, 9, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}, lively}, nil, nil},
		{"ten", []feed{{1, 10, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 60, Expected: 15}},
		{"a season without changes", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}, {2, 20, []int{5, 5, 5, 5, 0, 0, 0, 1, 0, 0}}}, nil, nil},
		{"a slow store", []feed{{1, 20, []int{0, 0, 0, 2, 0, 0, 0, 0, 0, 0}}, lively}, nil, nil},
		{"from the first week on", []feed{{1, 20, []int{0, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1, To: week1.Add(5), Matched: 100, Expected: 25}},
		{"from the first week on, but for one price", []feed{{1, 20, []int{0, 0, 1, 0, 0}}, lively}, nil, nil},
		{"the only store", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Expected: 30}},
		{"the only store, always", []feed{{1, 20, []int{0, 0, 0, 0, 0, 0, 0}}}, nil, nil},
		{"others of another banner", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}}, {5, 20, lively.changed}}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Expected: 30}},
		{"a week left out", []feed{{1, 20, []int{5, 5, 5, 5, 0, -1, 0, 0, 0, 0}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 100, Expected: 25}},
		{"last observed weeks ago", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, -1, -1}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(8), Matched: 80, Expected: 20}},
		{"it moves in the open week", []feed{{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 9}}, lively}, nil, &FrozenFeed{Since: week1.Add(4), To: week1.Add(10), Matched: 120, Expected: 30}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCollected(t)
			for _, f := range test.feeds {
				c.flow(f)
			}
			if test.more != nil {
				test.more(c)
			}
			want := []FrozenFeed{}
			if test.want != nil {
				test.want.Store, test.want.Banner, test.want.City = 1, "tern", "Halifax"
				want = append(want, *test.want)
			}
			if diff := cmp.Diff(want, c.health(11).Frozen, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestHealthInAnyOrder collects rows in another order. The result is the same.
func TestHealthInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	health := func(shuffle bool) *Health {
		c := newCollected(t)
		c.flow(feed{1, 20, []int{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}})
		c.flow(feed{2, 20, []int{5, 5, 5, -1, 5, 5, 5, 5, 5, 5}})
		c.flow(feed{5, 12, []int{5, 5, -1, 5, 5, 5, 5, 5, 5, 5}})
		c.seeAt(2, 1, wednesday(5), 7_000)
		if shuffle {
			rng.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
		}
		return c.health(11)
	}
	want := health(false)
	if len(want.Frozen) != 1 || len(want.Gaps) != 1 {
		t.Fatalf("%+v", want)
	}
	for range 20 {
		if diff := cmp.Diff(want, health(true)); diff != "" {
			t.Fatalf("-in order +shuffled\n%s", diff)
		}
	}
}
