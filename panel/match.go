package panel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/enum"
)

// MatchVerdict is an operator's answer to the question whether a listing is its item.
type MatchVerdict uint8

// The answers.
const (
	Accepted MatchVerdict = iota + 1
	Rejected
)

var matchVerdicts = enum.New("verdict", Accepted, "accepted", "rejected")

// String returns accepted or rejected.
func (v MatchVerdict) String() string { return matchVerdicts.String(v) }

// ParseMatchVerdict reads a verdict as String writes it.
func ParseMatchVerdict(s string) (MatchVerdict, error) { return matchVerdicts.Parse(s) }

// Match is an operator's verdict on a listing. None is ever changed: of several, the newest rules.
type Match struct {
	Listing int64
	Verdict MatchVerdict
	Reason  string
	At      time.Time
}

// Check returns an error for a verdict that none can have, beginning with the name of the column. It does
// not look up the listing.
func (m *Match) Check() error {
	if !matchVerdicts.Has(m.Verdict) {
		return errors.New("verdict is neither accepted nor rejected")
	}
	if err := checkLine(m.Reason); err != nil {
		return fmt.Errorf("reason %w", err)
	}
	return nil
}

// CompareMatches orders verdicts by listing, then time.
func CompareMatches(a, b *Match) int {
	return cmp.Or(cmp.Compare(a.Listing, b.Listing), a.At.Compare(b.At))
}

// CompareWords orders words by the item that they are for, those for every item first, then by text.
func CompareWords(a, b *basket.Word) int {
	return cmp.Or(cmp.Compare(a.Product, b.Product), strings.Compare(a.Text, b.Text))
}

// Fits judges how well titles fit the items of their listings: by the bundled words, unless the settings
// leave those out, by the panel's own, and by operators' verdicts. It is safe for concurrent use.
type Fits struct {
	*basket.Fitter
	panel    *Panel
	verdicts map[int64]MatchVerdict // the newest, by listing
	judged   sync.Map               // titled to what it returns
}

type titled struct {
	product int64
	title   string
}

// Fits returns the judge of the panel's titles.
func (p *Panel) Fits() *Fits {
	own, bundled := p.Words()
	f := &Fits{Fitter: basket.NewFitter(p.products, own, bundled), panel: p, verdicts: map[int64]MatchVerdict{}}
	for _, m := range p.matches {
		f.verdicts[m.Listing] = m.Verdict
	}
	return f
}

// Of returns the fit of a listing's title and the words that decided. An operator's verdict wins over
// words: an accepted listing is Exact, a rejected one Doubtful. An unknown listing is Exact.
func (f *Fits) Of(listing int64, title string) (basket.Fit, []string) {
	switch f.verdicts[listing] {
	case Accepted:
		return basket.Exact, nil
	case Rejected:
		return basket.Doubtful, []string{Rejected.String()}
	}
	if at, ok := f.panel.ListingAt(listing); ok {
		return f.byWords(&f.panel.listings[at], title)
	}
	return basket.Exact, nil
}

// byWords judges each title of an item once. A listing with a GTIN of its item is exact whatever its title.
func (f *Fits) byWords(l *Listing, title string) (basket.Fit, []string) {
	product := l.ProductID
	at, _ := f.panel.ProductAt(product)
	if !l.GTIN.Restricted() && slices.Contains(f.panel.products[at].GTINs, l.GTIN) {
		return basket.Exact, nil
	}
	judge, ok := f.judged.Load(titled{product, title})
	if !ok {
		judge = sync.OnceValues(func() (basket.Fit, []string) { return f.Judge(product, Repair(title)) })
		f.judged.Store(titled{product, title}, judge)
	}
	return judge.(func() (basket.Fit, []string))()
}

// open says why a listing waits although its title fits an item.
func (f *Fits) open(title string) (why []string) {
	items, _ := f.Near(title)
	if len(items) < 2 {
		return []string{"its size can't be read"}
	}
	for _, id := range items {
		at, _ := f.panel.ProductAt(id)
		why = append(why, "fits "+f.panel.products[at].Name)
	}
	return why
}

// Matched is a listing with the fit of its newest title by words, whatever the verdict.
type Matched struct {
	Listing int64      `json:"retailer_product_id"`
	Product int64      `json:"product_id"`
	Banner  string     `json:"banner"`
	Title   string     `json:"title"` // repaired; its name if there is none
	Fit     basket.Fit `json:"fit"`
	Words   []string   `json:"words"`
	Rows    int        `json:"rows"`    // that pass the gate, at active stores
	Verdict *string    `json:"verdict"` // nil: there is none

	GTIN basket.GTIN `json:"gtin,omitempty"`
	// Waits says that an import made the listing for a good that may be the item, and took no rows of it.
	Waits bool `json:"waits,omitempty"`
}

// Match judges the newest titles of the panel's listings. It returns the active ones of active products, and those
// that wait to be active, by id.
func (f *Fits) Match(rows *Rows) (listings []Matched) {
	p, labels := f.panel, rows.Labels()
	passing, title := make([]int, len(p.listings)), make([]string, len(p.listings))
	priced := make([]bool, len(p.listings))
	for i := range rows.Len() {
		label := &labels[rows.Label(i)]
		k, ok := p.ListingAt(label.Listing)
		if !ok {
			continue
		}
		priced[k] = true
		if s, known := p.StoreAt(rows.Store(i)); known && p.stores[s].Active {
			title[k] = label.ScrapedName
			if rows.Verdict(i) == Pass {
				passing[k]++
			}
		}
	}
	for k := range p.listings {
		l := &p.listings[k]
		waits := !l.Active && !priced[k]
		if at, ok := p.ProductAt(l.ProductID); !ok || !p.products[at].Active || !l.Active && !waits {
			continue
		}
		if waits {
			title[k] = l.Name
		}
		fit, words := f.byWords(l, title[k])
		m := Matched{
			Listing: l.ID, Product: l.ProductID, Banner: l.Banner, Title: Repair(cmp.Or(title[k], l.Name)),
			Fit: fit, Words: append([]string{}, words...), Rows: passing[k], GTIN: l.GTIN, Waits: waits,
		}
		if waits && fit == basket.Exact {
			m.Words = f.open(m.Title)
		}
		if v := f.verdicts[l.ID]; v != 0 {
			m.Verdict = new(v.String())
		}
		listings = append(listings, m)
	}
	return listings
}
