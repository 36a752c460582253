// Package find looks up what a shopper writes, such as "2 dozen eggs" or "1,5 kg de
// poulet", in the products of a catalog, in English or French. It decides which product
// is meant only if no other one may be, and asks otherwise. It reads quantities in
// the units of the product and never guesses one.
package find

import (
	"slices"
	"strings"

	"github.com/larder-index/larder/compare"
)

// Found is the answer to one text of a shopper, such as "2 dozen eggs".
type Found struct {
	Text    string  `json:"text"`    // without space at the ends
	Status  Status  `json:"status"`  // whether the item is certain
	Matches []Match `json:"matches"` // best first
	Ask     string  `json:"ask"`     // what to ask or tell the shopper; empty: nothing

	named bool // the text has a name of an item
}

// Status says how certain a find is.
type Status string

// The statuses of a find.
const (
	One         Status = "one"          // the first match may be taken without asking
	Choice      Status = "choice"       // the shopper chooses
	NotCompared Status = "not_compared" // the catalog lacks it; matches are related goods
)

// Match is an item that a text may mean.
type Match struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	By    string            `json:"by"`    // the text of the item that is nearest, such as an alias
	How   Kind              `json:"how"`   // by what it was found
	Qty   *compare.Quantity `json:"qty"`   // in the item's rule; nil: the text gives none, or one that does not fit
	Rule  string            `json:"rule"`  // such as "whole packages, 1 to 20"
	Fault string            `json:"fault"` // why an amount in the text is not Qty exactly; empty: it is
}

// Kind says by what a match was found, such as "words".
type Kind string

// The bounds of a search.
const (
	MaxTexts   = compare.MaxItems // texts of one list
	maxText    = 120              // bytes that are read of one text
	maxMatches = 12
)

// Find looks up what a text asks for. Whole words come before
// beginnings of words, and those before misspellings. A match is certain only if a
// name of its own is in the text, no other item has all words of the text
// or is called by it, and the text leaves out no word by which goods are told apart: of
// "lettuce" for romaine lettuce it asks. Words such as "fresh" and "if on sale" are set aside. A brand, or
// another word that is not known, is asked about. Nothing is taken of what a text refuses, such as "no butter". A product that is called as one of the published basket has that
// one's other names too: by them it is certain if no other item has a word of its name.
func (f *Finder) Find(text string) Found {
	text = strings.TrimSpace(text)
	if rest := f.refused(text); rest != "" {
		found := f.find(rest)
		found.Text, found.Status = text, NotCompared
		found.Ask = found.question()
		return found
	}
	found := f.find(text)
	if plain := f.plain(text); found.Status != One && plain != text && len(read(plain).words) > 0 {
		found = f.find(plain)
	}
	if sides := either.Split(text, 3); found.Status != One && len(sides) == 2 {
		if a, b := f.find(sides[0]), f.find(sides[1]); a.Status != NotCompared || b.Status != NotCompared {
			found = Found{Status: Choice, Matches: a.Matches, named: a.named || b.named}
			for _, m := range b.Matches {
				if !slices.ContainsFunc(a.Matches, func(x Match) bool { return x.ID == m.ID }) {
					found.Matches = append(found.Matches, m)
				}
			}
			found.Ask = found.question()
		}
	}
	found.Text = text
	return found
}

func (f *Finder) find(text string) Found {
	found := Found{Status: NotCompared, Matches: []Match{}}
	asked := read(text)
	unknown := f.lacking[stems(asked.words)]
	hits := f.search(asked.words, unknown)
	for i := range hits {
		h := &hits[i]
		h.exact = strings.EqualFold(text, h.of.Name) || strings.EqualFold(text, h.of.NameFr)
	}
	if !unknown && !slices.ContainsFunc(hits, func(h hit) bool { return h.kind < byKind }) {
		if branded := f.branded(asked.words); len(branded) > 0 {
			hits = branded
		} else if len(hits) == 0 && !f.lacks(asked.words, false) { // "tortillas large"
			for _, h := range f.within(asked.words) {
				h.kind = byKind
				hits = append(hits, h)
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return slices.Compare(a.order(), b.order()) })
	if len(hits) > 0 { // with better ones, misspellings and related goods are noise
		best := max(hits[0].kind, byPrefix)
		hits = slices.DeleteFunc(hits, func(h hit) bool { return h.kind > best })
	}
	for _, h := range hits[:min(len(hits), maxMatches)] {
		m := Match{ID: h.of.ID, Name: h.of.Name, By: h.by.text, How: matchKinds[h.kind], Rule: h.of.sold}
		m.Qty, m.Fault = asked.quantity(h.of)
		found.Matches = append(found.Matches, m)
	}
	found.named = len(hits) > 0 && (hits[0].whole || hits[0].kind == byBrand)
	graded := false
	if !unknown && len(hits) > 0 && hits[0].kind != byKind {
		found.Status = Choice
		first := hits[0]
		alone := len(hits) == 1 || hits[1].kind > byWords || first.full && !first.rivals(&hits[1])
		alone = alone && (first.own || first.of.single)
		if first.kind == byWords && (first.exact || first.whole && alone && !asked.filler) {
			wide := false
			if wide, graded = f.leavesOpen(&first, asked.words); !wide || first.exact {
				found.Status = One
			}
		}
	}
	found.Ask = found.question()
	if found.Status == One && graded {
		found.Ask = strings.TrimPrefix(found.Ask+"; ", "; ") + found.Matches[0].Name + " is compared, and no other kind"
	}
	return found
}

// search returns the items that match words, in the order of the catalog.
func (f *Finder) search(asked []word, unknown bool) []hit {
	hits := []hit{}
	for i := range f.items {
		if h, ok := f.match(&f.items[i], asked, unknown); ok {
			hits = append(hits, h)
		}
	}
	return hits
}

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
	case x.Status == One:
		return x.Matches[0].Fault
	case x.Matches[0].How == matchKinds[byBrand]:
		return "No brand is compared by itself: is any brand or kind fine of " + listed + "?"
	case len(names) == 1 && x.Matches[0].How == matchKinds[byWords]:
		return "Is it " + listed + "? There is no other kind here."
	case len(names) == 1, x.Matches[0].How == matchKinds[bySpelling]:
		return "Is this meant: " + listed + "?"
	}
	return "Which one: " + listed + "?"
}

// List looks up every line of a list. Commas, sentences and words such as "and" part
// lines, but not inside the name of one thing. It leaves out empty lines, headings, and what
// marks a line, such as a bullet or a number. more is how many after the first
// MaxTexts were not looked up.
func (f *Finder) List(text string) (found []Found, more int) {
	found = []Found{}
	for line := range strings.Lines(text) {
		for _, part := range f.parts(strings.TrimSpace(bullet.ReplaceAllString(line, ""))) {
			if len(found) == MaxTexts {
				more++
				continue
			}
			found = append(found, f.Find(part))
		}
	}
	return found, more
}
