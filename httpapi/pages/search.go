package pages

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/larder-index/larder/httpapi/lang"
)

// section is the text below one heading, up to the next.
type section struct {
	id, heading, text string
	folded            string // the words of text
}

// Found is a section that a search found.
type Found struct {
	Document string `json:"document"` // its title
	Heading  string `json:"heading"`
	Path     string `json:"path"`
	Text     string `json:"text"` // around the first word found, or the section's first words
}

// most is how many sections a search returns.
const most = 8

// Search returns the sections of documents in a language that have all words of a query, or words that begin
// with them. Sections with more of the words in their heading come first, then those of
// a document with more of them in its title, then those that have them more often.
// Case and accents don't matter.
func (s *Set) Search(l *lang.Language, query string) []Found {
	wanted := strings.Fields(fold(query))
	if len(wanted) == 0 {
		return []Found{}
	}
	type hit struct {
		rank [3]int
		Found
	}
	var hits []hit
	for _, d := range s.Documents(l) {
		title := fold(d.Title)
		for i := range d.sections {
			x := &d.sections[i]
			heading, at, missing := fold(x.heading), len(x.folded), false
			var rank [3]int
			for _, word := range wanted {
				inHeading, inTitle, inText := occurrences(heading, word), occurrences(title, word), occurrences(x.folded, word)
				missing = missing || inHeading+inText == 0
				rank = [3]int{rank[0] + min(inHeading, 2), rank[1] + min(inTitle, 2), rank[2] + inText}
				if first := strings.Index(x.folded, " "+word); first >= 0 {
					at = min(at, first)
				}
			}
			if missing {
				continue
			}
			path := l.At(d.Path)
			if i > 0 {
				path += "#" + x.id
			}
			hits = append(hits, hit{rank, Found{d.Title, x.heading, path, x.around(at)}})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return slices.Compare(b.rank[:], a.rank[:]) })
	found := make([]Found, min(most, len(hits)))
	for i := range found {
		found[i] = hits[i].Found
	}
	return found
}

// occurrences counts the folded words that begin with a word. One that equals it
// counts twice.
func occurrences(folded, word string) int {
	return strings.Count(folded, " "+word) + strings.Count(folded+" ", " "+word+" ")
}

// around returns some words of the text: those at a place of folded, or the first
// ones when the place is its end.
func (x *section) around(at int) string {
	const before, length = 6, 24 // words
	first := 0
	if at < len(x.folded) {
		first = max(0, strings.Count(x.folded[:at], " ")-before)
	}
	text, n, from, to := x.text, 0, 0, len(x.text)
	for place := range words(text) {
		switch n {
		case first:
			from = place
		case first + length:
			to = place
		}
		n++
	}
	part := strings.Join(strings.Fields(text[from:to]), " ")
	if first > 0 {
		part = "… " + part
	}
	if to < len(text) {
		part += " …"
	}
	return part
}

// words returns the words of a text, runs of letters and digits, with the byte at
// which each begins.
func words(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		begin := -1
		for i := 0; i <= len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			in := size > 0 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
			switch {
			case in && begin < 0:
				begin = i
			case !in && begin >= 0:
				if !yield(begin, text[begin:i]) {
					return
				}
				begin = -1
			}
			i += cmp.Or(size, 1)
		}
	}
}

var ligatures = strings.NewReplacer("œ", "oe", "æ", "ae")

// fold returns the words of a text, each after a space, in lower case and without
// accents.
func fold(text string) string {
	var b strings.Builder
	for _, word := range words(text) {
		b.WriteByte(' ')
		for _, r := range norm.NFD.String(ligatures.Replace(strings.ToLower(word))) {
			if !unicode.IsMark(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
