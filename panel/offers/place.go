package offers

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Placed is the result of WriteDir.
type Placed struct {
	Read     Report           `json:"read"`
	Used     int64            `json:"used"`
	MultiBuy int64            `json:"multi_buy"` // prices of those used that hold only for several packs
	Unused   map[string]int64 `json:"unused"`    // rows without an offer, and offers that are not used, by reason
	Listings map[string]int64 `json:"listings"`  // listings with an item, by the way to it
	Waiting  int64            `json:"waiting"`   // listings that an operator has to judge
	origins  []origin         // of the rows of observations.csv
	files    numbered[string]
}

// Origin returns where a line of observations.csv comes from.
func (p *Placed) Origin(line int) (file string, at int) {
	o := p.origins[line-2]
	return p.files.list[o.file], int(o.line)
}

type origin struct{ file, line int32 }

// numbered has values that many rows share, by number.
type numbered[K comparable] struct {
	list []K
	at   map[K]int32
}

func (n *numbered[K]) of(k K) int32 {
	i, known := n.at[k]
	if !known {
		i = int32(len(n.list))
		n.list, n.at[k] = append(n.list, k), i
	}
	return i
}

// keyOf tells the goods of a banner apart: by GTIN, else SKU, else title and size.
func keyOf(banner string, gtin basket.GTIN, sku, name string) string {
	switch {
	case gtin != "":
		return banner + "\ng" + string(gtin)
	case sku != "":
		return banner + "\ns" + sku
	}
	return banner + "\nt" + name
}

// good is a listing, or what may become one, with the rows that are used of it.
type good struct {
	panel.Listing        // ID 0: to be made
	key           string // under which it is found first
	judged               // by the wording that decides
	rows          []row
	passed        int64     // offers that are not used, by why
	since         time.Time // the time of the earliest offer
	last          wording   // of the row before
	titled        packed    // as that had it
}

// wording holds the texts of an offer by which its good is judged and named.
type wording struct{ title, size, brand, sku, category string }

// judged is a wording with what follows from it.
type judged struct {
	wording
	item int64  // of the basket
	way  string // to the item
	why  string // rows are not used
}

// surest has the ways and then the reasons, the surest first.
var surest = []string{ByVerdict, ByListing, ByCode, ByGTIN, ByTitle, waits, rejected, badSize, noItem}

func (x *judged) rank() int { return slices.Index(surest, cmp.Or(x.way, x.why)) }

// placed returns the item that rows are used for, or 0.
func (x *judged) placed() int64 {
	if x.why != "" {
		return 0
	}
	return x.item
}

// merge takes in another wording. The surest decides, of equal ones the first in the order of texts; if they lead to
// different items, the good waits.
func (x *judged) merge(y judged) {
	if x.rank() == y.rank() {
		if y.way != "" && x.item != y.item {
			x.why = waits
		}
		y.why = x.why
	}
	if cmp.Or(cmp.Compare(y.rank(), x.rank()), strings.Compare(y.title, x.title), strings.Compare(y.size, x.size),
		strings.Compare(y.brand, x.brand), strings.Compare(y.sku, x.sku), strings.Compare(y.category, x.category)) < 0 {
		*x = y
	}
}

// row is an offer that is used. There are millions.
type row struct {
	at         int64 // nanoseconds
	shop, said int32
	origin
}

// placer is one run of WriteDir.
type placer struct {
	*matcher
	*shops
	goods  map[string]*good            // a known one by what each of its codes says
	list   []*good                     // those that are judged
	again  bool                        // rows have to be taken again: their good's item was judged later
	said   numbered[panel.Observation] // but for listing, store and time
	result Placed
}

// WriteDir makes a panel directory of files: the shops and listings that are not known, and observations with the
// price at the till. Memory grows with the goods and with the rows that are used.
//
// A listing is judged by the wording that leads to an item most surely, and waits if another leads to another item as
// surely. Files are read again only if a later wording decides so that rows before it count, or don't. A listing that
// waits for an operator is written as inactive and gets no rows. Of several prices of a listing at a shop and time the
// lowest counts: a shopper can have it. Nothing of this depends on the order of rows.
func WriteDir(ctx context.Context, dir string, files []string, o Options, known Known) (*Placed, error) {
	if len(known.Panel.Products()) == 0 {
		return nil, errors.New("offers: there are no products to map to: give a folder with products.csv " +
			"before the files")
	}
	p := &placer{
		matcher: newMatcher(known), shops: newShops(known.Panel), goods: map[string]*good{},
		said: numbered[panel.Observation]{at: map[panel.Observation]int32{}},
		result: Placed{
			Unused: map[string]int64{}, Listings: map[string]int64{}, files: numbered[string]{at: map[string]int32{}},
		},
	}
	for _, l := range known.Panel.Listings() {
		g := &good{Listing: l, key: keyOf(l.Banner, l.GTIN, l.SKU, l.Name)}
		for _, k := range []string{g.key, keyOf(l.Banner, "", l.SKU, l.Name)} { // a later file may not have its GTIN
			if p.goods[k] == nil {
				p.goods[k] = g
			}
		}
	}
	read, err := Read(ctx, files, o, p.take)
	if err == nil && p.again {
		for _, g := range p.list {
			g.rows, g.passed, g.last = nil, 0, wording{}
		}
		clear(p.result.Unused)
		o.Reject = nil // rows that are refused are known
		read, err = Read(ctx, files, o, p.take)
	}
	if err != nil {
		return nil, err
	}
	p.result.Read = read
	maps.Copy(p.result.Unused, read.Skipped)
	err = csvdir.WriteDir(dir, p.write)
	result := p.result // without the goods
	return &result, err
}

// nameOf returns the name of a good as a listing. Without a SKU it has the size, to be found by.
func nameOf(w *wording) string {
	if w.sku == "" && w.size != "" {
		return panel.Repair(w.title + ", " + w.size)
	}
	return panel.Repair(w.title)
}

// good returns the good of an offer at a banner.
func (p *placer) good(banner string, o *Offer) *good {
	var gtin basket.GTIN
	if o.GTIN != "" {
		gtin, _ = basket.ParseGTIN(o.GTIN) // by a bad one nothing is found
	}
	w, name := wording{o.Title, o.Size, o.Brand, o.SKU, o.Category}, ""
	if gtin == "" && o.SKU == "" {
		name = nameOf(&w)
	}
	k := keyOf(banner, gtin, o.SKU, name)
	g := p.goods[k]
	if g == nil {
		name = nameOf(&w)
		if g = p.goods[keyOf(banner, "", o.SKU, name)]; g == nil || g.ID == 0 || g.GTIN != "" { // known without one
			g = &good{key: k, Listing: panel.Listing{Banner: banner, GTIN: gtin}}
		}
		p.goods[k] = g
	}
	if g.since.IsZero() || o.At.Before(g.since) {
		g.since = o.At
	}
	if w != g.last {
		for _, text := range []*string{&w.title, &w.size, &w.brand, &w.sku, &w.category} {
			*text = strings.Clone(*text) // not the whole row
		}
		was, x := g.placed(), judged{wording: w}
		x.item, x.way, x.why = p.judge(o, gtin, &g.Listing)
		if g.rank() < 0 {
			g.judged = x
			p.list = append(p.list, g)
		} else {
			g.merge(x)
			p.again = p.again || g.placed() != was
		}
		g.last, g.titled = w, p.pack(g.item, w.title, w.size)
	}
	return g
}

// take takes an offer.
func (p *placer) take(o *Offer) error {
	shop := p.shop(o)
	g := p.good(p.stores[shop].Banner, o)
	if g.placed() == 0 {
		g.passed++
		return nil
	}
	if !g.titled.divides {
		p.result.Unused[badSize]++
		return nil
	}
	said := panel.Observation{
		Shelf: o.Price, Regular: o.Regular, OnSale: o.OnSale, InStock: o.InStock, ScrapedName: g.titled.title,
		PackageSize: g.titled.size,
	}
	switch {
	case o.OnSale:
		said.Sale = o.Price
	case o.Regular == 0:
		said.Regular = o.Price
	}
	if o.MultiBuy {
		said.SaleCondition = panel.MultiBuy
	}
	from := origin{p.result.files.of(o.File), int32(o.Line)}
	g.rows = append(g.rows, row{o.At.UnixNano(), shop, p.said.of(said), from})
	return nil
}

// write writes the tables, of goods in the order of what tells them apart. It numbers new listings of items.
func (p *placer) write(w *csvdir.Writer) error {
	var listings []panel.Listing
	var verdicts []panel.Match
	last := int64(0)
	for _, l := range p.Panel.Listings() {
		last = max(last, l.ID)
	}
	slices.SortFunc(p.list, func(a, b *good) int { return strings.Compare(a.key, b.key) })
	for _, g := range p.list {
		if g.why != "" {
			g.way = ""
			p.result.Unused[g.why] += g.passed
		}
		if g.ID == 0 {
			g.SKU, g.Name, g.Brand = g.sku, nameOf(&g.wording), g.brand
		}
		if g.ID == 0 || g.way != "" {
			g.ProductID, g.Active = g.item, g.way != ""
		}
		for _, r := range g.rows {
			p.stores[r.shop].used = true
		}
		if g.ID == 0 && g.ProductID != 0 {
			last++
			g.ID = last
		}
		if g.ID != 0 {
			listings = append(listings, g.Listing)
		}
		if g.way == ByCode {
			if fit, _ := p.fitter.Judge(g.item, g.title); fit != basket.Exact {
				verdicts = append(verdicts, panel.Match{Listing: g.ID, Verdict: panel.Accepted, At: g.since,
					Reason: "official code " + strings.Join(strings.Fields(g.category), " ")})
			}
		}
		if g.way != "" {
			p.result.Listings[g.way]++
		} else if g.why == waits {
			p.result.Waiting++
		}
	}
	err := cmp.Or(
		csvdir.WriteSorted(w, csvdir.Matches, verdicts),
		csvdir.WriteSorted(w, csvdir.Products, []basket.Product{}), csvdir.WriteSorted(w, csvdir.Listings, listings),
		p.shops.write(w, listings),
	)
	if err != nil {
		return err
	}
	return csvdir.WriteWhole(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
		for _, g := range p.list {
			for _, r := range p.distinct(g.rows) {
				o := p.said.list[r.said]
				o.Listing, o.Store, o.ObservedAt = g.ID, p.stores[r.shop].ID, time.Unix(0, r.at).UTC()
				if !yield(&o, nil) {
					return
				}
				p.result.Used++
				if o.SaleCondition == panel.MultiBuy {
					p.result.MultiBuy++
				}
				p.result.origins = append(p.result.origins, r.origin)
			}
			g.rows = nil
		}
	})
}

// distinct returns one row of a listing for each store and time, by store and time: that of the lowest price, of one
// price that without a promotion. It counts the others.
func (p *placer) distinct(rows []row) []row {
	slices.SortFunc(rows, func(a, b row) int {
		s, t := &p.said.list[a.said], &p.said.list[b.said]
		return cmp.Or(cmp.Compare(p.stores[a.shop].ID, p.stores[b.shop].ID), cmp.Compare(a.at, b.at),
			cmp.Compare(s.Shelf, t.Shelf), cmp.Compare(s.Sale, t.Sale), cmp.Compare(s.SaleCondition, t.SaleCondition),
			cmp.Compare(s.Regular, t.Regular), cmp.Compare(s.InStock, t.InStock),
			strings.Compare(s.ScrapedName, t.ScrapedName), strings.Compare(s.PackageSize, t.PackageSize))
	})
	kept := rows[:0]
	for _, r := range rows {
		switch n := len(kept); {
		case n == 0 || kept[n-1].shop != r.shop || kept[n-1].at != r.at:
			kept = append(kept, r)
		case p.said.list[kept[n-1].said].Shelf == p.said.list[r.said].Shelf:
			p.result.Unused[repeated]++
		default:
			p.result.Unused[conflict]++
		}
	}
	return kept
}
