package find

import (
	"cmp"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
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

var matchKinds = []Kind{"words", "prefix", "spelling", "kind", "brand"}

// Places in matchKinds, the surest first.
const (
	byWords    = iota // all words are words of the item
	byPrefix          // some words are beginnings
	bySpelling        // some words are misspelled
	byKind            // the main word alone is the item's
	byBrand           // words that are not known, such as a brand, stand beside a name of the item
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
		full := subset(n.words, asked)
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

// branded finds the items that a text names beside words that nobody knows, such as a brand. It
// finds none if the text names goods that the catalog lacks.
func (f *Finder) branded(asked []word) []hit {
	var rest []word
	for _, w := range asked {
		if f.known[w.stem] {
			rest = append(rest, w)
		}
	}
	if len(rest) == len(asked) || f.lacks(asked, true) || f.lacking[stems(rest)] {
		return nil
	}
	hits := f.search(rest, true)
	hits = slices.DeleteFunc(hits, func(h hit) bool { return h.kind != byWords })
	if !slices.ContainsFunc(hits, func(h hit) bool { return h.whole }) {
		hits = f.within(rest)
		longest := 0
		for _, h := range hits {
			longest = max(longest, len(h.by.words))
		}
		hits = slices.DeleteFunc(hits, func(h hit) bool { return len(h.by.words) < longest })
	}
	for i := range hits {
		hits[i].kind = byBrand
	}
	return hits
}

// lacks reports whether up to three words in a row are called like goods that the catalog lacks;
// with foreign, one of them must be unknown to it.
func (f *Finder) lacks(words []word, foreign bool) bool {
	for i := range words {
		for to := i + 1; to <= min(len(words), i+3); to++ {
			if row := words[i:to]; f.lacking[stems(row)] && (!foreign || slices.ContainsFunc(row, func(w word) bool { return !f.known[w.stem] })) {
				return true
			}
		}
	}
	return false
}

// within returns the items with a name that is all in a text.
func (f *Finder) within(asked []word) (hits []hit) {
	for i := range f.items {
		if by := f.items[i].within(asked); by != nil {
			hits = append(hits, hit{of: &f.items[i], by: by})
		}
	}
	return hits
}

// within returns the longest name that is all in a text.
func (x *findable) within(asked []word) (longest *name) {
	for i := range x.names {
		n := &x.names[i]
		if subset(n.words, asked) && (longest == nil || len(n.words) > len(longest.words)) {
			longest = n
		}
	}
	return longest
}

// subset reports whether all words are in a text.
func subset(words, asked []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !slices.ContainsFunc(asked, w.same) })
}

// leavesOpen reports whether a text that names an item leaves out words of its name by which
// goods are told apart: wide, if another variety or form may be meant, or only another degree
// of fat or firmness.
func (f *Finder) leavesOpen(h *hit, asked []word) (wide, graded bool) {
	if f.wide[stems(asked)] {
		return true, false
	}
	text := h.by.text
	if !h.full {
		text = marked(asked)
	}
	like := func(own []word) bool {
		return !slices.ContainsFunc(asked, func(w word) bool {
			return !slices.ContainsFunc(own, func(o word) bool { return f.meaning(o) == f.meaning(w) })
		})
	}
	name := read(h.of.Name).words
	within := like(name) || like(read(h.of.french).words) // else it is another word for it, such as "oj"
	_, why := f.fitter.Judge(h.of.ID, text)
	for _, reason := range why {
		lacks, is := strings.CutPrefix(reason, "lacks ")
		switch grade := f.classes[lacks] == basket.Grade; {
		case !is:
			wide = wide || !h.full && !within // "lait écrémé"
		case within && !f.spare[lacks]:
			wide, graded = wide || !grade, graded || grade
		}
	}
	stored := func(w word) bool { return f.classes[f.meaning(w)] == basket.Storage }
	return wide || within && slices.ContainsFunc(name, stored) && !slices.ContainsFunc(asked, stored), graded
}

// meaning returns the word that stands first among the synonyms of a word, without the ending of a plural.
func (f *Finder) meaning(w word) string { return cmp.Or(f.synonyms[w.stem], w.stem) }

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
