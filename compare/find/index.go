package find

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/internal/fold"
)

// Finder looks up texts in the words of a catalog.
type Finder struct {
	items []findable
	// Stems of all words of the catalog, and of phrases for goods that it lacks: those of
	// the list of words, and those of the published basket with a word unknown here.
	known, lacking map[string]bool

	fitter   *basket.Fitter
	classes  map[string]basket.WordClass // of the first word of synonyms
	synonyms map[string]string           // that word by the stem of each
	// What the list of words marks: stems of texts that several kinds are called by, words that names may be left
	// without, words that say nothing of the goods, those after which nothing does, and those that describe goods.
	wide, spare, aside, open, like map[string]bool

	unwanted []string // words before goods that are not wanted
}

// findable is a product with its words.
type findable struct {
	*basket.Product
	rule   compare.QuantityRule
	sold   string // its rule in words
	pieces bool   // the name counts pieces by another noun: "12 rolls"
	single bool   // no item without lent names has a word of its name
	french string // its name in French, which may be lent
	names  []name
	words  []word // of all names
}

// name is one text for an item. The word that says what it is comes first in French,
// and last in English.
type name struct {
	text   string
	words  []word
	french bool // it begins with a word of the French name alone
	lent   bool // it is the published basket's, and not the catalog's
}

//go:embed words.txt
var searchWords string

// New indexes the active products that a comparison may name, by their names, by a publisher's own words of titles
// and, if wanted, by the bundled ones (see [basket.NewFitter]). Items have the names that synonyms of own words
// make of their own: they are called so in titles, and in lists too. Own words decide over bundled ones.
func New(products []basket.Product, own []basket.Word, bundled bool) *Finder {
	f := &Finder{
		known: map[string]bool{}, lacking: map[string]bool{}, fitter: basket.NewFitter(products, own, bundled),
		classes: map[string]basket.WordClass{}, synonyms: map[string]string{},
		wide: map[string]bool{}, spare: map[string]bool{}, aside: map[string]bool{}, open: map[string]bool{}, like: map[string]bool{},
	}
	others := map[string][]string{}
	for line := range strings.Lines(searchWords) {
		if !bundled {
			break // it is in the languages of the bundled words
		}
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
			case "?":
				f.wide[stems(read(phrase).words)] = true
			case ".":
				f.spare[phrase] = true
			case "~":
				f.aside[fold.Text(phrase)] = true
			case ">":
				f.open[fold.Text(phrase)] = true
			case "+":
				f.like[fold.Text(phrase)] = true
			case "-":
				f.unwanted = append(f.unwanted, strings.TrimSpace(spelled.Replace(phrase))+" ")
			}
		}
	}
	foreign := map[string]bool{} // stems of the names of products that are not published
	published := map[string]basket.Product{}
	for _, p := range basket.Canada().Products {
		published[stems(shortWords(p.Name))] = p
	}
	renamed := synonymsOf(own)
	for i := range products {
		it := &products[i]
		if it.ID > compare.MaxItemID || !it.Active {
			continue
		}
		rule := compare.RuleOf(it)
		short := shortWords(it.Name)
		lender, lends := published[stems(short)]
		for _, w := range short {
			foreign[w.stem] = foreign[w.stem] || !lends
		}
		x := findable{Product: it, rule: rule, french: cmp.Or(it.NameFr, lender.NameFr), sold: "whole packages, " + rule.Min.String() + " to " + rule.Max.String()}
		if it.PerKg() {
			x.sold = fmt.Sprintf("kilograms, %s to %s in steps of %s", rule.Min, rule.Max, rule.Step)
		}
		called := append([]string{it.Name, it.NameFr}, it.Aliases...)
		for at, text := range slices.Concat(called, []string{lender.NameFr}, lender.Aliases) {
			lent := at >= len(called)
			if text == "" || lent && slices.Contains(called, text) {
				continue
			}
			r := read(text)
			x.pieces = x.pieces || at == 0 && r.size.kind == basket.Count && r.size.named
			short, _, _ := strings.Cut(text, ",")
			if len(read(short).words) < len(r.words) {
				x.add(short, lent)
			}
			x.add(text, lent)
			for _, other := range others[strings.ToLower(text)] {
				x.add(other, lent)
			}
		}
		x.rename(renamed)
		for _, n := range x.names {
			if !n.lent {
				delete(f.lacking, stems(n.words)) // "ham", of a catalog that has it
			}
		}
		x.words = append(x.words, read(it.Category.String()).words...) // "frozen"
		for _, w := range x.words {
			f.known[w.stem] = true
		}
		f.items = append(f.items, x)
	}
	for _, p := range published {
		for _, text := range append([]string{p.Name, p.NameFr}, p.Aliases...) {
			words := shortWords(text)
			if slices.ContainsFunc(words, func(w word) bool { return !f.known[w.stem] }) {
				f.lacking[stems(words)] = true
			}
		}
	}
	var words []basket.Word
	if bundled {
		words = basket.Words()
	}
	ours := len(words)
	for at, w := range append(words, own...) {
		if w.Product != 0 { // it says nothing of other items
			continue
		}
		f.classes[w.Text] = w.Class
		for _, text := range append([]string{w.Text}, w.Synonyms...) {
			words := read(text).words
			if len(words) > 0 {
				f.synonyms[stems(words)] = w.Text
			}
			if at >= ours {
				delete(f.lacking, stems(words))
				f.aside[fold.Text(text)] = w.Class == basket.Packing
			}
			if w.Class == basket.Good && slices.ContainsFunc(words, func(w word) bool { return !f.known[w.stem] }) {
				f.lacking[stems(words)] = true
			}
		}
	}
	for i := range f.items {
		x := &f.items[i]
		x.single = !slices.ContainsFunc(shortWords(x.Name), func(w word) bool { return foreign[w.stem] })
	}
	return f
}

// shortWords returns the words of a name before its first comma.
func shortWords(name string) []word {
	short, _, _ := strings.Cut(name, ",")
	return read(short).words
}

func (x *findable) add(text string, lent bool) {
	n := name{text: text, words: read(text).words, lent: lent}
	if len(n.words) == 0 {
		return
	}
	begins := n.words[0].same
	n.french = slices.ContainsFunc(read(x.french).words, begins) && !slices.ContainsFunc(read(x.Name).words, begins)
	x.names, x.words = append(x.names, n), append(x.words, n.words...)
}

// maxNames is how many names an item has at most by synonyms.
const maxNames = 64

// rename adds the names that an item has with synonyms in place of its words: "Milch" for "Milk".
func (x *findable) rename(own []synonyms) {
	for i := 0; i < len(x.names); i++ {
		for _, w := range own {
			for _, from := range w.words {
				before, after, in := x.names[i].around(from)
				for k, to := range w.words {
					words := slices.Concat(before, to, after)
					if in && len(x.names) < maxNames && (w.of == 0 || w.of == x.ID) &&
						!slices.ContainsFunc(x.names, func(n name) bool { return slices.EqualFunc(n.words, words, word.same) }) {
						x.add(marked(before)+w.texts[k]+" "+marked(after), x.names[i].lent)
					}
				}
			}
		}
	}
}

// synonyms are words that mean the same in a publisher's titles.
type synonyms struct {
	of    int // the only item for which they do; 0: every item
	texts []string
	words [][]word
}

func synonymsOf(own []basket.Word) (list []synonyms) {
	for _, w := range own {
		if w.Class != basket.Packing && len(w.Synonyms) > 0 {
			s := synonyms{of: w.Product, texts: append([]string{w.Text}, w.Synonyms...)}
			for _, text := range s.texts {
				s.words = append(s.words, read(text).words)
			}
			list = append(list, s)
		}
	}
	return list
}

// around returns the words of a name before and after some that stand in a row; in: it has them.
func (n *name) around(row []word) (before, after []word, in bool) {
	for i := 0; len(row) > 0 && i+len(row) <= len(n.words); i++ {
		if slices.EqualFunc(n.words[i:i+len(row)], row, word.same) {
			return n.words[:i], n.words[i+len(row):], true
		}
	}
	return nil, nil, false
}

func marked(words []word) (text string) {
	for _, w := range words {
		text += w.marked + " "
	}
	return text
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
