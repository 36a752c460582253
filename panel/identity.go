package panel

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/fold"
)

// misfit says why a row is not the product of its listing; the zero misfit: it may be.
type misfit struct{ rule, why string }

// foldedSpec is a spec whose terms are folded as titles are.
type foldedSpec struct {
	basket.Spec
	unit    basket.Unit
	require [][]string
	forbid  []string
}

func foldSpec(s basket.Spec, unit basket.Unit) *foldedSpec {
	each := func(terms []string) []string {
		folded := make([]string, len(terms))
		for i, t := range terms {
			folded[i] = words(t)
		}
		return folded
	}
	r := &foldedSpec{Spec: s, unit: unit, forbid: each(s.Forbid)}
	for _, group := range s.Require {
		r.require = append(r.require, each(group))
	}
	return r
}

// identify compares a title and a package size, as scraped, with the spec. The first misfit
// counts. What is not known can't fail: a missing spec, title or size, a size that can't be
// read or is in another unit than the product's, and a weight that is only the basis of a
// price ("per kg").
func (r *foldedSpec) identify(title, size string) misfit {
	if r == nil {
		return misfit{}
	}
	if title = Repair(title); title != "" {
		title = words(title)
		has := func(term string) bool { return term != "" && strings.Contains(title, term) }
		for i, group := range r.require {
			if !slices.ContainsFunc(group, has) {
				return misfit{"lacks_term", fmt.Sprintf("the title lacks %q", strings.Join(r.Require[i], " or "))}
			}
		}
		if i := slices.IndexFunc(r.forbid, has); i >= 0 {
			return misfit{"has_term", fmt.Sprintf("the title has %q", r.Forbid[i])}
		}
	}
	parsed, err := basket.ParseSize(size)
	if err != nil || parsed.PerWeight {
		return misfit{}
	}
	unit := ""
	if r.unit != basket.Count {
		unit = " " + r.unit.String()
	}
	switch q, ok := parsed.In(r.unit); {
	case ok && q < r.MinSize:
		return misfit{"too_small", fmt.Sprintf("a package of %v%s is below %v", q, unit, r.MinSize)}
	case ok && r.MaxSize > 0 && q > r.MaxSize:
		return misfit{"too_large", fmt.Sprintf("a package of %v%s is above %v", q, unit, r.MaxSize)}
	}
	return misfit{}
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
