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
	ByVerdict = "verdict" // an operator accepted it, or an earlier import by its code
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
	repeated = "repeated"          // the same price of the listing, shop and time stands there already
	conflict = "conflicting price" // and another one
)

// matcher maps goods to items.
type matcher struct {
	Known
	ids      map[[2]string][]int64 // of items, by the way to them and the code that leads there
	fitter   *basket.Fitter
	gate     *panel.Gate // of a listing of each item, with the item's id
	verdicts map[int64]panel.MatchVerdict
}

func newMatcher(k Known) *matcher {
	m := &matcher{Known: k, ids: map[[2]string][]int64{}, verdicts: map[int64]panel.MatchVerdict{}}
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
	m.gate = panel.NewGate(k.Panel.Calendar(), k.Panel.Products(), nil, listings, k.Specs, nil)
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
// l is its listing so far, or a new one.
func (m *matcher) judge(o *Offer, gtin basket.GTIN, l *panel.Listing) (item int64, way, why string) {
	switch {
	case l.ID == 0:
	case m.verdicts[l.ID] == panel.Rejected, !l.Active && m.Priced[l.ID]:
		return 0, "", rejected
	case m.verdicts[l.ID] == panel.Accepted:
		return l.ProductID, ByVerdict, ""
	case l.Active:
		return l.ProductID, ByListing, ""
	}
	for _, by := range [][2]string{{ByCode, folded(o.Category)}, {ByGTIN, string(gtin)}} {
		if ids := m.ids[by]; ids != nil {
			return m.pick(ids, by[0], o)
		}
	}
	exact, variants := m.fitter.Near(o.Title)
	if exact != nil {
		return m.pick(exact, ByTitle, o)
	}
	if item, _, _ = m.pick(variants, "", o); item != 0 {
		return item, "", waits
	}
	return 0, "", noItem
}

// pick returns the one item whose spec and size fit the good.
func (m *matcher) pick(ids []int64, way string, o *Offer) (item int64, how, why string) {
	var fit, unread []int64
	why = noItem
	for _, id := range ids {
		x := m.pack(id, o.Title, o.Size)
		label := panel.Label{Listing: id, ScrapedName: o.Title, PackageSize: x.size}
		switch misfit := m.gate.ForLabel(label).Judge(0, 0, time.Time{}).Misfit; {
		case strings.HasPrefix(misfit, "too_"):
			why = badSize
		case misfit == "" && x.divides:
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

// packed is a title with the size of its pack.
type packed struct {
	title, size string
	divides     bool // a price for it can be divided by the size
}

// pack returns a title with the size by which an item's price is divided: that of its column, or else of the title.
func (m *matcher) pack(item int64, title, size string) packed {
	at, _ := m.Panel.ProductAt(item)
	divides := func(text string) bool {
		o := panel.Observation{Shelf: 10_000, PackageSize: text}
		return o.TakeShelf(&m.Panel.Products()[at]) == nil
	}
	titled, err := basket.ParseSize(title)
	switch {
	case (size != "" || err != nil) && divides(size):
		return packed{title, size, true}
	case err == nil && divides(titled.String()):
		return packed{title, titled.String(), true}
	}
	return packed{title, size, false}
}
