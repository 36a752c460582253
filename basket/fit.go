package basket

import (
	_ "embed"
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
	State                        // how food is kept, such as frozen: a title may leave it out
	Implied                      // a form that a name may state and a title may leave out
	Good                         // another good, or another variety
	Packing                      // size, number and packing, and small words
)

var wordClasses = enum.New("class", Same, "same", "form", "grade", "state", "implied", "good", "packing")

// String returns same, form, grade, state, implied, good or packing.
func (c WordClass) String() string { return wordClasses.String(c) }

// ParseWordClass reads a class as String writes it.
func ParseWordClass(s string) (WordClass, error) { return wordClasses.Parse(s) }

// Word is a word, or several in a row, with its synonyms in any language.
type Word struct {
	Class    WordClass
	Text     string
	Synonyms []string
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
			list = append(list, Word{class, all[0], all[1:]})
		}
	}
	return list
}

// Fitter judges titles against the items of a basket by their words. It is
// immutable and safe for concurrent use.
//
// The words of an item are those of its English name without size, number and
// packing. Titles and names are compared without case, accents and plural endings;
// of several entries that match, the one of most words counts. A title is
//
//   - Doubtful when it lacks a word of the item that is no form, when it has a Good
//     that is no word of the item, or when it has all words of another item that are
//     no forms, and one of them is no word of this item;
//   - else Variant when it lacks a Form or Grade of the item, or has a Form, Grade or State
//     that is no word of it; a Grade counts only where the item has one;
//   - else Exact.
//
// A title without words is Exact: nothing speaks against it. The judgement is about
// words alone, never about prices or sizes.
type Fitter struct {
	words   map[string]*Word // by the stems of a text, parted by spaces
	longest int              // stems in a text
	items   []fitItem
}

type fitItem struct {
	id    int
	names []concept // of its name
}

// concept is the meaning of a word, or of several in a row.
type concept struct {
	key   string // two concepts with one key are the same
	text  string // as a person reads it
	class WordClass
}

func (c concept) form() bool { return c.class >= Form && c.class <= Implied }

// NewFitter returns the fitter of a basket. When two entries have one text, the later
// entry decides. So a publisher's words come after those of Words. An entry of nothing
// but packing and numbers is left out.
func NewFitter(products []Product, words []Word) *Fitter {
	f := &Fitter{words: map[string]*Word{}}
	for _, packing := range []bool{true, false} { // packing first: stems leaves it out of the rest
		for i := range words {
			w := &words[i]
			if (w.Class == Packing) != packing {
				continue
			}
			for _, text := range append([]string{w.Text}, w.Synonyms...) {
				stems := f.stems(text)
				if len(stems) == 0 {
					continue
				}
				f.words[strings.Join(stems, " ")] = w
				f.longest = max(f.longest, len(stems))
			}
		}
	}
	for _, p := range products {
		if p.Active {
			f.items = append(f.items, fitItem{p.ID, f.concepts(p.Name)})
		}
	}
	return f
}

// Judge returns how well a title fits a product, and the words that decided, such
// as "lacks romaine" and "names iceberg". Of an unknown product it says Exact.
// Mend mis-encoded titles before (see panel.Repair).
func (f *Fitter) Judge(product int, title string) (Fit, []string) {
	at := slices.IndexFunc(f.items, func(it fitItem) bool { return it.id == product })
	found := f.concepts(title)
	if at < 0 || len(found) == 0 {
		return Exact, nil
	}
	own := f.items[at].names
	graded := slices.ContainsFunc(own, func(c concept) bool { return c.class == Grade })
	var doubts, forms, lost []string
	for _, c := range own {
		switch {
		case c.class == Implied || c.class == State || has(found, c):
		case c.form():
			lost = append(lost, "lacks "+c.text)
		default:
			doubts = append(doubts, "lacks "+c.text)
		}
	}
	for _, c := range found {
		switch {
		case has(own, c):
		case c.class == Good:
			doubts = append(doubts, "names "+c.text)
		case c.class == Form || c.class == State || c.class == Grade && graded:
			forms = append(forms, c.text)
		}
	}
	for _, other := range f.items {
		foreign := false
		named := !slices.ContainsFunc(other.names, func(c concept) bool {
			foreign = foreign || !c.form() && !has(own, c)
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

// text returns the words that name the item, without its forms.
func (it fitItem) text() string {
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

// concepts returns the concepts of a text in their order. Of several entries that begin
// at one word, the longest counts. An entry that is no synonym takes only its first
// word: a red potato is also a potato.
func (f *Fitter) concepts(text string) (found []concept) {
	for stems := f.stems(text); len(stems) > 0; {
		n := min(f.longest, len(stems))
		for ; n > 1 && f.words[strings.Join(stems[:n], " ")] == nil; n-- {
		}
		key := strings.Join(stems[:n], " ")
		if w := f.words[key]; w != nil {
			found = append(found, concept{strings.Join(f.stems(w.Text), " "), w.Text, w.Class})
			if w.Class != Same && w.Class != Implied {
				n = 1
			}
		} else {
			found = append(found, concept{key: key, text: key})
		}
		stems = stems[n:]
	}
	return found
}

// stems returns the words of a text without plural endings. It leaves out packing.
func (f *Fitter) stems(text string) []string {
	return slices.DeleteFunc(tokens(text), func(s string) bool {
		w := f.words[s]
		return w != nil && w.Class == Packing
	})
}

// tokens returns the words of a text as stems. It leaves out numbers, except percentages.
func tokens(text string) (list []string) {
	folded := strings.ReplaceAll(fold.Text(text), " %", "%")
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' && r != '.' && r != ','
	}) {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == ',' && !strings.HasSuffix(word, "%") }) {
			part = strings.ReplaceAll(strings.Trim(part, ".,"), ",", ".")
			if part != "" && (strings.HasSuffix(part, "%") || !unicode.IsDigit(rune(part[0]))) {
				list = append(list, fold.Stem(part))
			}
		}
	}
	return list
}
