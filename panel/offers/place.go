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

// goodKey tells the goods of a banner apart: by GTIN, else SKU, else title and size.
type goodKey struct {
	banner string
	by     byte // the first that is known: 'g', 's' or 't'
	code   string
}

// wording are what the newest offer of a good says of it.
type wording struct{ title, size, brand, sku, category string }

type good struct {
	key goodKey
	wording
	gtin   basket.GTIN
	at     time.Time
	offers int64
	listed *listed // nil: its rows are not used
}

// listed is a listing with the rows that are used of it.
type listed struct {
	panel.Listing
	rows []row
}

// row is an offer that is used. There are millions.
type row struct {
	at         int64 // nanoseconds
	shop, said int32
	origin
}

// placer is one run of WriteDir.
type placer struct {
	*shops
	*matcher
	goods  map[goodKey]*good
	gtins  map[string]basket.GTIN // by text; "" is no GTIN
	was    map[goodKey]*panel.Listing
	list   []*listed                   // by id
	said   numbered[panel.Observation] // but for listing, store and time
	result Placed
}

// WriteDir makes a panel directory of files: the shops and listings that are not known, and observations with the
// price at the till. It reads the files twice, first to know all goods and shops, so memory grows with these and with
// the rows that are used, and neither the order of files nor that of rows changes what is written.
//
// A listing is judged by the wording of its newest offer. One that waits for an operator is written as inactive and
// gets no rows. Of several prices of a listing at a shop and time the lowest counts: a shopper can have it.
func WriteDir(ctx context.Context, dir string, files []string, o Options, known Known) (*Placed, error) {
	if len(known.Panel.Products()) == 0 {
		return nil, errors.New("offers: there are no products to map to: give a folder with products.csv " +
			"before the files")
	}
	p := &placer{
		shops: newShops(known.Panel), matcher: newMatcher(known), goods: map[goodKey]*good{},
		gtins: map[string]basket.GTIN{}, was: map[goodKey]*panel.Listing{},
		said: numbered[panel.Observation]{at: map[panel.Observation]int32{}},
		result: Placed{
			Unused: map[string]int64{}, Listings: map[string]int64{}, files: numbered[string]{at: map[string]int32{}},
		},
	}
	for i := range known.Panel.Listings() {
		l := &known.Panel.Listings()[i]
		for _, gtin := range [...]basket.GTIN{l.GTIN, ""} { // a later file may not have it
			if k := keyOf(l.Banner, gtin, l.SKU, l.Name); p.was[k] == nil {
				p.was[k] = l
			}
		}
	}
	var err error
	if p.result.Read, err = Read(ctx, files, o, p.note); err != nil {
		return nil, err
	}
	p.decide()
	o.Reject = nil // it has them
	if _, err = Read(ctx, files, o, p.take); err != nil {
		return nil, err
	}
	return &p.result, csvdir.WriteDir(dir, p.write)
}

func keyOf(banner string, gtin basket.GTIN, sku, name string) goodKey {
	switch {
	case gtin != "":
		return goodKey{banner, 'g', string(gtin)}
	case sku != "":
		return goodKey{banner, 's', sku}
	}
	return goodKey{banner, 't', name}
}

// name returns the name of a listing: without a SKU it has the size, to be found by.
func name(title, size, sku string) string {
	if sku == "" && size != "" {
		title += ", " + size
	}
	return panel.Repair(title)
}

// good returns the good of an offer at a banner; a new one is empty.
func (p *placer) good(banner string, o *Offer) *good {
	gtin, known := p.gtins[o.GTIN]
	if !known {
		gtin, _ = basket.ParseGTIN(o.GTIN) // by a bad one nothing is found
		p.gtins[strings.Clone(o.GTIN)] = gtin
	}
	k := keyOf(banner, gtin, o.SKU, "")
	if k.by == 't' {
		k.code = name(o.Title, o.Size, "")
	}
	g := p.goods[k]
	if g == nil {
		k.code = strings.Clone(k.code)
		g = &good{key: k, gtin: gtin}
		p.goods[k] = g
	}
	return g
}

// note takes an offer of the first reading.
func (p *placer) note(o *Offer) error {
	s := p.of(o)
	if s == nil {
		p.result.Unused[noChain]++
		return nil
	}
	g := p.good(s.Banner, o)
	said := wording{o.Title, o.Size, o.Brand, o.SKU, o.Category}
	newer := o.At.Compare(g.at)
	if g.offers == 0 || newer > 0 || newer == 0 && said.compare(&g.wording) < 0 {
		g.at = o.At
		if g.wording != said {
			c := strings.Clone
			g.wording = wording{c(o.Title), c(o.Size), c(o.Brand), c(o.SKU), c(o.Category)}
		}
	}
	g.offers++
	return nil
}

func (t *wording) compare(u *wording) int {
	return cmp.Or(strings.Compare(t.title, u.title), strings.Compare(t.size, u.size), strings.Compare(t.brand, u.brand),
		strings.Compare(t.sku, u.sku), strings.Compare(t.category, u.category))
}

// decide maps the goods to items. It numbers new listings by banner and what tells them apart.
func (p *placer) decide() {
	last, found := int64(0), map[int64]*listed{}
	for _, l := range p.known.Listings() {
		last = max(last, l.ID)
	}
	for _, g := range slices.SortedFunc(maps.Values(p.goods), func(a, b *good) int {
		return cmp.Or(strings.Compare(a.key.banner, b.key.banner), cmp.Compare(a.key.by, b.key.by),
			strings.Compare(a.key.code, b.key.code))
	}) {
		was, name := p.was[g.key], name(g.title, g.size, g.sku)
		if was == nil && g.key.by == 'g' { // it may have had no GTIN
			was = p.was[keyOf(g.key.banner, "", g.sku, name)]
			if was != nil && was.GTIN != "" { // another good
				was = nil
			}
		}
		item, way, why := p.judge(g, was)
		if why != "" {
			p.result.Unused[why] += g.offers
		}
		if item == 0 {
			continue
		}
		l := &listed{}
		if was == nil {
			last++
			l.Listing = panel.Listing{ID: last, Banner: g.key.banner, SKU: g.sku, Brand: g.brand, GTIN: g.gtin}
			l.Name = name
		} else if l = found[was.ID]; l == nil {
			l = &listed{Listing: *was}
		}
		found[l.ID] = l
		if was == nil || way != "" {
			l.ProductID, l.Active = item, way != ""
		}
		if way == "" {
			p.result.Waiting++
			continue
		}
		p.result.Listings[way]++
		g.listed = l
	}
	p.list = slices.SortedFunc(maps.Values(found), func(a, b *listed) int { return cmp.Compare(a.ID, b.ID) })
}

// take takes an offer of the second reading.
func (p *placer) take(o *Offer) error {
	s := p.of(o)
	if s == nil {
		return nil
	}
	l := p.good(s.Banner, o).listed
	if l == nil {
		return nil
	}
	read := p.size(l.ProductID, o.Title, o.Size)
	if !read.ok {
		p.result.Unused[badSize]++
		return nil
	}
	said := panel.Observation{
		Shelf: o.Price, Regular: o.Regular, OnSale: o.OnSale, InStock: o.InStock, ScrapedName: read.title,
		PackageSize: read.text,
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
	l.rows = append(l.rows, row{o.At.UnixNano(), s.place, p.said.of(said), from})
	s.used = true
	return nil
}
