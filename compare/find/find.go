// Package find looks up the lines of a shopping list, such as "2 x milk" or "1,5 kg poulet", in the names and
// aliases of a catalog, in English or French, or a bar code of its listings. It takes an item only if no other one is
// meant, and never guesses a quantity.
package find

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/panel"
)

// Found is the answer to one line.
type Found struct {
	Text    string  `json:"text"` // without space at the ends
	Status  Status  `json:"status"`
	Matches []Match `json:"matches"` // best first
}

// Status says how certain a find is.
type Status string

// The statuses of a find.
const (
	One         Status = "one"          // the first match may be taken
	Choice      Status = "choice"       // the shopper chooses
	NotCompared Status = "not_compared" // the catalog lacks it
)

// Match is an item that a line may mean.
type Match struct {
	ID    int64             `json:"id"`
	Name  string            `json:"name"`
	By    string            `json:"by"`    // the name or alias that is nearest
	Qty   *compare.Quantity `json:"qty"`   // nil: the line gives none, or one that the item can't be asked for in
	Fault string            `json:"fault"` // why Qty is not the line's own: Rounded or HowMany; empty: it is
}

// The faults of an amount.
const (
	Rounded = "rounded"  // to the nearest quantity that the item takes
	HowMany = "how_many" // the shopper says in which quantity
)

const (
	maxLines   = 100
	maxLine    = 120 // bytes that are read of a line
	maxMatches = 12
)

// Finder looks up lines in the words of a catalog.
type Finder struct {
	items []item
	codes map[basket.GTIN][]hit // the items whose listings have it
}

type item struct {
	*basket.Product
	rule  compare.QuantityRule
	names []name
	words []string // stems of all names
}

type name struct {
	text  string
	words []string // stems, sorted, each once
}

// New indexes the active products that a comparison may name, and the GTINs of their active listings.
func New(products []basket.Product, listings ...panel.Listing) *Finder {
	f := &Finder{codes: map[basket.GTIN][]hit{}}
	for i := range products {
		p := &products[i]
		if !p.Active || len(f.items) == compare.MaxCatalog {
			continue
		}
		it := item{Product: p, rule: compare.RuleOf(p)}
		for _, text := range append([]string{p.Name, p.NameFr}, p.Aliases...) {
			short, _, _ := strings.Cut(text, ",")
			for _, called := range []string{text, short} {
				if words := stems(called); len(words) > 0 {
					it.names, it.words = append(it.names, name{called, words}), append(it.words, words...)
				}
			}
		}
		f.items = append(f.items, it)
	}
	for i := range listings {
		l := &listings[i]
		at := slices.IndexFunc(f.items, func(it item) bool { return it.ID == l.ProductID })
		known := func(h hit) bool { return h.of == &f.items[at] }
		if at >= 0 && l.GTIN != "" && l.Active && !slices.ContainsFunc(f.codes[l.GTIN], known) {
			f.codes[l.GTIN] = append(f.codes[l.GTIN], hit{&f.items[at], byName, &name{text: string(l.GTIN)}})
		}
	}
	return f
}

var (
	word   = regexp.MustCompile(`[\p{L}\p{N}]+%?`)
	bullet = regexp.MustCompile(`^\s*(?:[-*•–]\s*|\[[ x]?\]\s*|\d+[.)]\s+)*`)
	times  = regexp.MustCompile(`(?i)^(?:(\d+)\s*[x×]|[x×]\s*(\d+))\s+(.+)$`)
	number = regexp.MustCompile(`^(\d+)\s+(.+)$`)
	spoons = regexp.MustCompile(`(?i)^(?:` + broken + `(?:\s*(?:` + kitchen + `|kg|lbs?))?|` +
		`\d+\s*(?:` + kitchen + `))\.?\s+(.+)$`)
	size  = regexp.MustCompile(`(?i)^(` + sized + `)\b\.?\s+(.+)$`)
	after = regexp.MustCompile(`(?i)^(.+?)[\s,(]+(` + sized + `|[x×]\s*\d+|\d+\s*[x×]?)\)?$`)
	price = regexp.MustCompile(`(?i)^(?:CA?)?\$\s*\d+(?:[.,]\d\d)?\s+|` +
		`[\s:=@(–—-]+(?:\d+\s*(?:/|for|pour)\s*)?(?:(?:CA?)?\$\s*\d+(?:[.,]\d\d)?|` +
		`\d+[.,]\d\d(?:\s*\$)?|\d+\s*\$)\)?(?:\s*(?:/|per\b|each\b|ea\b|le\b|ch\b).*)?$`)
	comma  = regexp.MustCompile(`[,;]\s+`)
	bagged = regexp.MustCompile(`(?i)\b(?:bag|sac)\b`) // of pieces that people count
)

const (
	sized   = `\d+(?:[.,]\d+)?\s*(?:kg|g|lbs?|oz|l|ml|litres?|liters?|dozen|douzaines?)`
	broken  = `(?:(?:\d+\s+)?\d+/\d+|\d*\s*[½⅓⅔¼¾⅛])`
	kitchen = `cups?|tbsps?|tsps?|(?:table|tea)spoons?|cloves?|pinch|slices?|tasses?|gousses?|pincées?|tranches?|` +
		`c(?:uill[eè]res?|\.)?\s*à\s*(?:soupe|thé|table|café)`
)

// aside are words that say nothing of the goods. Containers are among them.
var aside = strings.Fields(`a an of some and un une des de d du la le les l et aux
	bag bags pack packs package packages can cans tin tins box boxes bottle bottles jar jars loaf loaves bunch carton
	sac sacs paquet paquets boite boites bouteille bouteilles pot pots`)

const containers = 17 // where they begin in aside

// stems returns the stems of the words of a text, sorted, each once, without those that are aside.
func stems(text string) []string {
	var all, rest []string
	for _, w := range word.FindAllString(strings.ReplaceAll(fold.Text(text), " %", "%"), -1) {
		all = append(all, fold.Stem(w))
		if !slices.Contains(aside, w) {
			rest = append(rest, fold.Stem(w))
		}
	}
	if rest == nil {
		rest = all
	}
	slices.Sort(rest)
	return slices.Compact(rest)
}

// amount has the quantity that a line gives.
type amount struct {
	packages int         // "2 x", or "2 bags of"
	pieces   int         // "6"
	size     basket.Size // "500 g"
	cooked   bool        // "2 cups", or "½": no quantity of anything that is sold
}

// read parts a line into its amount, which may come after the goods, and the goods.
func read(line string) (amount, string) {
	x, goods := lead(line)
	if m := after.FindStringSubmatch(line); m != nil && x == (amount{}) {
		return lead(m[2] + " " + m[1])
	}
	return x, goods
}

// lead reads an amount that comes first.
func lead(line string) (x amount, goods string) {
	if m := times.FindStringSubmatch(line); m != nil {
		return amount{packages: whole(m[1] + m[2])}, m[3]
	}
	if m := spoons.FindStringSubmatch(line); m != nil {
		return amount{cooked: true}, m[1]
	}
	if m := size.FindStringSubmatch(line); m != nil {
		if s, err := basket.ParseSize(m[1]); err == nil {
			return amount{size: s}, m[2]
		}
	}
	m := number.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[2], "%") {
		return x, line
	}
	first, _, _ := strings.Cut(fold.Text(m[2]), " ")
	if slices.Contains(aside[containers:], first) {
		return amount{packages: whole(m[1])}, m[2]
	}
	return amount{pieces: whole(m[1])}, m[2]
}

// whole reads digits; a number that no quantity can be is 1000.
func whole(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil && n > 0 {
		return min(n, 1000)
	}
	return 1000
}

// quantity returns the amount as an item takes it. It is nil without an amount, and with the fault HowMany.
func (x amount) quantity(it *item) (*compare.Quantity, string) {
	q, fault := compare.Quantity(100*x.packages), ""
	if it.PerKg() {
		q = 0
	}
	switch inUnit, known := x.size.In(it.Unit); {
	case x == amount{}:
		return nil, ""
	case x.pieces > 0 && it.Unit == basket.Count && x.pieces%int(it.StandardSize) == 0:
		q = compare.Quantity(100 * x.pieces / int(it.StandardSize))
	case x.pieces > 0 && it.Unit != basket.Count && !it.PerKg() && !bagged.MatchString(it.Name):
		q = compare.Quantity(100 * x.pieces)
	case known && it.PerKg():
		exact := inUnit / 10 // hundredths of a kilogram
		q = max(it.rule.Min, (compare.Quantity(exact)+it.rule.Step/2)/it.rule.Step*it.rule.Step)
		if float64(q) != exact {
			fault = Rounded
		}
	case known:
		n := float64(int(inUnit/it.StandardSize + .5))
		if off := inUnit - n*it.StandardSize; max(off, -off) <= inUnit/100 {
			q = compare.Quantity(100 * n)
		}
	}
	if !it.rule.Allows(q) {
		return nil, HowMany
	}
	return &q, fault
}

// How a word, or a line, is found in an item, the surest first.
const (
	byName  = iota // the line is one of its names
	byNamed        // the line has one of its names, and more of its words
	byWord
	byPrefix
	byNearest // a letter is missing, one too many or another
	byNone
)

func kindOf(asked string, own []string) int {
	best := byNone
	for _, w := range own {
		switch {
		case w == asked:
			return byWord
		case strings.HasPrefix(w, asked):
			best = byPrefix
		case len(asked) > 4 && suggest.Distance(w, asked) == 1:
			best = min(best, byNearest)
		}
	}
	return best
}

type hit struct {
	of   *item
	kind int
	by   *name
}

// Find looks up a line. An item is found if it has all words of the line, or words that begin so or differ
// by a letter. It is certain if the line is one of its names and no other item's, or if it alone has all words
// and they name it, which "beef" does not for ground beef, and if it takes the quantity. A price beside the goods
// says nothing.
func (f *Finder) Find(line string) Found {
	found := Found{Text: strings.TrimSpace(line), Matches: []Match{}, Status: NotCompared}
	text := price.ReplaceAllString(strings.ToValidUTF8(found.Text[:min(len(found.Text), maxLine)], ""), "")
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	text = strings.TrimLeftFunc(text, isSign)
	asked, goods := read(text)
	hits := f.search(stems(goods))
	if named := f.search(stems(text)); len(named) > 0 && named[0].kind == byName { // "7 up"
		hits, asked = named, amount{}
	}
	for _, text := range []string{text, goods} {
		if code, err := basket.ParseGTIN(text); err == nil && len(hits) == 0 {
			hits = f.codes[code]
		}
	}
	for _, h := range hits[:min(len(hits), maxMatches)] {
		m := Match{ID: h.of.ID, Name: h.of.Name, By: h.by.text}
		m.Qty, m.Fault = asked.quantity(h.of)
		found.Matches = append(found.Matches, m)
	}
	switch {
	case len(hits) == 0:
	case found.Matches[0].Fault == HowMany, len(hits) == 1 && hits[0].kind > byNamed,
		len(hits) > 1 && (hits[0].kind > byName || hits[1].kind == byName):
		found.Status = Choice
	default:
		found.Status = One
	}
	return found
}

// search returns the items that have all words, the best first.
func (f *Finder) search(asked []string) (hits []hit) {
	for i := range f.items {
		h := hit{of: &f.items[i], kind: byWord}
		for _, w := range asked {
			h.kind = max(h.kind, kindOf(w, h.of.words))
		}
		if h.kind == byNone || len(asked) == 0 {
			continue
		}
		most, full := -1, false
		for k := range h.of.names {
			n := &h.of.names[k]
			near := 0
			for _, w := range asked {
				near += byNone - kindOf(w, n.words)
			}
			if near > most || near == most && len(n.words) < len(h.by.words) {
				most, h.by = near, n
			}
			full = full || slices.Equal(n.words, asked)
			named := !slices.ContainsFunc(n.words, func(w string) bool { return !slices.Contains(asked, w) })
			if named && h.kind == byWord {
				h.kind = byNamed
			}
		}
		if full {
			h.kind = byName
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(a.kind-b.kind, len(a.by.words)-len(b.by.words)) })
	return slices.DeleteFunc(hits, func(h hit) bool { return h.kind > max(hits[0].kind, byPrefix) })
}

// List looks up every line of a list, without bullets and numbers before it. A line that is nothing by itself is
// taken apart at its commas if that helps. It leaves out empty lines. more is how many after the first 100 were not
// looked up.
func (f *Finder) List(text string) (found []Found, more int) {
	found = []Found{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(bullet.ReplaceAllString(line, ""))
		parts := []string{line}
		known := func(part string) bool { return f.Find(part).Status != NotCompared }
		if several := comma.Split(line, -1); !known(line) && slices.ContainsFunc(several, known) {
			parts = several
		}
		for _, part := range parts {
			switch {
			case part == "":
			case len(found) == maxLines:
				more++
			default:
				found = append(found, f.Find(part))
			}
		}
	}
	return found, more
}
