package basket

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/internal/fold"
)

// Fit says how well a shop's title fits an item of the basket.
type Fit uint8

// The three fits, the best first.
const (
	Exact    Fit = iota // nothing in the title speaks against the item
	Variant             // the same food in another form, cut, grade or flavour
	Doubtful            // another good, or a title that does not name the item
)

var fits = enum.New("fit", Exact, "exact", "variant", "doubtful")

// String returns exact, variant or doubtful.
func (f Fit) String() string { return fits.String(f) }

// MarshalText writes the fit as String does.
func (f Fit) MarshalText() ([]byte, error) { return fits.MarshalText(f) }

// WordClass says what a word of a title means for its fit.
type WordClass uint8

// The classes of words.
const (
	Same    WordClass = iota + 1 // synonyms of one thing
	Form                         // a form, cut or flavour
	Grade                        // a degree of fat, firmness or leanness
	Storage                      // how food is kept, such as frozen: a title may leave it out
	Implied                      // a form that a name may state and a title may leave out
	Open                         // a quality that an item's name may leave open, such as organic
	Good                         // another good, or another variety
	Packing                      // size, number and packing, and small words
)

var wordClasses = enum.New("class", Same, "same", "form", "grade", "storage", "implied", "open", "good", "packing")

// String returns same, form, grade, storage, implied, open, good or packing.
func (c WordClass) String() string { return wordClasses.String(c) }

// ParseWordClass reads a class as String writes it.
func ParseWordClass(s string) (WordClass, error) { return wordClasses.Parse(s) }

// Word is a word, or several in a row, with its synonyms in any language. Words with a plus
// between them may stand apart: "mini + carrot" is in "Carrots, peeled, mini".
type Word struct {
	Class    WordClass
	Text     string
	Synonyms []string
	Product  int64  // id of the only item for whose titles it counts; 0: every item
	Note     string // why it is there; nothing depends on it
}

// Validate reports a word without a class, and a text that has nothing but numbers.
func (w *Word) Validate() error {
	if !wordClasses.Has(w.Class) {
		return fmt.Errorf("class is not one of %s", strings.Join(wordClasses.List(), ", "))
	}
	for _, text := range append([]string{w.Text}, w.Synonyms...) {
		if len(tokens(text)) == 0 {
			return fmt.Errorf("word %q has no letter; titles are compared by words, and without numbers", text)
		}
	}
	return nil
}

//go:embed fit.txt
var fitWords string

// Words returns the bundled words, English and French. Every call returns a new list.
func Words() []Word {
	var list []Word
	for line := range strings.Lines(fitWords) {
		name, entries, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		class, err := ParseWordClass(name)
		if err != nil {
			panic("basket: fit.txt: " + err.Error())
		}
		for entry := range strings.SplitSeq(entries, "; ") {
			all := strings.Split(entry, ", ")
			list = append(list, Word{Class: class, Text: all[0], Synonyms: all[1:]})
		}
	}
	return list
}

// Fitter judges titles against the items of a basket by their words. It is
// immutable and safe for concurrent use.
//
// The words of an item are those of its name without size, number and packing. Titles and
// names are compared without case and accents, and with the bundled words without the plural
// endings of English and French. Of several entries that match, the one of most words counts. A title is
//
//   - Doubtful when it lacks a word of the item that is no form, when it has a Good
//     that is no word of the item or its aliases, or when it has all words of another
//     item that are no forms, and one of them is no word of this item;
//   - else Variant when it lacks a Form, Grade or Open of the item, or has a Form, Grade or
//     Storage that is no word of it; a Grade counts only where the item has one;
//   - else Exact.
//
// Forms are words of the classes Form, Grade, Storage, Implied and Open. A title without words is Exact:
// nothing speaks against it. The judgement is about words alone, never about prices or sizes.
type Fitter struct {
	items []fitItem
	all   *lexicon         // of titles, but for those of items with words of their own
	named map[string][]int // places of items by one word that a title can't lack; "" with no such word in all
}

type fitItem struct {
	id    int64
	words *lexicon  // of its titles
	own   []concept // of its name, by these
	other []concept // of its aliases and its French name, by these
	names []concept // of its name, by the words for every item
}

// lexicon has the entries by which texts are read.
type lexicon struct {
	entries map[string]*Word // by the words of a text, parted by spaces
	apart   []*Word          // those whose words may stand apart
	longest int              // words in a text
	plurals bool             // words are compared without plural endings
}

// concept is the meaning of a word, or of several in a row.
type concept struct {
	key   string // two concepts with one key are the same
	text  string // as a person reads it
	entry *Word  // nil: it has none
}

func (c concept) class() WordClass {
	if c.entry == nil {
		return 0
	}
	return c.entry.Class
}

func (c concept) form() bool { return c.class() >= Form && c.class() <= Open }

// NewFitter returns the fitter of a basket by a publisher's own words, and by the bundled ones if wanted:
// those of other languages may mean something else there. When two entries have one text, the later entry
// decides: own words come after those of Words, and those of one item alone come last. An entry of nothing
// but packing and numbers is left out.
func NewFitter(products []Product, own []Word, bundled bool) *Fitter {
	words := map[int64][]Word{} // by item
	if bundled {
		words[0] = Words()
	}
	for _, w := range own {
		words[w.Product] = append(words[w.Product], w)
	}
	all := newLexicon(words[0], bundled)
	f := &Fitter{all: all, named: map[string][]int{}}
	for _, p := range products {
		read := all
		if words[p.ID] != nil {
			read = newLexicon(slices.Concat(words[0], words[p.ID]), bundled)
		}
		if p.Active {
			it := fitItem{id: p.ID, words: read, own: read.concepts(p.Name), names: all.concepts(p.Name)}
			for _, text := range append([]string{p.NameFr}, p.Aliases...) {
				it.other = append(it.other, read.concepts(text)...)
			}
			key := ""
			if i := slices.IndexFunc(it.own, func(c concept) bool { return !c.form() }); i >= 0 && read == all {
				key = it.own[i].key
			}
			f.named[key] = append(f.named[key], len(f.items))
			f.items = append(f.items, it)
		}
	}
	return f
}

func newLexicon(words []Word, plurals bool) *lexicon {
	l := &lexicon{entries: map[string]*Word{}, plurals: plurals}
	for _, packing := range []bool{true, false} { // packing first: stems leaves it out of the rest
		for i := range words {
			w := &words[i]
			if (w.Class == Packing) != packing {
				continue
			}
			for _, text := range append([]string{w.Text}, w.Synonyms...) {
				stems := l.stems(text)
				switch {
				case strings.Contains(text, "+"):
					l.apart = append(l.apart, &Word{Class: w.Class, Text: text})
				case len(stems) > 0:
					l.entries[strings.Join(stems, " ")] = w
					l.longest = max(l.longest, len(stems))
				}
			}
		}
	}
	return l
}

// Judge returns how well a title fits a product, and the words that decided, such
// as "lacks romaine" and "names iceberg". Of an unknown product it says Exact.
// Mend mis-encoded titles before (see panel.Repair).
func (f *Fitter) Judge(product int64, title string) (Fit, []string) {
	it := f.item(product)
	if it == nil {
		return Exact, nil
	}
	found := it.words.concepts(title)
	if len(found) == 0 {
		return Exact, nil
	}
	var doubts, forms, lost []string
	for _, c := range it.own {
		switch {
		case c.class() == Implied || c.class() == Storage || has(found, c):
		case c.form():
			lost = append(lost, "lacks "+c.text)
		default:
			doubts = append(doubts, "lacks "+c.text)
		}
	}
	for _, c := range found {
		switch it.against(c) {
		case Doubtful:
			doubts = append(doubts, "names "+c.text)
		case Variant:
			forms = append(forms, c.text)
		}
	}
	for _, other := range f.items {
		foreign := false
		named := !slices.ContainsFunc(other.names, func(c concept) bool {
			foreign = foreign || !c.form() && !has(it.own, c)
			return !c.form() && !has(found, c)
		})
		if named && foreign {
			doubts = append(doubts, "names "+other.text())
		}
	}
	switch {
	case len(doubts) > 0:
		return Doubtful, distinct(doubts)
	case len(forms) > 0:
		return Variant, distinct(forms)
	case len(lost) > 0:
		return Variant, distinct(lost)
	}
	return Exact, nil
}

// Near returns the active items, in their order, that a title fits exactly, and those of which it is a variant.
// A title without words is near none. It judges only items of which the title has a word.
func (f *Fitter) Near(title string) (exact, variants []int64) {
	found := f.all.concepts(title)
	if len(found) == 0 {
		return nil, nil
	}
	places := slices.Clone(f.named[""])
	for _, c := range found {
		places = append(places, f.named[c.key]...)
	}
	slices.Sort(places)
	for _, at := range slices.Compact(places) {
		id := f.items[at].id
		switch fit, _ := f.Judge(id, title); fit {
		case Exact:
			exact = append(exact, id)
		case Variant:
			variants = append(variants, id)
		}
	}
	return exact, variants
}

func (f *Fitter) item(product int64) *fitItem {
	at := slices.IndexFunc(f.items, func(it fitItem) bool { return it.id == product })
	if at < 0 {
		return nil
	}
	return &f.items[at]
}

// against returns what a word of a title makes of it.
func (it *fitItem) against(c concept) Fit {
	graded := func() bool { return slices.ContainsFunc(it.own, func(c concept) bool { return c.class() == Grade }) }
	switch class := c.class(); {
	case has(it.own, c):
	case class == Good && !has(it.other, c):
		return Doubtful
	case class == Form || class == Storage || class == Grade && graded():
		return Variant
	}
	return Exact
}

// text returns the words that name the item, without its forms.
func (it *fitItem) text() string {
	var words []string
	for _, c := range it.names {
		if !c.form() {
			words = append(words, c.text)
		}
	}
	return strings.Join(words, " ")
}

func has(list []concept, c concept) bool {
	return slices.ContainsFunc(list, func(x concept) bool { return x.key == c.key })
}

// distinct sorts a list and takes out repeats.
func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// concepts returns the concepts of a text in their order, and behind them those of words that
// stand apart. Of several entries that begin at one word, the longest counts. A Form or a Good
// takes only its first word: a red potato is also a potato.
func (l *lexicon) concepts(text string) (found []concept) {
	for stems := l.stems(text); len(stems) > 0; {
		n := max(1, min(l.longest, len(stems)))
		for ; n > 1 && l.entries[strings.Join(stems[:n], " ")] == nil; n-- {
		}
		c := l.concept(strings.Join(stems[:n], " "))
		found = append(found, c)
		if c.class() == Form || c.class() == Good {
			n = 1
		}
		stems = stems[n:]
	}
	for _, w := range l.apart {
		missing := func(part string) bool { return !has(found, l.concept(strings.Join(l.stems(part), " "))) }
		if !slices.ContainsFunc(strings.Split(w.Text, "+"), missing) {
			found = append(found, concept{strings.Join(l.stems(w.Text), " "), strings.ReplaceAll(w.Text, "+ ", ""), w})
		}
	}
	return found
}

// concept returns the meaning of stems with spaces between them.
func (l *lexicon) concept(stems string) concept {
	w := l.entries[stems]
	if w == nil {
		return concept{stems, stems, nil}
	}
	return concept{strings.Join(l.stems(w.Text), " "), w.Text, w}
}

// stems returns the words of a text as they are compared. It leaves out packing.
func (l *lexicon) stems(text string) []string {
	list := tokens(text)
	for i, word := range list {
		if l.plurals {
			list[i] = fold.Stem(word)
		}
	}
	return slices.DeleteFunc(list, func(s string) bool {
		w := l.entries[s]
		return w != nil && w.Class == Packing
	})
}

// tokens returns the words of a text. It leaves out numbers, except percentages.
func tokens(text string) (list []string) {
	folded := strings.ReplaceAll(fold.Text(text), " %", "%")
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' && r != '.' && r != ','
	}) {
		comma := func(r rune) bool { return r == ',' && !strings.HasSuffix(word, "%") }
		for part := range strings.FieldsFuncSeq(word, comma) {
			part = strings.ReplaceAll(strings.Trim(part, ".,"), ",", ".")
			if part != "" && (strings.HasSuffix(part, "%") || !unicode.IsDigit(rune(part[0]))) {
				list = append(list, part)
			}
		}
	}
	return list
}
