package offers

import (
	"cmp"
	"context"
	"errors"
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
	Unused   map[string]int64 `json:"unused"`   // offers that are not used, by reason
	Listings map[string]int64 `json:"listings"` // listings with an item, by the way to it
	Waiting  int64            `json:"waiting"`  // listings that an operator has to judge
	origins  []origin         // of the rows of observations.csv
	files    []string
}

type origin struct{ file, line int32 }

// Origin returns where a line of observations.csv comes from.
func (p *Placed) Origin(line int) (file string, at int) {
	o := p.origins[line-2]
	return p.files[o.file], int(o.line)
}

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

type row struct {
	at             int64 // nanoseconds
	price, regular panel.Price
	store, label   int32 // places
	origin
	onSale, multiBuy bool
	inStock          panel.Tri
}

// placer is one run of WriteDir.
type placer struct {
	known  Known
	shops  *shops
	match  *matcher
	goods  map[goodKey]*good
	gtins  map[string]basket.GTIN // by text; "" is no GTIN
	was    map[goodKey]*panel.Listing
	list   []*listed
	labels map[sizeKey]int32
	names  []sizeKey // of labels
	files  map[string]int32
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
		known: known, shops: newShops(known.Panel), match: newMatcher(&known), goods: map[goodKey]*good{},
		gtins: map[string]basket.GTIN{}, was: map[goodKey]*panel.Listing{}, labels: map[sizeKey]int32{},
		files: map[string]int32{}, result: Placed{Unused: map[string]int64{}, Listings: map[string]int64{}},
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
	s := p.shops.of(o)
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
			g.wording = said.clone()
		}
	}
	g.offers++
	return nil
}

func (t *wording) compare(u *wording) int {
	return cmp.Or(strings.Compare(t.title, u.title), strings.Compare(t.size, u.size), strings.Compare(t.brand, u.brand),
		strings.Compare(t.sku, u.sku), strings.Compare(t.category, u.category))
}

func (t *wording) clone() wording {
	c := strings.Clone
	return wording{c(t.title), c(t.size), c(t.brand), c(t.sku), c(t.category)}
}

// decide maps the goods to items. It numbers new listings by banner and what tells them apart.
func (p *placer) decide() {
	order, last := make([]*good, 0, len(p.goods)), int64(0)
	for _, g := range p.goods {
		order = append(order, g)
	}
	slices.SortFunc(order, func(a, b *good) int {
		return cmp.Or(strings.Compare(a.key.banner, b.key.banner), cmp.Compare(a.key.by, b.key.by),
			strings.Compare(a.key.code, b.key.code))
	})
	for _, l := range p.known.Panel.Listings() {
		last = max(last, l.ID)
	}
	found := map[int64]*listed{}
	for _, g := range order {
		was := p.was[g.key]
		if was == nil && g.key.by == 'g' { // it may have had no GTIN
			was = p.was[keyOf(g.key.banner, "", g.sku, name(g.title, g.size, g.sku))]
			if was != nil && was.GTIN != "" { // another good
				was = nil
			}
		}
		item, way, why := p.match.judge(g, was)
		if why != "" {
			p.result.Unused[why] += g.offers
		}
		if item == 0 {
			continue
		}
		l := &listed{}
		switch {
		case was != nil && found[was.ID] != nil:
			l = found[was.ID]
		case was != nil:
			l.Listing = *was
		default:
			last++
			l.Listing = panel.Listing{ID: last, Banner: g.key.banner, SKU: g.sku, Brand: g.brand, GTIN: g.gtin}
			l.Name = name(g.title, g.size, g.sku)
		}
		if found[l.ID] == nil {
			found[l.ID] = l
			p.list = append(p.list, l)
		}
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
}

// take takes an offer of the second reading.
func (p *placer) take(o *Offer) error {
	s := p.shops.of(o)
	if s == nil {
		return nil
	}
	l := p.good(s.Banner, o).listed
	if l == nil {
		return nil
	}
	read := p.match.size(l.ProductID, o.Title, o.Size)
	if !read.ok {
		p.result.Unused[badSize]++
		return nil
	}
	label, known := p.labels[sizeKey{0, o.Title, read.text}]
	if !known {
		label = int32(len(p.names))
		p.names = append(p.names, sizeKey{0, strings.Clone(o.Title), read.text})
		p.labels[p.names[label]] = label
	}
	file, known := p.files[o.File]
	if !known {
		file = int32(len(p.result.files))
		p.result.files = append(p.result.files, strings.Clone(o.File))
		p.files[p.result.files[file]] = file
	}
	l.rows = append(l.rows, row{
		at: o.At.UnixNano(), price: o.Price, regular: o.Regular, store: int32(s.place), label: label,
		origin: origin{file, int32(o.Line)}, onSale: o.OnSale, multiBuy: o.MultiBuy, inStock: o.InStock,
	})
	s.used = true
	return nil
}
