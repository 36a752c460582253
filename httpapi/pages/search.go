package pages

import (
	"regexp"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/internal/fold"
)

// Found is a section that a search found.
type Found struct {
	Document string `json:"document"` // its title
	Heading  string `json:"heading"`
	Path     string `json:"path"`
	Text     string `json:"text"` // around the first word found, or the section's first words
}

// mostFound is the largest number of sections that a search returns.
const mostFound = 8

// Search returns the sections of documents in a language that have each word of a query, or a
// word that begins with it. Sections with more of the words in their heading come first, then
// those of a document with more of them in its title, then those that have them more often.
// Case and accents don't matter.
func (s *Set) Search(l *lang.Language, query string) []Found {
	type hit struct {
		rank [3]int
		Found
	}
	var hits []hit
	wanted := strings.Fields(foldWords(query))
	for _, d := range s.Documents(l) {
		title := foldWords(d.Title)
		for i, x := range d.sections {
			heading, at, all := foldWords(x.Heading), len(x.folded), len(wanted) > 0
			var rank [3]int
			for _, word := range wanted {
				inHeading, inText := occurrences(heading, word), occurrences(x.folded, word)
				all = all && inHeading+inText > 0
				rank[0] += min(inHeading, 2)
				rank[1] += min(occurrences(title, word), 2)
				rank[2] += inText
				if first := strings.Index(x.folded, " "+word); first >= 0 {
					at = min(at, first)
				}
			}
			path := l.At(d.Path)
			if i > 0 {
				path += "#" + x.ID
			}
			if all {
				hits = append(hits, hit{rank, Found{d.Title, x.Heading, path, x.around(at)}})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return slices.Compare(b.rank[:], a.rank[:]) })
	found := make([]Found, min(mostFound, len(hits)))
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

var wordRun = regexp.MustCompile(`[\pL\pM\pN]+`)

// foldWords returns the words of a text, each after a space, in lower case and without accents.
func foldWords(text string) string {
	var b strings.Builder
	for _, word := range wordRun.FindAllString(text, -1) {
		b.WriteString(" " + fold.Text(word))
	}
	return b.String()
}

// around returns some words of the text: those at a place of folded, or the first
// ones when the place is its end.
func (x *section) around(at int) string {
	const before, length = 6, 24 // words
	words := wordRun.FindAllStringIndex(x.text, -1)
	first, to, end := 0, len(x.text), ""
	if at < len(x.folded) {
		first = max(0, strings.Count(x.folded[:at], " ")-before)
	}
	if first+length < len(words) {
		to, end = words[first+length][0], " …"
	}
	if first == 0 {
		return strings.Join(strings.Fields(x.text[:to]), " ") + end
	}
	return "… " + strings.Join(strings.Fields(x.text[words[first][0]:to]), " ") + end
}
