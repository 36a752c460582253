package find

import (
	"slices"

	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/internal/suggest"
)

type word struct {
	marked string // in lower case, with accents
	folded string // without accents
	stem   string // folded, without the ending of a plural
}

// same reports whether two words are one, in singular or plural. Accents count only
// if typed has one.
func (w word) same(typed word) bool {
	return w.stem == typed.stem && (typed.marked == typed.folded || fold.Stem(w.marked) == fold.Stem(typed.marked))
}

// joined writes words as one, such as "icecream".
func joined(words []word) (text string) {
	for i, w := range words {
		if i == len(words)-1 {
			return text + w.stem
		}
		text += w.folded
	}
	return text
}

// resembles reports whether a word is a misspelling of another. Words of up to 3 letters
// have none, of up to 7 one wrong letter, longer ones two. Two letters that changed
// places are one fault. The first letter is always right.
func (w word) resembles(typed word) bool {
	faults := 0
	switch n := len(typed.folded); {
	case n > 7:
		faults = 2
	case n > 3:
		faults = 1
	}
	if faults == 0 || w.folded[0] != typed.folded[0] {
		return false
	}
	for _, own := range []string{w.folded, w.stem} {
		for _, other := range []string{typed.folded, typed.stem} {
			d := suggest.Distance(own, other)
			if d <= faults || d == faults+1 && lettersOf(own) == lettersOf(other) {
				return true
			}
		}
	}
	return false
}

func lettersOf(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}
