package offers

import (
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Known holds a snapshot's records. Offers are mapped to its items. Shops and listings that it has are found again.
type Known struct {
	Panel  *panel.Panel // without observations
	Specs  []basket.Spec
	Priced map[int64]bool // the listings that have observations
}

// How a listing came to its item, the first that says it.
const (
	ByVerdict = "verdict" // an operator accepted it
	ByListing = "listing" // it was mapped before
	ByCode    = "code"    // by the office's category
	ByGTIN    = "gtin"    // by the item's GTINs
	ByTitle   = "title"   // its title fits one item alone, exactly
)

// Why rows are not used.
const (
	noItem   = "no item"           // no item of the basket is this good
	waits    = "waits"             // an operator has to say whether it is
	rejected = "rejected"          // an operator said that it is not, or retired the listing
	badSize  = "size"              // another size than the item's, or one that can't be read
	noChain  = "no chain"          // and the basket has several chains, or none
	repeated = "repeated"          // the same price of the listing, shop and time stands there already
	conflict = "conflicting price" // and another one
)

// matcher maps goods to items.
type matcher struct {
	products map[int64]*basket.Product
	codes    map[string][]int64 // items by code of an office, folded
	gtins    map[basket.GTIN][]int64
	fitter   *basket.Fitter
	gate     *panel.Gate // of a listing of each item, with the item's id
	sizes    map[sizeKey]sizeRead
	verdicts map[int64]panel.MatchVerdict
	priced   map[int64]bool
}

type sizeKey struct {
	product     int64
	title, size string
}

type sizeRead struct {
	title, text string // text: the size of the pack
	ok          bool   // a price for it can be divided
}

func newMatcher(k *Known) *matcher {
	m := &matcher{
		products: map[int64]*basket.Product{}, codes: map[string][]int64{}, gtins: map[basket.GTIN][]int64{},
		sizes: map[sizeKey]sizeRead{}, verdicts: map[int64]panel.MatchVerdict{}, priced: k.Priced,
	}
	own, bundled := k.Panel.Words()
	m.fitter = basket.NewFitter(k.Panel.Products(), own, bundled)
	var listings []panel.Listing
	for i := range k.Panel.Products() {
		p := &k.Panel.Products()[i]
		m.products[p.ID] = p
		listings = append(listings, panel.Listing{ID: p.ID, ProductID: p.ID})
		if !p.Active {
			continue
		}
		for _, code := range p.OfficialCodes {
			m.codes[folded(code)] = append(m.codes[folded(code)], p.ID)
		}
		for _, g := range p.GTINs {
			if !g.Restricted() {
				m.gtins[g] = append(m.gtins[g], p.ID)
			}
		}
	}
	about := k.Panel.About()
	m.gate = panel.NewGate(about.Calendar(), k.Panel.Products(), nil, listings, k.Specs, nil)
	for _, v := range k.Panel.Matches() {
		m.verdicts[v.Listing] = v.Verdict
	}
	return m
}

// judge returns the item of a good and the way to it, or why it has none. If it waits, the item is the nearest.
// was is its listing so far, or nil.
func (m *matcher) judge(g *good, was *panel.Listing) (item int64, way, why string) {
	switch {
	case was == nil:
	case m.verdicts[was.ID] == panel.Rejected, !was.Active && m.priced[was.ID]:
		return 0, "", rejected
	case m.verdicts[was.ID] == panel.Accepted:
		return was.ProductID, ByVerdict, ""
	case was.Active:
		return was.ProductID, ByListing, ""
	}
	if ids := m.codes[folded(g.category)]; len(ids) > 0 && g.category != "" {
		return m.pick(ids, ByCode, g)
	}
	if ids := m.gtins[g.gtin]; len(ids) > 0 {
		return m.pick(ids, ByGTIN, g)
	}
	exact, variants := m.fitter.Near(g.title)
	if len(exact) > 0 {
		return m.pick(exact, ByTitle, g)
	}
	for _, id := range variants {
		if why := m.misfit(id, g); why == "" || why == waits {
			return id, "", waits
		}
	}
	return 0, "", noItem
}

// pick returns the one item whose spec and size fit the good.
func (m *matcher) pick(ids []int64, way string, g *good) (item int64, how, why string) {
	var fit, unread []int64
	why = noItem
	for _, id := range ids {
		switch w := m.misfit(id, g); w {
		case "":
			fit = append(fit, id)
		case waits:
			unread = append(unread, id)
		case badSize:
			why = badSize
		}
	}
	switch near := append(fit, unread...); {
	case len(fit) == 1:
		return fit[0], way, ""
	case len(near) > 0:
		return near[0], "", waits
	}
	return 0, "", why
}

// misfit says why a good is not an item whose title it has, or "".
func (m *matcher) misfit(item int64, g *good) string {
	label := panel.Label{Listing: item, ScrapedName: g.title, PackageSize: g.size}
	read := m.size(item, g.title, g.size)
	if read.ok {
		label.PackageSize = read.text
	}
	switch misfit := m.gate.ForLabel(label).Judge(0, 0, time.Time{}).Misfit; {
	case strings.HasPrefix(misfit, "too_"):
		return badSize
	case misfit != "":
		return noItem
	case !read.ok:
		return waits
	}
	return ""
}

// size returns the size of a good by which an item's price is divided: that of its column, or else of its title.
func (m *matcher) size(item int64, title, size string) sizeRead {
	read, known := m.sizes[sizeKey{item, title, size}]
	if known {
		return read
	}
	divides := func(text string) bool {
		o := panel.Observation{Shelf: 10_000, PackageSize: text}
		return o.TakeShelf(m.products[item]) == nil
	}
	title, size = strings.Clone(title), strings.Clone(size)
	read = sizeRead{title, size, true}
	titled, err := basket.ParseSize(title)
	if size == "" && err == nil || !divides(size) {
		read.text = titled.String()
		read.ok = err == nil && divides(read.text)
	}
	m.sizes[sizeKey{item, title, size}] = read
	return read
}
