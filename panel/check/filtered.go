package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"

	"github.com/larder-index/larder/panel"
)

// Filtered says which rows the quality gate drops, and why. It looks only at rows
// that would count somewhere: those of active stores, active listings and active
// products, of all banners. Groups without a dropped row are left out. The others
// are sorted by dropped rows, most first, then by key and id.
type Filtered struct {
	Gate     string          `json:"gate_version"`
	Rows     int             `json:"rows"`          // all rows
	Nowhere  int             `json:"count_nowhere"` // rows of inactive stores, retired listings and inactive products
	Passed   int             `json:"passed"`        // rows that the gate lets pass
	Dropped  int             `json:"filtered"`      // rows that it does not
	Reasons  []FilteredGroup `json:"by_reason"`     // Key is panel.Judgement.Rule
	Products []FilteredGroup `json:"by_product"`    // ID is the product's
	Banners  []FilteredGroup `json:"by_banner"`     // Key is the banner's
	Stores   []FilteredGroup `json:"by_store"`      // ID is the store's
	Listings []FilteredGroup `json:"by_listing"`    // ID is the listing's

	rows    *panel.Rows
	scope   *scope
	dropped []int // places in rows
}

// FilteredGroup is dropped rows with something in common.
type FilteredGroup struct {
	Key     string `json:"key,omitempty"` // "" where ID tells groups apart
	ID      int64  `json:"id,omitempty"`  // 0 where Key does
	Name    string `json:"-"`             // for people
	Dropped int    `json:"filtered"`
	Rows    int    `json:"rows"` // dropped and passed; a reason has dropped ones only
	// Example is the id of the newest dropped row; of several as new it is the
	// lowest id.
	Example int64  `json:"example_observation_id"`
	Reason  string `json:"example_reason"` // why the example is dropped, in words

	place int // of the example in Rows
}

// FilteredRow is a dropped row with the records that it is of.
type FilteredRow struct {
	panel.Observation
	Judgement panel.Judgement
	Product   *basket.Product
	Store     *panel.Store
	City      string // display name
}

// NewFiltered goes through all rows. It reads the panel's lists of products,
// cities, banners, stores and listings.
func NewFiltered(r *panel.Rows, p *panel.Panel) *Filtered {
	s := newScope(r, p)
	f := &Filtered{Gate: panel.GateVersion, Rows: r.Len(), rows: r, scope: s}
	stores, listings := make([]groupCount, len(p.Stores())), make([]groupCount, len(p.Listings()))
	reasons := map[string]*groupCount{}
	for i := range r.Len() {
		store, listing, ok := s.place(r, i)
		if !ok {
			f.Nowhere++
			continue
		}
		if r.Verdict(i) == panel.Pass {
			f.Passed++
			stores[store].passed++
			listings[listing].passed++
			continue
		}
		f.dropped = append(f.dropped, i)
		row := groupCount{dropped: 1, example: i}
		stores[store].add(r, row)
		listings[listing].add(r, row)
		addTo(reasons, r.Judge(i).Rule(), r, row)
	}
	f.Dropped = len(f.dropped)
	products, banners := make([]groupCount, len(p.Products())), map[string]*groupCount{}
	for i := range listings {
		products[s.product[i]].add(r, listings[i])
		addTo(banners, p.Listings()[i].Banner, r, listings[i])
	}
	for key, g := range reasons {
		f.group(&f.Reasons, FilteredGroup{Key: key, Name: key}, g)
	}
	for i := range products {
		x := &p.Products()[i]
		f.group(&f.Products, FilteredGroup{ID: int64(x.ID), Name: productName(x)}, &products[i])
	}
	for key, g := range banners {
		f.group(&f.Banners, FilteredGroup{Key: key, Name: key}, g)
	}
	for i := range stores {
		x := &p.Stores()[i]
		f.group(&f.Stores, FilteredGroup{ID: x.ID, Name: storeName(x, s.cityNames[x.City])}, &stores[i])
	}
	for i := range listings {
		x := &p.Listings()[i]
		f.group(&f.Listings, FilteredGroup{ID: x.ID, Name: fmt.Sprintf("%d %s, %s", x.ID, x.Banner, x.Name)}, &listings[i])
	}
	for _, groups := range []*[]FilteredGroup{&f.Reasons, &f.Products, &f.Banners, &f.Stores, &f.Listings} {
		slices.SortFunc(*groups, func(a, b FilteredGroup) int {
			return cmp.Or(b.Dropped-a.Dropped, cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
		})
		*groups = append([]FilteredGroup{}, *groups...) // an empty list is [] in JSON
	}
	return f
}

// group appends a group if it has a dropped row.
func (f *Filtered) group(groups *[]FilteredGroup, g FilteredGroup, n *groupCount) {
	if n.dropped == 0 {
		return
	}
	g.Dropped, g.Rows, g.place = n.dropped, n.dropped+n.passed, n.example
	g.Example, g.Reason = f.rows.ID(n.example), f.rows.Judge(n.example).String()
	*groups = append(*groups, g)
}

// All yields every dropped row, oldest first.
func (f *Filtered) All(yield func(FilteredRow) bool) {
	for _, i := range f.dropped {
		if !yield(f.row(i)) {
			return
		}
	}
}

// Example returns the row that a group names as its example.
func (f *Filtered) Example(g *FilteredGroup) FilteredRow { return f.row(g.place) }

func (f *Filtered) row(i int) FilteredRow {
	p := f.scope.Panel
	store, listing, _ := f.scope.place(f.rows, i) // dropped rows have both
	return FilteredRow{
		Observation: f.rows.At(i), Judgement: f.rows.Judge(i), Product: &p.Products()[f.scope.product[listing]],
		Store: &p.Stores()[store], City: f.scope.cityNames[p.Stores()[store].City],
	}
}

// ProductName returns the id and the name of the row's product.
func (r *FilteredRow) ProductName() string { return productName(r.Product) }

// StoreName returns the id of the row's store, its banner and its city.
func (r *FilteredRow) StoreName() string { return storeName(r.Store, r.City) }

func productName(p *basket.Product) string { return fmt.Sprintf("%d %s", p.ID, p.Name) }

func storeName(s *panel.Store, city string) string {
	return fmt.Sprintf("%d %s, %s", s.ID, s.Banner, city)
}

// groupCount counts the rows of a group. The example is the place of one dropped
// row.
type groupCount struct{ passed, dropped, example int }

// add adds the rows of a narrower group.
func (g *groupCount) add(r *panel.Rows, n groupCount) {
	if n.dropped > 0 && (g.dropped == 0 || before(r, n.example, g.example)) {
		g.example = n.example
	}
	g.passed += n.passed
	g.dropped += n.dropped
}

func addTo(groups map[string]*groupCount, key string, r *panel.Rows, n groupCount) {
	if groups[key] == nil {
		groups[key] = &groupCount{}
	}
	groups[key].add(r, n)
}

// before reports whether the i-th row is the better example than the j-th. Store
// and label decide between rows without ids.
func before(r *panel.Rows, i, j int) bool {
	x, y := r.At(i), r.At(j)
	return cmp.Or(y.ObservedAt.Compare(x.ObservedAt), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Store, y.Store),
		cmp.Compare(x.Listing, y.Listing), cmp.Compare(x.ScrapedName, y.ScrapedName), cmp.Compare(x.PackageSize, y.PackageSize)) < 0
}

// scope tells rows that count somewhere, whatever the gate says, from those that
// count nowhere: rows of inactive stores, retired listings and inactive products,
// and of any that the panel does not know.
type scope struct {
	*panel.Panel
	cityNames map[string]string // display names by slug
	storeAt   panel.IDTable     // places in the panel's stores of the active ones
	listing   []int32           // by the row's label: place in the panel's listings; -1: counts nowhere
	product   []int32           // by place in the panel's listings: place in its products
}

func newScope(r *panel.Rows, p *panel.Panel) *scope {
	s := &scope{Panel: p, cityNames: map[string]string{}, product: make([]int32, len(p.Listings()))}
	for _, c := range p.Cities() {
		s.cityNames[c.Slug] = c.Name
	}
	for i, x := range p.Stores() {
		if x.Active {
			s.storeAt.Set(x.ID, int32(i))
		}
	}
	var active panel.IDTable
	for i, l := range p.Listings() {
		at, _ := slices.BinarySearchFunc(p.Products(), l.ProductID, func(x basket.Product, id int) int { return x.ID - id })
		if s.product[i] = int32(at); l.Active && p.Products()[at].Active {
			active.Set(l.ID, int32(i))
		}
	}
	for _, label := range r.Labels() {
		at, ok := active.Get(label.Listing)
		if !ok {
			at = -1
		}
		s.listing = append(s.listing, at)
	}
	return s
}

// place returns the places of a row's store and listing in the panel's lists. It
// returns false if the row counts nowhere.
func (s *scope) place(r *panel.Rows, i int) (store, listing int32, ok bool) {
	store, ok = s.storeAt.Get(r.Store(i))
	listing = s.listing[r.Label(i)]
	return store, listing, ok && listing >= 0
}
