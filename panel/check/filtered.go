package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Filtered says which rows the quality gate filters, and why. It looks only at rows
// that would count somewhere: those of active stores, active listings and active
// products, of all banners. Groups without a filtered row are left out. The others
// are sorted by filtered rows, most first, then by key and id.
type Filtered struct {
	Gate     string          `json:"gate_version"`
	Rows     int             `json:"rows"`          // all rows
	Nowhere  int             `json:"count_nowhere"` // rows of inactive stores, retired listings and inactive products
	Passed   int             `json:"passed"`        // rows that the gate lets pass
	Filtered int             `json:"filtered"`      // rows that it does not
	Reasons  []FilteredGroup `json:"by_reason"`     // Key is panel.Judgement.Rule
	Products []FilteredGroup `json:"by_product"`    // ID is the product's
	Banners  []FilteredGroup `json:"by_banner"`     // Key is the banner's
	Stores   []FilteredGroup `json:"by_store"`      // ID is the store's
	Listings []FilteredGroup `json:"by_listing"`    // ID is the listing's

	scope  *scope
	places []int // of the filtered rows
}

// FilteredGroup is filtered rows with something in common.
type FilteredGroup struct {
	Key      string `json:"key,omitempty"` // "" where ID tells groups apart
	ID       int64  `json:"id,omitempty"`  // 0 where Key does
	Name     string `json:"-"`             // for people
	Filtered int    `json:"filtered"`
	Rows     int    `json:"rows"` // filtered and passed; a reason has filtered ones only
	// Example is the id of the newest filtered row; of several as new it is the
	// lowest id.
	Example int64  `json:"example_observation_id"`
	Reason  string `json:"example_reason"` // why the example is filtered, in words

	place int // of the example in the rows
}

// FilteredRow is a filtered row with the records that it is of.
type FilteredRow struct {
	panel.Observation
	Judgement panel.Judgement
	Product   *basket.Product
	Store     *panel.Store
	City      string // display name
}

// NewFiltered goes through all rows of a panel.
func NewFiltered(r *panel.Rows, p *panel.Panel) *Filtered {
	s := newScope(r, p)
	f := &Filtered{Gate: panel.GateVersion, Rows: r.Len(), scope: s}
	reasons := map[string]*FilteredGroup{}
	products := groupsOf(p.Products(), func(x *basket.Product) FilteredGroup {
		return FilteredGroup{ID: int64(x.ID), Name: (&FilteredRow{Product: x}).ProductName()}
	})
	banners := groupsOf(p.Banners(), func(x *basket.Banner) FilteredGroup {
		return FilteredGroup{Key: x.Key, Name: x.Key}
	})
	stores := groupsOf(p.Stores(), func(x *panel.Store) FilteredGroup {
		return FilteredGroup{ID: x.ID, Name: (&FilteredRow{Store: x, City: s.cityNames[x.City]}).StoreName()}
	})
	listings := groupsOf(p.Listings(), func(x *panel.Listing) FilteredGroup {
		return FilteredGroup{ID: x.ID, Name: fmt.Sprintf("%d %s, %s", x.ID, x.Banner, x.Name)}
	})
	for i := range r.Len() {
		store, listing, ok := s.place(i)
		if !ok {
			f.Nowhere++
			continue
		}
		groups := []*FilteredGroup{
			&products[s.product[listing]], &banners[s.banner[listing]], &stores[store], &listings[listing],
		}
		if r.Verdict(i) == panel.Pass {
			f.Passed++
		} else {
			f.places = append(f.places, i)
			rule := r.Judge(i).Rule()
			if reasons[rule] == nil {
				reasons[rule] = &FilteredGroup{Key: rule, Name: rule}
			}
			groups = append(groups, reasons[rule])
			for _, g := range groups {
				if g.Filtered == 0 || r.UnixNano(i) > r.UnixNano(g.place) {
					g.place = i
				}
				g.Filtered++
			}
		}
		for _, g := range groups {
			g.Rows++
		}
	}
	var byReason []FilteredGroup
	for _, g := range reasons {
		byReason = append(byReason, *g)
	}
	f.Filtered, f.Reasons = len(f.places), s.finish(byReason)
	f.Products, f.Banners = s.finish(products), s.finish(banners)
	f.Stores, f.Listings = s.finish(stores), s.finish(listings)
	return f
}

func groupsOf[T any](list []T, group func(*T) FilteredGroup) []FilteredGroup {
	groups := make([]FilteredGroup, len(list))
	for i := range list {
		groups[i] = group(&list[i])
	}
	return groups
}

// finish sorts the groups with a filtered row and gives them their examples.
func (s *scope) finish(groups []FilteredGroup) []FilteredGroup {
	list := []FilteredGroup{}
	for _, g := range groups {
		if g.Filtered > 0 {
			g.Example, g.Reason = s.rows.ID(g.place), s.rows.Judge(g.place).String()
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b FilteredGroup) int {
		return cmp.Or(b.Filtered-a.Filtered, cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// All yields every filtered row, oldest first.
func (f *Filtered) All(yield func(FilteredRow) bool) {
	for _, i := range f.places {
		if !yield(f.row(i)) {
			return
		}
	}
}

// Example returns the row that a group names as its example.
func (f *Filtered) Example(g *FilteredGroup) FilteredRow { return f.row(g.place) }

func (f *Filtered) row(i int) FilteredRow {
	s := f.scope
	at, listing, _ := s.place(i) // filtered rows have both
	store := &s.Stores()[at]
	return FilteredRow{s.rows.At(i), s.rows.Judge(i), &s.Products()[s.product[listing]], store, s.cityNames[store.City]}
}

// ProductName returns the id and the name of the row's product.
func (r *FilteredRow) ProductName() string { return fmt.Sprintf("%d %s", r.Product.ID, r.Product.Name) }

// StoreName returns the id of the row's store, its banner and its city.
func (r *FilteredRow) StoreName() string {
	return fmt.Sprintf("%d %s, %s", r.Store.ID, r.Store.Banner, r.City)
}

// Share returns the share of the group's rows that are filtered, in percent with
// one decimal.
func (g *FilteredGroup) Share() string { return percent(g.Filtered, g.Rows) }

// Share returns the share of the judged rows that are filtered, in percent with one
// decimal.
func (f *Filtered) Share() string { return percent(f.Filtered, f.Passed+f.Filtered) }

func percent(n, all int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(all, 1))) }

// scope tells rows that count somewhere, whatever the gate says, from those that
// count nowhere: rows of inactive stores, retired listings and inactive products,
// and of any that the panel does not know.
type scope struct {
	*panel.Panel
	rows      *panel.Rows
	cityNames map[string]string // display names by slug
	listing   []int32           // by the row's label: place in the panel's listings; -1: counts nowhere
	product   []int32           // by place in the panel's listings: place in its products
	banner    []int32           // by place in the panel's listings: place in its banners
}

func newScope(r *panel.Rows, p *panel.Panel) *scope {
	s := &scope{Panel: p, rows: r, cityNames: map[string]string{}}
	for _, c := range p.Cities() {
		s.cityNames[c.Slug] = c.Name
	}
	for _, l := range p.Listings() {
		product, _ := p.ProductAt(l.ProductID)
		banner := slices.IndexFunc(p.Banners(), func(b basket.Banner) bool { return b.Key == l.Banner })
		s.product, s.banner = append(s.product, product), append(s.banner, int32(banner))
	}
	for _, label := range r.Labels() {
		at, ok := p.ListingAt(label.Listing)
		if !ok || !p.Listings()[at].Active || !p.Products()[s.product[at]].Active {
			at = -1
		}
		s.listing = append(s.listing, at)
	}
	return s
}

// place returns the places of a row's store and listing in the panel's lists. It
// returns false if the row counts nowhere.
func (s *scope) place(i int) (store, listing int32, ok bool) {
	store, ok = s.StoreAt(s.rows.Store(i))
	listing = s.listing[s.rows.Label(i)]
	return store, listing, ok && listing >= 0 && s.Stores()[store].Active
}
