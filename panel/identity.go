package panel

import (
	"fmt"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Misfit is what keeps a row from being the product that its listing says.
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

var misfitNames = [...]string{"fits", "lacks_term", "has_term", "too_small", "too_large"}

// String returns fits, lacks_term, has_term, too_small or too_large.
func (m Misfit) String() string {
	if int(m) < len(misfitNames) {
		return misfitNames[m]
	}
	return fmt.Sprintf("Misfit(%d)", uint8(m))
}

// Identity is the outcome of comparing a row's title and package size with the
// product's spec. The zero Identity is a row that fits.
type Identity struct {
	Misfit Misfit
	Term   string      // the required term in all its spellings, or the forbidden one
	Size   float64     // of the package that is out of range
	Bound  float64     // the end of the range that it is beyond
	Unit   basket.Unit // of Size and Bound
}

// String says in words what the row lacks; "fits" if nothing.
func (i Identity) String() string {
	switch i.Misfit {
	case LacksTerm:
		return fmt.Sprintf("the title lacks %q", i.Term)
	case HasTerm:
		return fmt.Sprintf("the title has %q", i.Term)
	case TooSmall:
		return fmt.Sprintf("a package of %s is below %v", i.size(), i.Bound)
	case TooLarge:
		return fmt.Sprintf("a package of %s is above %v", i.size(), i.Bound)
	}
	return i.Misfit.String()
}

func (i Identity) size() string {
	if i.Unit == basket.Count {
		return fmt.Sprint(i.Size)
	}
	return fmt.Sprintf("%v %s", i.Size, i.Unit)
}

// rules is a spec made ready for comparing: every term folded as titles are.
type rules struct {
	basket.Spec
	unit    basket.Unit
	require [][]string
	forbid  []string
}

func newRules(s basket.Spec, unit basket.Unit) *rules {
	fold := func(terms []string) []string {
		folded := make([]string, len(terms))
		for i, t := range terms {
			folded[i] = words(t)
		}
		return folded
	}
	r := &rules{Spec: s, unit: unit, forbid: fold(s.Forbid)}
	for _, group := range s.Require {
		r.require = append(r.require, fold(group))
	}
	return r
}

// identify compares a title and a package size, as scraped, with the spec. What
// is not known can't fail: no spec, no title, no size, a size that can't be
// read, that is in another unit than the product's, or that is only the weight
// which a price is for ("per kg").
func (r *rules) identify(title, size string) Identity {
	if r == nil {
		return Identity{}
	}
	if id := r.title(Repair(title)); id.Misfit != Fits {
		return id
	}
	return r.size(size)
}

func (r *rules) title(title string) Identity {
	if title == "" {
		return Identity{}
	}
	title = words(title)
	for i, group := range r.require {
		if !hasAny(title, group) {
			return Identity{Misfit: LacksTerm, Term: strings.Join(r.Require[i], " or ")}
		}
	}
	for i, term := range r.forbid {
		if hasTerm(title, term) {
			return Identity{Misfit: HasTerm, Term: r.Forbid[i]}
		}
	}
	return Identity{}
}

func hasAny(title string, terms []string) bool {
	for _, t := range terms {
		if hasTerm(title, t) {
			return true
		}
	}
	return false
}

func (r *rules) size(text string) Identity {
	if text == "" || r.MinSize == 0 && r.MaxSize == 0 {
		return Identity{}
	}
	size, err := basket.ParseSize(text)
	if err != nil || size.PerWeight {
		return Identity{}
	}
	q, ok := size.In(r.unit)
	switch {
	case ok && q < r.MinSize:
		return Identity{Misfit: TooSmall, Size: q, Bound: r.MinSize, Unit: r.unit}
	case ok && r.MaxSize > 0 && q > r.MaxSize:
		return Identity{Misfit: TooLarge, Size: q, Bound: r.MaxSize, Unit: r.unit}
	}
	return Identity{}
}
