package oracle

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/larder-index/larder/basket"
	names "github.com/larder-index/larder/panel"
)

// Spec says how a title and a package size must be. Terms are as written
// in the file, with accents and capitals or without.
type Spec struct {
	Require [][]string // of each group one term at least
	Forbid  []string   // none of them
	Min     *big.Rat   // in the product's unit; nil is no bound
	Max     *big.Rat
}

// failure says how a row fails identity, or "". Section 8: "the scraped title
// must satisfy the product's spec (required terms, any of several spellings,
// English and French; forbidden terms), and the parsed package size must lie in
// the spec's range, both ends included".
func (s Spec) failure(title, size string, unit basket.Unit) string {
	if failure := s.titleFailure(title); failure != "" {
		return failure
	}
	return s.sizeFailure(size, unit)
}

// titleFailure. Section 8: "Terms match whole words [...] of the title,
// repaired, lower-cased, accents folded"; a row without a title passes.
func (s Spec) titleFailure(title string) string {
	repaired := names.Repair(title)
	if repaired == "" {
		return ""
	}
	words := foldedWords(repaired)
	for _, group := range s.Require {
		if !slices.ContainsFunc(group, func(term string) bool { return hasTerm(words, term) }) {
			return "without " + strings.Join(group, "|")
		}
	}
	for _, term := range s.Forbid {
		if hasTerm(words, term) {
			return "with " + term
		}
	}
	return ""
}

// sizeFailure. Section 8: a row without a size, or with "a size that can't be
// parsed or is in another unit than the product's passes"; a price by weight
// states no package.
func (s Spec) sizeFailure(text string, unit basket.Unit) string {
	size, err := basket.ParseSize(text)
	if err != nil || size.PerWeight {
		return ""
	}
	inUnit, ok := size.In(unit)
	if !ok {
		return ""
	}
	// The shortest decimal that is this float64: 453.592, not its neighbour.
	quantity := decimal(strconv.FormatFloat(inUnit, 'f', -1, 64))
	if s.Min != nil && quantity.Cmp(s.Min) < 0 {
		return fmt.Sprintf("size below %s", s.Min.RatString())
	}
	if s.Max != nil && quantity.Cmp(s.Max) > 0 {
		return fmt.Sprintf("size above %s", s.Max.RatString())
	}
	return ""
}

// hasTerm: "a term of several words: those words in a row".
func hasTerm(title []string, term string) bool {
	words := foldedWords(term)
	for start := 0; start+len(words) <= len(title); start++ {
		if slices.Equal(title[start:start+len(words)], words) {
			return true
		}
	}
	return false
}

// foldedWords lower-cases, takes the accents off (and œ apart), and splits at
// every character that is no letter or digit.
func foldedWords(text string) []string {
	var folded strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent, off its letter
		case r == 'œ':
			folded.WriteString("oe")
		default:
			folded.WriteRune(r)
		}
	}
	return strings.FieldsFunc(folded.String(), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// decimal reads a decimal number exactly.
func decimal(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text)
	}
	return v
}
