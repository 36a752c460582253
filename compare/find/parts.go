package find

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/fold"
)

var (
	aside     = regexp.MustCompile(`\([^)]*\)`)
	either    = regexp.MustCompile(`(?i)\s+(?:or|ou)\s+`)
	sentence  = regexp.MustCompile(`[!?…]+\s+|([\p{L}\d]{3})\.\s+`)
	separator = regexp.MustCompile(`(?i)(\([^)]*\)|\d[,/]\d)|\s*[,;]\s*(?:(?:and|et)\s+)?|\s+(?:and|et|&|\+|plus|puis|\d{1,2}[.)])\s+|\s*/\s*`)
	heading   = regexp.MustCompile(`^([^:]*\p{L}[^:]*?)\s*:\s*(.*)$`)
)

// plain returns a text without what says nothing of the goods: what stands in parentheses and does
// not describe them, words such as "fresh" and "please", and all from words such as "if" on.
func (f *Finder) plain(text string) string {
	var kept []string
	before := ""
	text = aside.ReplaceAllStringFunc(text, func(in string) string {
		if slices.ContainsFunc(read(in).words, f.describes) { // "(organic)"
			return in
		}
		return " "
	})
	for field := range strings.FieldsSeq(text) {
		w := strings.ReplaceAll(fold.Text(strings.Trim(field, ",.;:!?*\"“”«»")), "’", "'")
		if f.open[w] {
			break
		}
		if f.open[before+" "+w] { // "s'il", "on sale"
			kept = kept[:max(0, len(kept)-1)]
			break
		}
		if before = w; !f.aside[w] {
			kept = append(kept, field)
		}
	}
	return strings.Join(kept, " ")
}

// parts takes a line of a list apart: at sentences, commas and words such as "and".
func (f *Finder) parts(line string) (parts []string) {
	for said := range strings.SplitSeq(sentence.ReplaceAllString(line, "$1\n"), "\n") {
		if h := heading.FindStringSubmatch(said); h != nil && !f.goods(h[1]) && (h[2] == "" || f.means(h[2])) {
			said = h[2] // "For tacos: lean ground beef"
		}
		begin, end, from := 0, -1, 0 // of the part so far, and of what follows
		for _, at := range append(separator.FindAllStringSubmatchIndex(said, -1), []int{len(said), len(said), -1}) {
			if at[2] >= 0 { // in parentheses or a number
				continue
			}
			if end >= 0 && (len(parts) > MaxTexts || !f.together(said[begin:end], said[end:from], said[from:at[0]])) {
				parts, begin = append(parts, said[begin:end]), from
			}
			end, from = at[0], at[1]
		}
		parts = append(parts, said[begin:end])
	}
	return slices.DeleteFunc(parts, func(part string) bool {
		return !f.means(part) && strings.ContainsFunc(part, unicode.IsLetter) || part == ""
	})
}

// means reports whether a text has a word of its own, beside amounts and what is set aside.
func (f *Finder) means(text string) bool {
	asked := read(f.plain(text))
	return len(asked.words) > 0 && !asked.filler
}

// goods reports whether a text names goods, tracked or not.
func (f *Finder) goods(text string) bool {
	found := f.Find(text)
	return found.named || found.Status != One && f.lacks(read(f.plain(text)).words, false)
}

// together reports whether what follows a comma or an "and" belongs to the part before it.
func (f *Finder) together(part, by, piece string) bool {
	words := read(f.plain(piece)).words
	switch {
	case !f.means(piece): // an amount
		return true
	case f.lacking[stems(read(part+by+piece).words)]: // "macaroni and cheese"
		return true
	case strings.ContainsAny(by, ",;"):
		phrase := descriptive(f.classes[f.synonyms[stems(words)]]) // "extra old"
		if _, no := f.negated(piece); no && phrase {               // "butter, no salt"
			return true
		}
		described := phrase || !slices.ContainsFunc(words, func(w word) bool { return !f.describes(w) })
		return f.find(part+by+piece).Status == One && f.Find(piece).Status != One || described && !f.goods(piece) // "bread, whole wheat"
	}
	return !f.goods(part) || !f.goods(piece)
}

// describes reports whether a word says what goods are like, such as "unsalted".
func (f *Finder) describes(w word) bool {
	return f.like[w.folded] || descriptive(f.classes[f.meaning(w)])
}

func descriptive(c basket.WordClass) bool { return c >= basket.Form && c <= basket.Implied }

// refused returns what a text names after words such as "no" and "don't buy"; empty: it has none of them, or
// says what goods are like, such as "no salt", or names a brand, such as "No Name".
func (f *Finder) refused(text string) string {
	for text = strings.TrimSpace(spelled.Replace(strings.ToLower(text))); text != ""; {
		rest, no := f.negated(text)
		found := f.find(rest)
		if no && !descriptive(f.classes[f.synonyms[stems(read(text).words)]]) && found.named && found.Matches[0].How == matchKinds[byWords] {
			return rest
		}
		first, after, _ := strings.Cut(text, " ")
		if text = ""; f.aside[fold.Text(first)] || fillers[fold.Text(first)] {
			text = after
		}
	}
	return ""
}

// negated returns what follows the words that refuse it; no: there are such words.
func (f *Finder) negated(text string) (rest string, no bool) {
	for _, of := range f.unwanted {
		if rest, no = strings.CutPrefix(text, of); no {
			break
		}
	}
	return rest, no
}
