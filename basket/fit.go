package basket

import (
	"cmp"
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
	Good                         // another good, or another variety
	Packing                      // size, number and packing, and small words
)

var wordClasses = enum.New("class", Same, "same", "form", "grade", "storage", "implied", "good", "packing")

// String returns same, form, grade, storage, implied, good or packing.
func (c WordClass) String() string { return wordClasses.String(c) }

// ParseWordClass reads a class as String writes it.
func ParseWordClass(s string) (WordClass, error) { return wordClasses.Parse(s) }

// Word is a word, or several in a row, with its synonyms in any language.
type Word struct {
	Class    WordClass
	Text     string
	Synonyms []string
	Product  int    // id of the only item for whose titles it counts; 0: every item
	Note     string // why it is there; nothing depends on it
}

// Texts returns the word and its synonyms.
func (w *Word) Texts() []string { return append([]string{w.Text}, w.Synonyms...) }

// Validate reports a word that has no class, or a text by which no title can be told apart: one
// without letters, but for a percentage.
func (w *Word) Validate() error {
	if !wordClasses.Has(w.Class) {
		return fmt.Errorf("class is not one of %s", strings.Join(wordClasses.List(), ", "))
	}
	for _, text := range w.Texts() {
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
// names are compared without case, accents and the plural endings of English and French; a
// text of an entry as it stands comes before one that is alike but for such an ending, so
// entries of other languages list the forms of their words. Of several entries that match,
// the one of most words counts. A title is
//
//   - Doubtful when it lacks a word of the item that describes it, when it has a Good
//     that is no word of the item, or when it has all words of another item but for those that
//     describe it, and one of them is no word of this item;
//   - else Variant when it lacks a Form or Grade of the item, or has a Form, Grade or Storage
//     that is no word of it; a Grade counts only where the item has one;
//   - else Exact.
//
// Words of the classes Form, Grade, Storage and Implied describe an item. A title without words
// is Exact: nothing speaks against it. The judgement is about words alone, never about prices
// or sizes.
type Fitter struct{ items []fitItem }

type fitItem struct {
	id    int
	read  *lexicon  // what words mean in its titles
	own   []concept // of its name, read so
	names []concept // of its name, as every item's title is read
}

// lexicon has the entries by which texts are read.
type lexicon struct {
	exact, alike map[string]*Word // by words of a text, and by them without plural endings, parted by spaces
	longest      int              // words in a text
}

// token is a word of a text as it is compared, and without the ending of a plural.
type token struct{ word, stem string }

// concept is the meaning of a word, or of several in a row.
type concept struct {
	key   string // two concepts with one key are the same
	text  string // as a person reads it
	word  string // as the text has it
	entry *Word  // nil: it has none
}

func (c concept) class() WordClass {
	if c.entry == nil {
		return 0
	}
	return c.entry.Class
}

// describes reports whether it says what the item is like, and not what it is.
func (c concept) describes() bool { return c.class() >= Form && c.class() <= Implied }

// NewFitter returns the fitter of a basket. When two entries have one text, the later
// entry decides. So a publisher's words come after those of Words. In titles of an item, the
// entries for that item alone decide. An entry of nothing but packing and numbers is left out.
func NewFitter(products []Product, words []Word) *Fitter {
	own := map[int][]Word{}
	for _, w := range words {
		own[w.Product] = append(own[w.Product], w)
	}
	f, all := &Fitter{}, newLexicon(own[0])
	for _, p := range products {
		if !p.Active {
			continue
		}
		read := all
		if p.ID != 0 && own[p.ID] != nil {
			read = newLexicon(append(slices.Clip(own[0]), own[p.ID]...))
		}
		f.items = append(f.items, fitItem{p.ID, read, read.concepts(p.Name), all.concepts(p.Name)})
	}
	return f
}

func newLexicon(words []Word) *lexicon {
	l := &lexicon{map[string]*Word{}, map[string]*Word{}, 0}
	for _, packing := range []bool{true, false} { // packing first: tokens leaves it out of the rest
		for i := range words {
			w := &words[i]
			if (w.Class == Packing) != packing {
				continue
			}
			for _, text := range w.Texts() {
				if list := l.tokens(text); len(list) > 0 {
					exact, alike := keys(list)
					l.exact[exact], l.alike[alike] = w, w
					l.longest = max(l.longest, len(list))
				}
			}
		}
	}
	return l
}

// Judge returns how well a title fits a product, and the words that decided, such
// as "lacks romaine" and "names iceberg". Of an unknown product it says Exact.
// Mend mis-encoded titles before (see panel.Repair).
func (f *Fitter) Judge(product int, title string) (Fit, []string) {
	it := f.item(product)
	if it == nil {
		return Exact, nil
	}
	found := it.read.concepts(title)
	if len(found) == 0 {
		return Exact, nil
	}
	var doubts, forms, lost []string
	for _, c := range it.own {
		switch {
		case c.class() == Implied || c.class() == Storage || has(found, c):
		case c.describes():
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
			foreign = foreign || !c.describes() && !has(it.own, c)
			return !c.describes() && !has(found, c)
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

func (f *Fitter) item(product int) *fitItem {
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
	case class == Good:
		return Doubtful
	case class == Form || class == Storage || class == Grade && graded():
		return Variant
	}
	return Exact
}

// text returns the words that name the item, without those that describe it.
func (it *fitItem) text() string {
	var words []string
	for _, c := range it.names {
		if !c.describes() {
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

// concepts returns the concepts of a text in their order. Of several entries that begin
// at one word, the longest counts. An entry that is no synonym takes only its first
// word: a red potato is also a potato.
func (l *lexicon) concepts(text string) (found []concept) {
	for list := l.tokens(text); len(list) > 0; {
		n := min(l.longest, len(list))
		for ; n > 1 && l.find(list[:n]) == nil; n-- {
		}
		n = max(n, 1)
		word, stem := keys(list[:n])
		if w := l.find(list[:n]); w != nil {
			key, _ := keys(l.tokens(w.Text))
			found = append(found, concept{key, w.Text, word, w})
			if w.Class != Same && w.Class != Implied {
				n = 1
			}
		} else {
			found = append(found, concept{stem, stem, word, nil})
		}
		list = list[n:]
	}
	return found
}

// find returns the entry of words, or nil.
func (l *lexicon) find(list []token) *Word {
	exact, alike := keys(list)
	return cmp.Or(l.exact[exact], l.alike[alike])
}

// keys returns words with spaces between, and the same without plural endings.
func keys(list []token) (exact, alike string) {
	words, stems := make([]string, len(list)), make([]string, len(list))
	for i, t := range list {
		words[i], stems[i] = t.word, t.stem
	}
	return strings.Join(words, " "), strings.Join(stems, " ")
}

// tokens returns the words of a text. It leaves out packing.
func (l *lexicon) tokens(text string) []token {
	return slices.DeleteFunc(tokens(text), func(t token) bool {
		w := l.find([]token{t})
		return w != nil && w.Class == Packing
	})
}

// tokens returns the words of a text. It leaves out numbers, except percentages.
func tokens(text string) (list []token) {
	folded := strings.ReplaceAll(fold.Text(text), " %", "%")
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' && r != '.' && r != ','
	}) {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == ',' && !strings.HasSuffix(word, "%") }) {
			part = strings.ReplaceAll(strings.Trim(part, ".,"), ",", ".")
			if part != "" && (strings.HasSuffix(part, "%") || !unicode.IsDigit(rune(part[0]))) {
				list = append(list, token{part, fold.Stem(part)})
			}
		}
	}
	return list
}
