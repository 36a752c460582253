package release_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

var only = flag.String("only", "", "faults that TestZoo plants, a regular expression")

var (
	writeZoo = flag.Bool("write-zoo", false, "have TestZoo write its table anew")
	wholeZoo = flag.Bool("whole-zoo", false, "have TestZoo plant every fault in both histories")
)

// zoo is a panel with a fault in its newest week.
type zoo struct {
	*world
	week     int // the newest
	fresh    int // weeks that the release adds
	stores   map[int64]panel.Store
	products map[int64]basket.Product // by listing
	r        *rand.Rand
}

// who chooses rows.
type who func(z *zoo, o *panel.Observation) bool

func chain(keys ...string) who {
	return func(z *zoo, o *panel.Observation) bool { return slices.Contains(keys, z.stores[o.Store].Banner) }
}

func city(slug string) who {
	return func(z *zoo, o *panel.Observation) bool { return z.stores[o.Store].City == slug }
}

func category(c string) who {
	return func(z *zoo, o *panel.Observation) bool { return z.products[o.Listing].Category == c }
}

func goods(share float64) who { // of the listings
	return func(z *zoo, o *panel.Observation) bool { return float64(o.Listing*7919%1000) < 1000*share }
}

func both(a, b who) who {
	return func(z *zoo, o *panel.Observation) bool { return a(z, o) && b(z, o) }
}

func everyone(*zoo, *panel.Observation) bool { return true }

func byChance(p float64) who {
	return func(z *zoo, _ *panel.Observation) bool { return z.r.Float64() < p }
}

func onSale(_ *zoo, o *panel.Observation) bool { return o.OnSale }
func perKg(z *zoo, o *panel.Observation) bool  { p := z.products[o.Listing]; return p.PerKg() }

// from calls do for the chosen rows of a week and those after it.
func (z *zoo) from(week int, which who, do func(o *panel.Observation)) {
	for i := z.start(week); i < len(z.rows); i++ {
		if which(z, &z.rows[i]) {
			do(&z.rows[i])
		}
	}
}

// start returns the place of a week's first row.
func (z *zoo) start(week int) int {
	at, _ := slices.BinarySearchFunc(z.rows, (z.base.Add(week).Date() - 6).Time(panel.Calendar{}.Zone()),
		func(o panel.Observation, t time.Time) int { return o.ObservedAt.Compare(t) })
	return at
}

// prices returns the rows of some weeks by listing and store, the newest of each.
func (z *zoo) prices(from, to int) map[[2]int64]panel.Observation {
	found := map[[2]int64]panel.Observation{}
	for _, o := range z.rows[z.start(from):z.start(to+1)] {
		found[[2]int64{o.Listing, o.Store}] = o
	}
	return found
}

// newest plants a fault in the chosen rows of the newest week.
func newest(which who, do func(z *zoo, o *panel.Observation)) func(*zoo) {
	return func(z *zoo) { z.from(z.week, which, func(o *panel.Observation) { do(z, o) }) }
}

// times multiplies all prices of a row, to whole cents.
func times(f float64) func(*zoo, *panel.Observation) {
	return priced(func(p panel.Price) panel.Price { return panel.Price(math.Round(float64(p)*f/100) * 100) })
}

// priced changes all prices of a row.
func priced(change func(panel.Price) panel.Price) func(*zoo, *panel.Observation) {
	return func(_ *zoo, o *panel.Observation) {
		for _, p := range []*panel.Price{&o.Effective, &o.Regular, &o.Sale} {
			if *p != 0 {
				*p = max(change(*p), 100)
			}
		}
	}
}

func at(price panel.Price) func(*zoo, *panel.Observation) {
	return priced(func(panel.Price) panel.Price { return price })
}

// take gives a row the prices of another, if there is one, and its promotion.
func take(o *panel.Observation, from panel.Observation) {
	if from.Effective != 0 {
		o.Effective, o.Regular, o.Sale, o.OnSale = from.Effective, from.Regular, from.Sale, from.OnSale
		o.SaleEndsOn, o.SaleCondition, o.RegularSource = from.SaleEndsOn, from.SaleCondition, from.RegularSource
	}
}

func titled(title string) func(*zoo, *panel.Observation) {
	return func(_ *zoo, o *panel.Observation) { o.ScrapedName = title }
}

// dropped drops the chosen rows of the newest weeks, one or more.
func dropped(weeks int, which who) func(*zoo) {
	return func(z *zoo) {
		at := z.start(z.week + 1 - weeks)
		kept := slices.DeleteFunc(z.rows[at:], func(o panel.Observation) bool { return which(z, &o) })
		z.rows = z.rows[:at+len(kept)]
	}
}

// stale gives the chosen rows of the newest weeks the prices of the week before them, or of an older one.
func stale(weeks, age int, which who) func(*zoo) {
	return func(z *zoo) {
		old := z.prices(max(0, z.week+1-weeks-age), max(0, z.week+1-weeks-age))
		z.from(z.week+1-weeks, which, func(o *panel.Observation) {
			take(o, old[[2]int64{o.Listing, o.Store}])
		})
	}
}

// fading drops a share of the chosen series in each of some weeks, for good.
func fading(percent, weeks int, which who) func(*zoo) {
	return func(z *zoo) {
		from := max(1, z.week+1-weeks)
		z.fresh = z.week + 1 - from
		at, first := z.start(from), z.base.Add(from)
		kept := slices.DeleteFunc(z.rows[at:], func(o panel.Observation) bool {
			lost := 1 - math.Pow(1-float64(percent)/100, float64(panel.Calendar{}.WeekOf(o.ObservedAt)-first)/7+1)
			return which(z, &o) && float64((o.Listing*7919+o.Store*104729)%9973) < 9973*lost
		})
		z.rows = z.rows[:at+len(kept)]
	}
}

// longer keeps the last sale of the two weeks before in rows that are not on sale any more.
func longer(which who) func(*zoo) {
	return func(z *zoo) {
		sales := map[[2]int64]panel.Observation{}
		for _, o := range z.rows[z.start(z.week-2):z.start(z.week)] {
			if o.OnSale {
				sales[[2]int64{o.Listing, o.Store}] = o
			}
		}
		z.from(z.week, which, func(o *panel.Observation) {
			if !o.OnSale {
				take(o, sales[[2]int64{o.Listing, o.Store}])
			}
		})
	}
}

func discountTwice(_ *zoo, o *panel.Observation) {
	if o.OnSale && o.Regular > o.Effective {
		o.Effective = max(panel.Price(float64(o.Effective)*float64(o.Effective)/float64(o.Regular)/100)*100, 100)
		o.Sale = o.Effective
	}
}

func allRegular(_ *zoo, o *panel.Observation) {
	o.Effective = max(o.Effective, o.Regular)
	o.OnSale, o.Sale, o.SaleEndsOn, o.SaleCondition = false, 0, 0, panel.NoCondition
}

// inBottles chooses what carries a deposit.
func inBottles(z *zoo, o *panel.Observation) bool {
	return z.products[o.Listing].Unit == basket.Millilitre
}

// like gives the chosen rows the price of the same listing at another store, where it has one.
func like(which who, other func(panel.Store) bool) func(*zoo) {
	return func(z *zoo) {
		prices := map[int64]panel.Observation{}
		z.from(z.week, everyone, func(o *panel.Observation) {
			if prices[o.Listing].Effective == 0 && other(z.stores[o.Store]) {
				prices[o.Listing] = *o
			}
		})
		z.from(z.week, which, func(o *panel.Observation) { take(o, prices[o.Listing]) })
	}
}

// moved gives each chosen row the price of the chosen row that stands some places before it.
func moved(which who, places int) func(*zoo) {
	return func(z *zoo) {
		var rows []panel.Observation
		n := 0
		z.from(z.week, which, func(o *panel.Observation) { rows = append(rows, *o) })
		z.from(z.week, which, func(o *panel.Observation) {
			take(o, rows[(n+len(rows)-places)%len(rows)])
			n++
		})
	}
}

// twice adds each chosen row again, some time later and changed.
func twice(which who, change func(*zoo, *panel.Observation)) func(*zoo) {
	return func(z *zoo) {
		var more []panel.Observation
		z.from(z.week, which, func(o *panel.Observation) {
			again := *o
			again.ID, again.ObservedAt = 1<<40+o.ID, o.ObservedAt.Add(time.Second)
			change(z, &again)
			more = append(more, again)
		})
		z.rows = append(z.rows, more...)
		slices.SortStableFunc(z.rows[z.start(z.week):], func(a, b panel.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
	}
}

// setAside has an operator's entry for the chosen listings of a chain.
func setAside(banner string, share float64) func(*zoo) {
	return func(z *zoo) {
		for _, l := range z.listings {
			if l.Banner == banner && goods(share)(z, &panel.Observation{Listing: l.ID}) {
				z.entries = append(z.entries, panel.Quarantine{Listing: l.ID})
			}
		}
	}
}

func same(*zoo, *panel.Observation) {}

// faults are bad weeks: what a scraper, a feed or its operator does wrong.
var faults = append([]fault{
	// Prices of a chain on another basis.
	{"a chain's prices with tax", newest(chain("northlarch"), times(1.13))},
	{"tax on one category of a chain", newest(both(chain("northlarch"), category("household")), times(1.13))},
	{"a chain's prices with tax in one city", newest(both(chain("northlarch"), city("toronto")), times(1.13))},
	{"a small chain's prices with tax", newest(chain("wheatlark"), times(1.05))},
	{"a chain in another currency", newest(chain("tillbrook"), times(0.73))},
	{"a chain in a weaker currency", newest(chain("tillbrook"), times(1.37))},
	{"one city's prices in another currency", newest(city("calgary"), times(0.73))},
	{"a chain per pound for per kilogram", newest(both(chain("pennywold"), perKg), times(1/2.2046))},
	{"a chain per 100 g for per kilogram", newest(both(chain("pennywold"), perKg), times(0.1))},
	{"a chain per piece for per kilogram", newest(both(chain("ottermill"), perKg), times(0.2))},
	{"a chain without cents", newest(chain("prairiekeel"), priced(func(p panel.Price) panel.Price { return max(p/10_000*10_000, 10_000) }))},
	{"a chain rounded up to dollars", newest(chain("prairiekeel"), priced(func(p panel.Price) panel.Price { return (p + 9_999) / 10_000 * 10_000 }))},
	{"a chain in cents", newest(chain("gullhaven"), times(100))},
	{"a chain in cents in one city", newest(both(chain("northlarch"), city("vancouver")), times(100))},
	{"a chain with its decimal point lost", newest(chain("boisverin"), times(10))},
	{"a chain with decimals counted twice", newest(chain("boisverin"), times(0.01))},
	{"one category of a chain in cents", newest(both(chain("boisverin"), category("dairy")), times(100))},
	{"a chain's delivery prices, 15% more", newest(chain("aspenreach"), times(1.15))},
	{"a chain's delivery prices, 4% more", newest(chain("aspenreach"), times(1.04))},
	{"a chain's member prices for all", newest(both(chain("quartermoss"), goods(0.4)), times(0.92))},
	{"a chain's regular prices in place of its promotions", newest(chain("northlarch"), func(_ *zoo, o *panel.Observation) { o.Effective = max(o.Effective, o.Regular) })},
	{"a chain's unit prices as prices", newest(chain("harthollow"), func(_ *zoo, o *panel.Observation) { o.Effective = max(panel.Price(o.UnitPrice*1e4), 100) })},
	{"a chain's sizes halved, so prices are doubled", newest(chain("dulsemoor"), times(2))},
	{"a chain's sizes doubled, so prices are halved", newest(chain("dulsemoor"), times(0.5))},
	{"half of a chain's sizes halved", newest(both(chain("dulsemoor"), goods(0.5)), times(2))},
	{"a chain's sizes in the text halved", newest(chain("dulsemoor"), func(z *zoo, o *panel.Observation) {
		o.PackageSize = fmt.Sprintf("%g %s", z.products[o.Listing].StandardSize/2, z.products[o.Listing].Unit)
	})},
	{"a chain by the case", newest(both(chain("rimfield"), goods(0.3)), times(6))},

	// Promotions, stock and fees.
	{"a chain's promotions a week too long", longer(chain("northlarch"))},
	{"everybody's promotions a week too long", longer(everyone)},
	{"a chain's discounts taken twice", newest(chain("northlarch"), discountTwice)},
	{"a chain's regular prices, and no promotions", newest(chain("northlarch"), allRegular)},
	{"everybody's regular prices, and no promotions", newest(everyone, allRegular)},
	{"a chain's prices with deposits", newest(both(chain("northlarch"), inBottles), func(_ *zoo, o *panel.Observation) { o.Effective += 2_500 })},
	{"a chain's prices with deposits, its regular prices too", newest(both(chain("northlarch"), inBottles), func(_ *zoo, o *panel.Observation) {
		o.Effective += 2_500
		if o.Regular != 0 {
			o.Regular += 2_500
		}
		if o.Sale != 0 {
			o.Sale += 2_500
		}
	})},
	{"nothing of a chain is in stock", newest(chain("northlarch"), func(_ *zoo, o *panel.Observation) { o.InStock = panel.No })},

	// What is read off a page is another thing.
	{"promotion text as price: 2 for 5", newest(both(chain("pennywold"), onSale), at(20_000))},
	{"the total of a multi-buy as price", newest(both(chain("pennywold"), onSale), times(2))},
	{"what is saved as price", newest(both(chain("pennywold"), onSale), func(_ *zoo, o *panel.Observation) { o.Effective = max(o.Regular-o.Effective, 100) })},
	{"one price for all of a chain", newest(chain("paniersol"), at(49_900))},
	{"one price for a fifth of a chain", newest(both(chain("paniersol"), goods(0.2)), at(49_900))},
	{"one product for all of a chain", newest(chain("paniersol"), func(_ *zoo, o *panel.Observation) { o.Effective, o.ScrapedName, o.PackageSize = 49_900, "Bananas", "" })},
	{"a placeholder of 999.99 in a twentieth of a chain", newest(both(chain("cedarquay"), byChance(0.05)), at(9_999_900))},
	{"a cent in a twentieth of a chain", newest(both(chain("cedarquay"), byChance(0.05)), at(100))},
	{"the leading digit lost from ten dollars on", newest(chain("cedarquay"), priced(func(p panel.Price) panel.Price { return p % 100_000 }))},
	{"prices of the row above", moved(chain("fogharbour"), 1)},
	{"prices of a page below", moved(chain("fogharbour"), 20)},
	{"titles of an error page", newest(chain("tidewren"), titled("Access denied"))},
	{"titles of an error page in one city", newest(both(chain("tillbrook"), city("halifax")), titled("Access denied"))},
	{"no titles", newest(chain("tidewren"), titled(""))},
	{"one listing became something else", newest(func(_ *zoo, o *panel.Observation) bool { return o.Listing == 3 }, titled("Dog food"))},
	{"a search's first hit for a fifth of a chain", newest(both(chain("tidewren"), goods(0.2)), func(_ *zoo, o *panel.Observation) {
		o.ScrapedName = "Deal of the week"
		times(2.0/3)(nil, o)
	})},
	{"noise of 5% on a chain's prices", newest(chain("grangelys"), func(z *zoo, o *panel.Observation) { times(0.95+0.1*z.r.Float64())(z, o) })},
	{"a chain rounded up to 99 cents", newest(chain("grangelys"), priced(func(p panel.Price) panel.Price { return p/10_000*10_000 + 9_900 }))},

	// Prices of another place or time.
	{"a default store's prices for a chain", like(chain("northlarch"), func(s panel.Store) bool { return s.Banner == "northlarch" && s.City == "toronto" })},
	{"a default store's prices in one city", like(both(chain("ottermill"), city("toronto")), func(s panel.Store) bool { return s.Banner == "ottermill" && s.City == "ottawa" })},
	{"a chain's prices in one city are another's", like(both(chain("pennywold"), city("calgary")), func(s panel.Store) bool { return s.Banner == "pennywold" && s.City == "toronto" })},
	{"another chain's prices", newest(chain("quartermoss"), func(z *zoo, o *panel.Observation) {
		times(1.1+float64(z.products[o.Listing].ID%5)/20)(z, o)
	})},
	{"a chain's pages of the week before", stale(1, 1, chain("prairiekeel"))},
	{"half of a chain's pages of the week before", stale(1, 1, both(chain("prairiekeel"), goods(0.5)))},
	{"everybody's pages of the week before", stale(1, 1, everyone)},
	{"a chain's pages of the week before in one city", stale(1, 1, both(chain("prairiekeel"), city("calgary")))},
	{"a chain frozen for three weeks", stale(3, 1, chain("rimfield"))},
	{"a chain frozen for three weeks but for a tenth", stale(3, 1, both(chain("rimfield"), goods(0.9)))},
	{"a small chain frozen for two weeks", stale(2, 1, chain("fogharbour"))},
	{"a chain's pages of two months before", stale(1, 8, chain("aspenreach"))},
	{"a chain's prices of the base week", func(z *zoo) { stale(1, z.week, chain("aspenreach"))(z) }},
	{"a chain's promotions of two weeks that do not end", func(z *zoo) {
		old := z.prices(z.week-2, z.week-2)
		z.from(z.week-1, chain("pennywold"), func(o *panel.Observation) {
			if was := old[[2]int64{o.Listing, o.Store}]; was.Effective < o.Effective {
				take(o, was)
			}
		})
	}},

	// Rows that are missing, doubled or set aside.
	{"each row of a chain twice", twice(chain("ottermill"), same)},
	{"each row of a chain twice, the second with tax", twice(chain("ottermill"), times(1.13))},
	{"each row twice", twice(everyone, same)},
	{"a chain is gone", dropped(1, chain("nickelbasket"))},
	{"a chain of one city is gone", dropped(1, chain("harthollow"))},
	{"a chain is gone in one city", dropped(1, both(chain("ottermill"), city("toronto")))},
	{"a city is gone", dropped(1, city("ottawa"))},
	{"everybody's newest week dated a week later", dropped(1, byChance(0.97))},
	{"60% of a chain's pages failed", dropped(1, both(chain("northlarch"), byChance(0.6)))},
	{"30% of a chain's pages failed", dropped(1, both(chain("northlarch"), byChance(0.3)))},
	{"60% of all pages failed", dropped(1, byChance(0.6))},
	{"a category of a chain is gone", dropped(1, both(chain("tillbrook"), category("dairy")))},
	{"a category is gone", dropped(1, category("household"))},
	{"the dearer half of a chain is gone", dropped(1, both(chain("wheatlark"), func(_ *zoo, o *panel.Observation) bool { return o.Effective > 60_000 }))},
	{"40% of a chain set aside", setAside("northlarch", 0.4)},
	{"10% of a chain set aside", setAside("northlarch", 0.1)},

	// Everybody, or one product.
	{"everybody's prices with tax", newest(everyone, times(1.05))},
	{"one city's prices with tax", newest(city("montreal"), times(1.05))},
	{"one category 10% dearer", newest(category("dairy"), times(1.1))},
	{"one product of a chain three times as dear", newest(both(chain("northlarch"), func(z *zoo, o *panel.Observation) bool { return z.products[o.Listing].ID == 2 }), times(3))},
	{"one product three times as dear", newest(func(z *zoo, o *panel.Observation) bool { return z.products[o.Listing].ID == 2 }, times(3))},

	// Older rows and references.
	{"a tenth of the older rows is lost", func(z *zoo) {
		at := z.start(z.week)
		later := slices.Clone(z.rows[at:])
		z.rows = append(slices.DeleteFunc(z.rows[:at], func(o panel.Observation) bool { return z.r.IntN(10) == 0 }), later...)
	}},
	{"a chain's prices of an older week are in cents", func(z *zoo) {
		for i := z.start(z.week - 3); i < z.start(z.week-2); i++ {
			if o := &z.rows[i]; chain("tillbrook")(z, o) {
				times(100)(z, o)
			}
		}
	}},
	{"a chain's base week 5% dearer", func(z *zoo) {
		for i := range z.start(1) {
			if o := &z.rows[i]; chain("northlarch")(z, o) {
				times(1.05)(z, o)
			}
		}
	}},
	{"a weight ten times as large", func(z *zoo) { z.world.products[4].Weight *= 10 }},
	{"all weights equal", func(z *zoo) {
		for i := range z.world.products {
			z.world.products[i].Weight = 0.02
		}
	}},
	{"a product in another category", func(z *zoo) { z.world.products[2].Category = "household" }},
	{"a chain's listings mapped to the next product", func(z *zoo) {
		for i := range z.listings {
			if l := &z.listings[i]; l.Banner == "gullhaven" && i+1 < len(z.listings) && z.listings[i+1].Banner == l.Banner {
				l.ProductID = z.listings[i+1].ProductID
			}
		}
	}},
	{"a chain's stores in another city", func(z *zoo) {
		for i := range z.world.stores {
			if s := &z.world.stores[i]; s.Banner == "northlarch" && s.City == "ottawa" {
				s.City = "toronto"
			}
		}
	}},
	{"a chain left out of the index", func(z *zoo) {
		for i := range z.banners {
			z.banners[i].InIndex = z.banners[i].InIndex && z.banners[i].Key != "pennywold"
		}
	}},
	{"a chain's stores at uncertain places", func(z *zoo) {
		for i := range z.world.stores {
			s := &z.world.stores[i]
			s.LocationCertain = s.LocationCertain && s.Banner != "northlarch"
		}
	}},
}, ramps()...)

// fault is a bad week.
type fault struct {
	name  string
	plant func(*zoo)
}

// ramps lose a little every week. All of these weeks are new.
func ramps() (list []fault) {
	for _, percent := range []int{5, 7, 10, 14} {
		for _, weeks := range []int{8, 12} {
			for _, x := range []struct {
				name string
				who
			}{
				{"a chain", chain("northlarch")}, {"a chain in one city", both(chain("ottermill"), city("toronto"))}, {"everybody", everyone},
			} {
				name := fmt.Sprintf("%s loses %d%% of its prices a week for %d weeks", x.name, percent, weeks)
				list = append(list, fault{name, fading(percent, weeks, x.who)})
			}
		}
	}
	return list
}

// TestZoo plants each fault in the newest of 12 weeks and of 33. It prints which stop a release, which
// are warned of and which are silent, and compares that with testdata/zoo.txt. A fault that ends alike in both is
// planted in the shorter alone, but with -whole-zoo.
func TestZoo(t *testing.T) {
	t.Parallel()
	debug.SetGCPercent(400)
	const golden = "testdata/zoo.txt"
	known := string(must(os.ReadFile(golden)))
	base := cleanPanel(t, 1, 33, 90)
	ends, silent := make([][]any, len(faults)), [2]int{}
	for n, weeks := range []int{12, 33} {
		type before struct {
			old   *release.Snapshot
			usual map[string]bool
		}
		clean, releases := base.at(t, weeks-1), map[int]before{} // by how many weeks they add
		for i, fault := range faults {
			if !regexp.MustCompile(*only).MatchString(fault.name) {
				ends[i] = append(ends[i], "")
				continue
			}
			if weeks > 12 && !*writeZoo && !*wholeZoo && strings.Contains(known, fmt.Sprintf("| %s | %s | %[2]s |\n", fault.name, ends[i][0])) {
				if ends[i] = append(ends[i], ends[i][0]); ends[i][0] == "silent" {
					silent[n]++
				}
				continue
			}
			z := newZoo(base, weeks-1)
			fault.plant(z)
			if 2*z.fresh > weeks {
				ends[i] = append(ends[i], "too short")
				continue
			}
			from, ok := releases[z.fresh]
			if !ok {
				from = before{base.at(t, weeks-1-z.fresh), map[string]bool{}}
				for id := range findings(from.old, clean, nil) {
					from.usual[id] = true
				}
				releases[z.fresh] = from
			}
			next := z.at(t, weeks-1)
			if z.fresh == 1 && strings.Contains(fault.name, "weeks") { // the fault was released before
				from.old = z.at(t, weeks-2)
			}
			found := map[string][]string{}
			for id, end := range findings(from.old, next, from.usual) {
				if rule, _, _ := strings.Cut(id, ":"); !slices.Contains(found[end], rule) {
					found[end] = append(found[end], rule)
				}
			}
			end := "silent"
			for _, worse := range []string{"found by check", "warned", "stopped"} {
				if found[worse] != nil {
					slices.Sort(found[worse])
					end = worse + ": " + strings.Join(found[worse], ", ")
				}
			}
			if ends[i] = append(ends[i], end); end == "silent" {
				silent[n]++
			}
		}
	}
	var table strings.Builder
	table.WriteString("| in the newest week | of 12 | of 33 |\n|---|---|---|\n")
	for i, f := range faults {
		fmt.Fprintf(&table, "| %s | %s | %s |\n", f.name, ends[i][0], ends[i][1])
	}
	fmt.Fprintf(&table, "\nOf %d faults %d are silent in the newest of 12 weeks, and %d in that of 33.\n", len(faults), silent[0], silent[1])
	t.Logf("\n%s", &table)
	if 100*max(silent[0], silent[1]) > 6*len(faults) || len(faults) < 120 {
		t.Errorf("of %d faults %d are silent", len(faults), silent)
	}
	if *writeZoo {
		orPanic(os.WriteFile(golden, []byte(table.String()), 0o644))
	}
	if !*writeZoo && table.String() != known {
		t.Errorf("%s has another table; write it with go test ./jevons/release -run Zoo -args -write-zoo", golden)
	}
}

// findings returns what a release of next after old says that is not usual, by id, and how; if the rules say
// nothing, what check says.
func findings(old, next *release.Snapshot, usual map[string]bool) map[string]string {
	ends := map[string]string{}
	for _, f := range release.Findings(old, next, release.Diff(old, next)) {
		switch {
		case usual[f.ID]:
		case f.Stops:
			ends[f.ID] = "stopped"
		default:
			ends[f.ID] = "warned"
		}
	}
	if len(ends) > 0 && usual != nil {
		return ends
	}
	monday := (next.Table.Options.Through.Date() + 1).Time(panel.Calendar{}.Zone()).Add(12 * time.Hour)
	for _, f := range check.NewReport(next.Panel, next.Rows, next.Quarantine, monday).Findings {
		for _, text := range f.Found {
			if id := f.Code + ":" + text; !usual[id] {
				ends[id] = "found by check"
			}
		}
	}
	return ends
}

func newZoo(w *world, week int) *zoo {
	z := &zoo{w, week, 1, map[int64]panel.Store{}, map[int64]basket.Product{}, rand.New(rand.NewPCG(uint64(week), 7))}
	now := *w
	now.rows = w.rows[:z.start(week+1)]
	z.world = now.clone()
	for _, s := range w.stores {
		z.stores[s.ID] = s
	}
	for _, l := range w.listings {
		z.products[l.ID] = w.products[slices.IndexFunc(w.products, func(p basket.Product) bool { return p.ID == l.ProductID })]
	}
	return z
}
