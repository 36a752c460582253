package synth

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Kind names a phenomenon that is planted in the data.
type Kind string

// The kinds of plants. A number of weeks is the shortest panel that has the
// kind, a number of rows is how many its series must have. With fewer stores than
// DefaultStores a kind without a place is left out.
const (
	LateCity       Kind = "late_city"       // a city with its first prices after the base week (4 weeks)
	MissingWeek    Kind = "missing_week"    // a city without rows in From (3 weeks)
	RunUp          Kind = "run_up"          // Sunday evenings before the base week, Monday in UTC
	ThinBanner     Kind = "thin_banner"     // a banner that lists less than 60% of the products
	PartialBanner  Kind = "partial_banner"  // a banner that lists 70 to 80% of them
	OutsideIndex   Kind = "outside_index"   // a chain that serves shoppers only
	VerifiedBanner Kind = "verified_banner" // a chain outside the index whose rows are reviewed
	Legacy         Kind = "legacy"          // early rows with an impossible regular price, about one in 25
	RetiredListing Kind = "retired_listing" // Listings[0], replaced by Listings[1] in From at another price level
	SecondListing  Kind = "second_listing"  // another active listing of a product at the same stores
	FormerProduct  Kind = "former_product"  // a product of an earlier basket, its rows up to To
	InactiveStore  Kind = "inactive_store"  // a store that closed, its rows up to To
	StaleStore     Kind = "stale_store"     // a store with its last rows in To (4 weeks)
	FrozenFeed     Kind = "frozen_feed"     // a store with the same prices from From on (6 weeks)
	UncertainStore Kind = "uncertain_store" // a store at an uncertain location
	UncertainChain Kind = "uncertain_chain" // a chain in a city, with all its stores there uncertain
	Mojibake       Kind = "mojibake"        // names and brands read in the wrong encoding
	ExpiredSale    Kind = "expired_sale"    // sales that ended the day before Through
	FixedPack      Kind = "fixed_pack"      // goods sold by weight that come in one pack
	OtherCount     Kind = "other_count"     // counted goods in packs of another count
	WrongProduct   Kind = "wrong_product"   // titles of another thing; Stores empty: everywhere (4 rows)
	WrongBasis     Kind = "wrong_basis"     // prices of a case or of 100 g (4 rows)
	PerPound       Kind = "per_pound"       // one row, of From: the price of a pound (4 rows)
	StrayTitle     Kind = "stray_title"     // one row, of From: the title of another thing (4 rows)
	StrayPack      Kind = "stray_pack"      // one row, of From: a pack misread by a factor of ten (4 rows)
	Shrink         Kind = "shrink"          // a pack that shrinks, store by store, from From to To (10 weeks)
)

// Plant is one thing planted in the data. Members that don't apply are zero.
type Plant struct {
	Kind         Kind
	Product      int // id
	City, Banner string
	Stores       []int64    // ids
	Listings     []int64    // ids
	Observations []int64    // ids, of kinds that are single rows
	From, To     panel.Week // first and last week of it

	// Expect is the grade and flag of a Shrink, such as "high ok". For wrong
	// rows it is the rule that quarantines them, or "identity".
	Expect string

	// Of a Shrink: the pack before and after, as scraped, and the stores that
	// had the new one all along.
	OldPack, NewPack string
	AlwaysNew        []int64
}

// Planted returns all plants, or those of the given kinds.
func (d *Data) Planted(kinds ...Kind) []Plant {
	var found []Plant
	for _, p := range d.planted {
		if len(kinds) == 0 || slices.Contains(kinds, p.Kind) {
			found = append(found, p)
		}
	}
	return found
}

// planter plants one phenomenon after the other and keeps them apart.
type planter struct {
	*world
	plants []Plant
	taken  map[*listing]bool
	busy   map[*store]bool
}

func (w *world) plant() []Plant {
	p := &planter{world: w, taken: map[*listing]bool{}, busy: map[*store]bool{}}
	p.cities()
	p.banners()
	p.shops()
	p.uncertain()
	p.retired()
	p.seconds()
	p.former()
	p.mojibake()
	p.shrinks()
	p.wrongProducts()
	p.wrongBasis()
	p.stray()
	p.perPounds()
	p.sold()
	return p.plants
}

func (p *planter) add(x Plant) {
	x.Expect = cmp.Or(x.Expect, verdicts[x.Kind])
	p.plants = append(p.plants, x)
}

// verdicts are the gate's on the rows of wrong plants.
var verdicts = map[Kind]string{
	WrongProduct: panel.WrongProduct.String(), WrongBasis: panel.WrongBasis.String(), PerPound: panel.WrongBasisRow.String(),
	StrayTitle: panel.FailsIdentity.String(), StrayPack: panel.FailsIdentity.String(),
}

// want is a product and the banner that should list it.
type want struct {
	id     int
	banner string
}

// pick takes the first free listing of one of the goods by one of the banners,
// at that many stores at least. It tries the given banners first, then every
// other index banner with a full list, and returns nil if there is no listing.
func (p *planter) pick(ids []int, stores int, banners ...string) *listing {
	for i := range p.Chains {
		if c := &p.Chains[i]; c.InIndex && c.Carries > 45 && !slices.Contains(banners, c.Key) {
			banners = append(banners, c.Key)
		}
	}
	for _, key := range banners {
		for _, id := range ids {
			for _, l := range p.listings {
				if l.Banner == key && l.ProductID == id && !p.taken[l] && len(p.open(l)) >= stores {
					p.taken[l] = true
					return l
				}
			}
		}
	}
	return nil
}

// pickOne picks a listing of one good, from the given banner if possible.
func (p *planter) pickOne(x want, stores int) *listing {
	return p.pick([]int{x.id}, stores, x.banner)
}

// open returns the series of a listing at stores without a plant.
func (p *planter) open(l *listing) []*series {
	var open []*series
	for _, x := range l.series {
		if !p.busy[x.store] {
			open = append(open, x)
		}
	}
	return open
}

// storesOf returns the stores that meet the condition.
func (p *planter) storesOf(cond func(*store) bool) []*store {
	var list []*store
	for i := range p.stores {
		if s := &p.stores[i]; cond(s) {
			list = append(list, s)
		}
	}
	return list
}

func ids(stores []*store) []int64 {
	var ids []int64
	for _, s := range stores {
		ids = append(ids, s.ID)
	}
	return ids
}

// weeksOf returns the weeks in which a series is observed.
func (w *world) weeksOf(x *series) []int {
	var weeks []int
	for k := -1; k <= w.weeks; k++ {
		if w.visited(x.store, k) && w.seen(x, k) && w.visit(x.store, k).Before(w.end()) {
			weeks = append(weeks, k)
		}
	}
	return weeks
}

// plant returns a plant of the store.
func (s *store) plant(k Kind) Plant {
	return Plant{Kind: k, City: s.City, Banner: s.Banner, Stores: []int64{s.ID}}
}

// plant returns a plant of the listing at all its stores.
func (l *listing) plant(k Kind) Plant {
	return Plant{Kind: k, Product: l.ProductID, Banner: l.Banner, Listings: []int64{l.ID}}
}

// plant returns a plant of the listing at one store.
func (x *series) plant(k Kind) Plant {
	p := x.store.plant(k)
	p.Product, p.Listings = x.ProductID, []int64{x.ID}
	return p
}
