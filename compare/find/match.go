package find

import (
	"slices"
	"strings"

	"github.com/larder-index/larder/internal/fold"
)

// hit is a match with what it is ordered by.
type hit struct {
	of      *findable
	kind    int  // place in matchKinds
	whole   bool // a name of the item is in the text
	own     bool // such a name is the catalog's
	exact   bool // the text is the item's name
	full    bool // the text has the words of one name, and no others
	literal bool // the item has all words exactly as typed
	by      *name
}

var matchKinds = []Kind{"words", "prefix", "spelling", "kind"}

// Places in matchKinds, the surest first.
const (
	byWords    = iota // all words are words of the item
	byPrefix          // some words are beginnings
	bySpelling        // some words are misspelled
	byKind            // the main word alone is the item's
)

// order returns the key that sorts hits, the best first.
func (h *hit) order() []int {
	return []int{h.kind, rank(!h.exact), rank(!h.full), rank(!h.whole), len(h.by.words)}
}

// rivals reports whether another item may be meant although the text is a name of the
// first one: it is called so too, it has the words exactly as typed and the first one
// has not ("almond"), or both are of the kind that their names tell ("bread").
func (h *hit) rivals(other *hit) bool {
	kind := word{stem: fold.Stem(h.of.Subcategory)}
	return other.full || other.literal && !h.literal ||
		h.of.Subcategory == other.of.Subcategory && slices.ContainsFunc(h.of.words, kind.same) && slices.ContainsFunc(other.of.words, kind.same)
}

// match compares the words of a text with an item. It reports false if they do not match.
func (f *Finder) match(x *findable, asked []word, unknown bool) (h hit, ok bool) {
	if len(asked) == 0 {
		return h, false
	}
	h.of = x
	for i := range x.names {
		n := &x.names[i]
		full := !slices.ContainsFunc(n.words, func(w word) bool { return !slices.ContainsFunc(asked, w.same) })
		together := len(n.words) != len(asked) && joined(n.words) == joined(asked)
		if together { // "icecream"
			h.whole, h.own, h.by = true, !n.lent, n
			return h, true
		}
		h.own = h.own || full && !n.lent
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
	if h.kind == byKind {
		h.whole = false
		h.by = x.headed(asked)
	}
	if h.by == nil && h.kind < byKind {
		h.by = x.nearest(asked)
	}
	return h, h.by != nil
}

// kindOf says how an item has a word, as a place in matchKinds; byKind: it lacks it.
func (f *Finder) kindOf(x *findable, w word, unknown, later bool) int {
	best := byKind
	for _, own := range x.words {
		switch {
		case own.same(w):
			return byWords
		case unknown:
		case (later || len(w.folded) > 1) && strings.HasPrefix(own.folded, w.folded):
			best = min(best, byPrefix)
		case own.folded == w.folded, own.stem == w.stem:
			best = min(best, bySpelling) // other accents: "pâté" is no "pâtes"
		case !f.known[w.stem] && !f.lacking[w.stem] && own.resembles(w):
			best = min(best, bySpelling)
		}
	}
	return best
}

// headed returns a name whose main word is the text's.
func (x *findable) headed(asked []word) *name {
	if len(asked) < 2 {
		return nil
	}
	for i := range x.names {
		n := &x.names[i]
		last := len(n.words) - 1
		if n.words[last].stem == asked[len(asked)-1].stem || last > 0 && n.french && n.words[0].stem == asked[0].stem {
			return n
		}
	}
	return nil
}

// nearest returns the name with the most words that begin like those of the text.
func (x *findable) nearest(asked []word) *name {
	score := func(n *name) (s int) {
		for _, w := range asked {
			for _, own := range n.words {
				s += 2*rank(own.same(w)) + rank(strings.HasPrefix(own.folded, w.folded) || own.resembles(w))
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

func rank(is bool) int {
	if is {
		return 1
	}
	return 0
}
