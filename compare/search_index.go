package compare

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

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

// name is one text for an item. The word that says what it is comes first in French,
// and last in English.
type name struct {
	text   string
	words  []word
	french bool // it begins with a word of the French name alone
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

// add adds a name.
func (x *findable) add(text string) {
	n := name{text: text, words: read(text).words}
	if len(n.words) == 0 {
		return
	}
	begins := n.words[0].same
	n.french = slices.ContainsFunc(read(x.NameFr).words, begins) && !slices.ContainsFunc(read(x.Name).words, begins)
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
