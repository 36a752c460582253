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
	Known
	ids      map[[2]string][]int64 // of items, by the way to them and the code that leads there
	fitter   *basket.Fitter
	gate     *panel.Gate // of a listing of each item, with the item's id
	sizes    map[sizeKey]sizeRead
	verdicts map[int64]panel.MatchVerdict
}

type sizeKey struct {
	product     int64
	title, size string
}

type sizeRead struct {
	title, text string // text: the size of the pack
	ok          bool   // a price for it can be divided
}

func newMatcher(k Known) *matcher {
	m := &matcher{
		Known: k, ids: map[[2]string][]int64{}, sizes: map[sizeKey]sizeRead{}, verdicts: map[int64]panel.MatchVerdict{},
	}
	own, bundled := k.Panel.Words()
	m.fitter = basket.NewFitter(k.Panel.Products(), own, bundled)
	var listings []panel.Listing
	for _, p := range k.Panel.Products() {
		listings = append(listings, panel.Listing{ID: p.ID, ProductID: p.ID})
		for _, code := range p.OfficialCodes {
			m.add(&p, ByCode, folded(code))
		}
		for _, g := range p.GTINs {
			if !g.Restricted() {
				m.add(&p, ByGTIN, string(g))
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

func (m *matcher) add(p *basket.Product, way, code string) {
	at := [2]string{way, code}
	if p.Active && code != "" {
		m.ids[at] = append(m.ids[at], p.ID)
	}
}

// judge returns the item of a good and the way to it, or why it has none. If it waits, the item is the nearest.
// was is its listing so far, or nil.
func (m *matcher) judge(g *good, was *panel.Listing) (item int64, way, why string) {
	switch {
	case was == nil:
	case m.verdicts[was.ID] == panel.Rejected, !was.Active && m.Priced[was.ID]:
		return 0, "", rejected
	case m.verdicts[was.ID] == panel.Accepted:
		return was.ProductID, ByVerdict, ""
	case was.Active:
		return was.ProductID, ByListing, ""
	}
	for _, by := range [][2]string{{ByCode, folded(g.category)}, {ByGTIN, string(g.gtin)}} {
		if ids := m.ids[by]; ids != nil {
			return m.pick(ids, by[0], g)
		}
	}
	exact, variants := m.fitter.Near(g.title)
	if exact != nil {
		return m.pick(exact, ByTitle, g)
	}
	if item, _, _ = m.pick(variants, "", g); item != 0 {
		return item, "", waits
	}
	return 0, "", noItem
}

// pick returns the one item whose spec and size fit the good.
func (m *matcher) pick(ids []int64, way string, g *good) (item int64, how, why string) {
	var fit, unread []int64
	why = noItem
	for _, id := range ids {
		read := m.size(id, g.title, g.size)
		label := panel.Label{Listing: id, ScrapedName: g.title, PackageSize: read.text}
		switch misfit := m.gate.ForLabel(label).Judge(0, 0, time.Time{}).Misfit; {
		case strings.HasPrefix(misfit, "too_"):
			why = badSize
		case misfit == "" && read.ok:
			fit = append(fit, id)
		case misfit == "":
			unread = append(unread, id)
		}
	}
	switch near := append(fit, unread...); {
	case len(fit) == 1:
		return fit[0], way, ""
	case near != nil:
		return near[0], "", waits
	}
	return 0, "", why
}

// size returns the size of a good by which an item's price is divided: that of its column, or else of its title.
func (m *matcher) size(item int64, title, size string) sizeRead {
	read, known := m.sizes[sizeKey{item, title, size}]
	if known {
		return read
	}
	at, _ := m.Panel.ProductAt(item)
	divides := func(text string) bool {
		o := panel.Observation{Shelf: 10_000, PackageSize: text}
		return o.TakeShelf(&m.Panel.Products()[at]) == nil
	}
	title, size = strings.Clone(title), strings.Clone(size)
	titled, err := basket.ParseSize(title)
	switch {
	case (size != "" || err != nil) && divides(size):
		read = sizeRead{title, size, true}
	case err == nil && divides(titled.String()):
		read = sizeRead{title, titled.String(), true}
	default:
		read = sizeRead{title, size, false}
	}
	m.sizes[sizeKey{item, title, size}] = read
	return read
}
