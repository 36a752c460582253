package panel

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/internal/fold"
)

// Misfit says why a row is not the product of its listing.
type Misfit uint8

// The misfits, in the order in which they are looked for; the first one found
// counts.
const (
	Fits      Misfit = iota // nothing
	LacksTerm               // the title has none of the spellings of a required term
	HasTerm                 // the title has a forbidden term
	TooSmall                // the package is below the spec's range
	TooLarge                // the package is above it
)

var misfits = enum.New("Misfit", Fits, "fits", "lacks_term", "has_term", "too_small", "too_large")

// String returns fits, lacks_term, has_term, too_small or too_large.
func (m Misfit) String() string { return misfits.String(m) }

// Identity is the result of comparing a row's title and package size with the
// product's spec. The zero Identity is that of a row that fits.
type Identity struct {
	Misfit Misfit
	Term   string      // the required term in all its spellings, or the forbidden one
	Size   float64     // of the package that is out of range
	Bound  float64     // the end of the range that it is beyond
	Unit   basket.Unit // of Size and Bound
}

// String says in words why the row does not fit, or "fits".
func (i Identity) String() string {
	switch i.Misfit {
	case LacksTerm:
		return fmt.Sprintf("the title lacks %q", i.Term)
	case HasTerm:
		return fmt.Sprintf("the title has %q", i.Term)
	case Fits:
		return i.Misfit.String()
	}
	unit, beyond := "", "below"
	if i.Unit != basket.Count {
		unit = " " + i.Unit.String()
	}
	if i.Misfit == TooLarge {
		beyond = "above"
	}
	return fmt.Sprintf("a package of %v%s is %s %v", i.Size, unit, beyond, i.Bound)
}

// rules is a spec whose terms are folded as titles are.
type rules struct {
	basket.Spec
	unit    basket.Unit
	require [][]string
	forbid  []string
}

func newRules(s basket.Spec, unit basket.Unit) *rules {
	each := func(terms []string) []string {
		folded := make([]string, len(terms))
		for i, t := range terms {
			folded[i] = words(t)
		}
		return folded
	}
	r := &rules{Spec: s, unit: unit, forbid: each(s.Forbid)}
	for _, group := range s.Require {
		r.require = append(r.require, each(group))
	}
	return r
}

// identify compares a title and a package size, as scraped, with the spec. What
// is not known can't fail: a missing spec, title or size, a size that can't be
// read or is in another unit than the product's, and a weight that is only the
// basis of a price ("per kg").
func (r *rules) identify(title, size string) Identity {
	if r == nil {
		return Identity{}
	}
	if title = Repair(title); title != "" {
		title = words(title)
		has := func(term string) bool { return hasTerm(title, term) }
		for i, group := range r.require {
			if !slices.ContainsFunc(group, has) {
				return Identity{Misfit: LacksTerm, Term: strings.Join(r.Require[i], " or ")}
			}
		}
		if i := slices.IndexFunc(r.forbid, has); i >= 0 {
			return Identity{Misfit: HasTerm, Term: r.Forbid[i]}
		}
	}
	parsed, err := basket.ParseSize(size)
	if err != nil || parsed.PerWeight {
		return Identity{}
	}
	switch q, ok := parsed.In(r.unit); {
	case ok && q < r.MinSize:
		return Identity{Misfit: TooSmall, Size: q, Bound: r.MinSize, Unit: r.unit}
	case ok && r.MaxSize > 0 && q > r.MaxSize:
		return Identity{Misfit: TooLarge, Size: q, Bound: r.MaxSize, Unit: r.unit}
	}
	return Identity{}
}

// modifierApostrophe is a letter in Unicode. It parts words all the same.
const modifierApostrophe = 'ʼ'

// words folds a text to the form in which titles and terms are compared: its
// words in lower case and without accents, with a space before and after each.
// Everything but letters and digits parts words, apostrophes and hyphens too:
// "L'Œuf à-la-coque" is " l oeuf a la coque ". A text without words is "".
func words(text string) string {
	list := strings.FieldsFunc(fold.Text(text), func(r rune) bool {
		return r == modifierApostrophe || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, " ") + " "
}

// hasTerm reports whether a title has the words of a term in a row. Both are
// folded. No title has a term without words.
func hasTerm(title, term string) bool {
	return term != "" && strings.Contains(title, term)
}
