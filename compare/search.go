package compare

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Found is the answer to one text of a shopper, such as "2 dozen eggs".
type Found struct {
	Text    string      `json:"text"`    // without space at the ends
	Status  FoundStatus `json:"status"`  // whether the item is certain
	Matches []Match     `json:"matches"` // best first
	Ask     string      `json:"ask"`     // what to ask or tell the shopper; empty: nothing
}

// FoundStatus says how certain a find is.
type FoundStatus string

// The statuses of a find.
const (
	FoundOne    FoundStatus = "one"          // the first match may be taken without asking
	FoundChoice FoundStatus = "choice"       // the shopper chooses
	NotCompared FoundStatus = "not_compared" // the catalog lacks it; matches are related goods
)

// Match is an item that a text may mean.
type Match struct {
	ID    int       `json:"id"`
	Name  string    `json:"name"`
	By    string    `json:"by"`    // the text of the item that is nearest, such as an alias
	How   MatchKind `json:"how"`   // by what it was found
	Qty   *Quantity `json:"qty"`   // in the item's rule; nil: the text gives none, or one that does not fit
	Rule  string    `json:"rule"`  // such as "whole packages, 1 to 20"
	Fault string    `json:"fault"` // why an amount in the text is not Qty exactly; empty: it is
}

// MatchKind says by what a match was found, the surest first.
type MatchKind string

// The kinds of matches.
const (
	ByWords    MatchKind = "words"    // all words are words of the item
	ByPrefix   MatchKind = "prefix"   // some words are beginnings
	BySpelling MatchKind = "spelling" // some words are misspelled
	ByKind     MatchKind = "kind"     // the main word alone is the item's
)

// The bounds of a search.
const (
	MaxFindTexts = MaxItems // texts of one list
	maxFindText  = 120      // bytes that are read of one text
	maxMatches   = 12
)

// Find looks up what a text asks for, in English or French. Whole words come before
// beginnings of words, and those before misspellings. A match is certain only if a
// name of its own is in the text, and no other item has all words of the text
// or is called by it.
func (pr *Projection) Find(text string) Found { return pr.finder().find(text) }

// finder looks up texts in the words of a catalog.
type finder struct {
	items []findable
	// Stems of all words of the catalog, and of phrases for goods that it lacks.
	known, lacking map[string]bool
}

// findable is an item with its words.
type findable struct {
	*item
	sold   string // its rule in words
	pieces bool   // the name counts pieces by another noun: "12 rolls"
	names  []name
	words  []word // of all names
}

// name is one text for an item.
type name struct {
	text  string
	words []word
	// The word that says what it is: the last one in English, the first in French.
	heads []string
}

//go:embed search_words.txt
var searchWords string

// newFinder indexes the active items.
func newFinder(items []item) *finder {
	f := &finder{known: map[string]bool{}, lacking: map[string]bool{}}
	others := map[string][]string{}
	for line := range strings.Lines(searchWords) {
		sign, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		of, list, named := strings.Cut(rest, ": ")
		if !named {
			list = rest
		}
		for phrase := range strings.SplitSeq(list, ", ") {
			switch sign {
			case "=":
				others[of] = append(others[of], phrase)
			case "!":
				f.lacking[stems(read(phrase).words)] = true
			}
		}
	}
	for i := range items {
		it := &items[i]
		if it.Product == nil || !it.Active {
			continue
		}
		x := findable{item: it, sold: "whole packages, " + it.rule.min.String() + " to " + it.rule.max.String()}
		if it.perKg {
			x.sold = fmt.Sprintf("kilograms, %s to %s in steps of %s", it.rule.min, it.rule.max, it.rule.step)
		}
		for at, text := range append([]string{it.Name, it.NameFr}, it.Aliases...) {
			if text == "" {
				continue
			}
			r := read(text)
			x.pieces = x.pieces || at == 0 && r.size.kind == pieces && r.size.named
			short, _, _ := strings.Cut(text, ",")
			if len(read(short).words) < len(r.words) {
				x.add(short)
			}
			x.add(text)
			for _, other := range others[strings.ToLower(text)] {
				x.add(other)
			}
		}
		x.words = append(x.words, read(it.Category.String()).words...) // "frozen"
		for _, w := range x.words {
			f.known[w.stem] = true
		}
		f.items = append(f.items, x)
	}
	return f
}

func (x *findable) add(text string) {
	n := name{text: text, words: read(text).words}
	if len(n.words) == 0 {
		return
	}
	n.heads = []string{n.words[0].stem, n.words[len(n.words)-1].stem}
	x.names, x.words = append(x.names, n), append(x.words, n.words...)
}

// stems joins the stems of words, sorted, each once.
func stems(words []word) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.stem
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

// hit is a match with what it is ordered by.
type hit struct {
	of      *findable
	kind    int  // place in matchKinds
	whole   bool // a name of the item is in the text
	exact   bool // the text is the item's name
	full    bool // the text has the words of one name, and no others
	literal bool // the item has all words exactly as typed
	by      *name
}

var matchKinds = []MatchKind{ByWords, ByPrefix, BySpelling, ByKind}

func (f *finder) find(text string) Found {
	found := Found{Text: strings.TrimSpace(text), Status: NotCompared, Matches: []Match{}}
	asked := read(found.Text)
	phrase := stems(asked.words)
	unknown := f.lacking[phrase]
	hits := []hit{}
	for i := range f.items {
		if h, ok := f.match(&f.items[i], asked.words, unknown); ok {
			h.exact = strings.EqualFold(found.Text, h.of.Name) || strings.EqualFold(found.Text, h.of.NameFr)
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(rank(!a.exact), rank(!b.exact)), cmp.Compare(rank(!a.full), rank(!b.full)), cmp.Compare(rank(!a.whole), rank(!b.whole)), cmp.Compare(len(a.by.words), len(b.by.words)))
	})
	if len(hits) > 0 { // with better ones, misspellings and related goods are noise
		best := max(hits[0].kind, 1)
		hits = slices.DeleteFunc(hits, func(h hit) bool { return h.kind > best })
	}
	for _, h := range hits[:min(len(hits), maxMatches)] {
		m := Match{ID: h.of.ID, Name: h.of.Name, By: h.by.text, How: matchKinds[h.kind], Rule: h.of.sold}
		m.Qty, m.Fault = asked.quantity(h.of)
		found.Matches = append(found.Matches, m)
	}
	if !unknown && len(hits) > 0 && hits[0].kind < 3 {
		found.Status = FoundChoice
		first := hits[0]
		alone := len(hits) == 1 || hits[1].kind > 0 || first.full && !first.rivals(&hits[1])
		if first.kind == 0 && (first.exact || first.whole && alone && !asked.filler) {
			found.Status = FoundOne
		}
	}
	found.Ask = found.question()
	return found
}

func rank(is bool) int {
	if is {
		return 1
	}
	return 0
}

// rivals reports whether another item may be meant although the text is a name of the
// first one: it is called so too, it has the words exactly as typed and the first one
// has not ("almond"), or both are of the kind that their names tell ("bread").
func (h *hit) rivals(other *hit) bool {
	kind := word{stem: stemOf(h.of.Subcategory)}
	return other.full || other.literal && !h.literal ||
		h.of.Subcategory == other.of.Subcategory && slices.ContainsFunc(h.of.words, kind.same) && slices.ContainsFunc(other.of.words, kind.same)
}

// match compares the words of a text with an item. It reports false if they do not match.
func (f *finder) match(x *findable, asked []word, unknown bool) (h hit, ok bool) {
	if len(asked) == 0 {
		return h, false
	}
	h.of = x
	for i := range x.names {
		n := &x.names[i]
		full := !slices.ContainsFunc(n.words, func(w word) bool { return !slices.ContainsFunc(asked, w.same) })
		together := len(n.words) != len(asked) && joined(n.words) == joined(asked)
		if together { // "icecream"
			h.whole, h.by = true, n
			return h, true
		}
		h.full = h.full || full && stems(n.words) == stems(asked)
		if full && (h.by == nil || len(n.words) > len(h.by.words)) {
			h.whole, h.by = true, n
		}
	}
	h.literal = true
	for i, w := range asked {
		h.kind = max(h.kind, f.kindOf(x, w, unknown, i > 0))
		h.literal = h.literal && slices.ContainsFunc(x.words, func(own word) bool { return own.folded == w.folded })
	}
	if h.kind == 3 {
		h.whole = false
		h.by = x.headed(asked)
	}
	if h.by == nil && h.kind < 3 {
		h.by = x.nearest(asked)
	}
	return h, h.by != nil
}

// kindOf says how an item has a word, as a place in matchKinds; 3: it does not.
func (f *finder) kindOf(x *findable, w word, unknown, later bool) int {
	best := 3
	for _, own := range x.words {
		switch {
		case own.same(w):
			return 0
		case unknown:
		case (later || len(w.folded) > 1) && strings.HasPrefix(own.folded, w.folded):
			best = min(best, 1)
		case own.folded == w.folded, own.stem == w.stem:
			best = min(best, 2) // other accents: "pâté" is no "pâtes"
		case !f.known[w.stem] && !f.lacking[w.stem] && own.near(w):
			best = min(best, 2)
		}
	}
	return best
}

// headed returns a name whose main word is the text's.
func (x *findable) headed(asked []word) *name {
	first, last := asked[0].stem, asked[len(asked)-1].stem
	for i := range x.names {
		n := &x.names[i]
		english := n.heads[1] == last
		french := n.heads[0] == first && len(asked) > 1 && len(n.words) > 1
		if english && len(asked) > 1 || french && x.isFrench(n) {
			return n
		}
	}
	return nil
}

// isFrench reports whether a name has words of the French name only.
func (x *findable) isFrench(n *name) bool {
	if x.NameFr == "" {
		return false
	}
	return slices.ContainsFunc(read(x.NameFr).words, n.words[0].same) && !slices.ContainsFunc(read(x.Name).words, n.words[0].same)
}

// nearest returns the name with the most words that begin like those of the text.
func (x *findable) nearest(asked []word) *name {
	score := func(n *name) (s int) {
		for _, w := range asked {
			for _, own := range n.words {
				s += 2*rank(own.same(w)) + rank(strings.HasPrefix(own.folded, w.folded) || own.near(w))
			}
		}
		return 8*s - len(n.words)
	}
	best := &x.names[0]
	for i := range x.names {
		if score(&x.names[i]) > score(best) {
			best = &x.names[i]
		}
	}
	return best
}

func joined(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i == len(words)-1 {
			b.WriteString(w.stem)
			break
		}
		b.WriteString(w.folded)
	}
	return b.String()
}

// near reports whether a word is a misspelling of another. Words of up to 3 letters
// have none, of up to 7 one wrong letter, longer ones two. Two letters that changed
// places are one fault. The first letter is always right.
func (w word) near(typed word) bool {
	faults := 0
	switch n := len(typed.folded); {
	case n > 7:
		faults = 2
	case n > 3:
		faults = 1
	}
	if faults == 0 || w.folded[0] != typed.folded[0] {
		return false
	}
	for _, own := range []string{w.folded, w.stem} {
		for _, other := range []string{typed.folded, typed.stem} {
			d := levenshtein.ComputeDistance(own, other)
			if d <= faults || d == faults+1 && lettersOf(own) == lettersOf(other) {
				return true
			}
		}
	}
	return false
}

func lettersOf(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

// question says what to ask or tell the shopper.
func (x *Found) question() string {
	names := make([]string, 0, len(x.Matches))
	for _, m := range x.Matches[:min(len(x.Matches), 4)] {
		names = append(names, m.Name)
	}
	listed := strings.Join(names, "; ")
	switch {
	case x.Status == NotCompared && len(names) > 0:
		return "This is not compared, and nothing is taken in its place. Related, if the shopper wants it: " + listed + "."
	case x.Status == NotCompared:
		return "This is not compared, and nothing is taken in its place."
	case x.Status == FoundOne:
		return x.Matches[0].Fault
	case len(names) == 1 && x.Matches[0].How == ByWords:
		return "Is it " + listed + "? There is no other kind here."
	case x.Matches[0].How == BySpelling:
		return "Is this meant: " + listed + "?"
	}
	return "Which one: " + listed + "?"
}

// FindList looks up every line of a pasted list. It leaves out empty lines and what
// marks a line, such as a bullet or a number. more is how many lines after the first
// MaxFindTexts were not looked up.
func (pr *Projection) FindList(text string) (found []Found, more int) {
	found = []Found{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(bullet.ReplaceAllString(line, ""))
		switch {
		case line == "":
		case len(found) == MaxFindTexts:
			more++
		default:
			found = append(found, pr.Find(line))
		}
	}
	return found, more
}
