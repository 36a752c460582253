package basket

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Size is the content of a package as a shop states it. ParseSize makes one from
// text, and String writes it back. Equal sizes are ==.
type Size struct {
	Quantity float64 // the whole package, in Unit: Packs times Each; of a range the middle
	Unit     Unit    // Gram, Millilitre or Count
	Packs    int     // packs or pieces of the same content, 4 in "4 x 100 mL"; else 1
	Each     float64 // the content of one of them, in Unit; with one pack the Quantity

	// Pieces is how many pieces the text counts beside a weight or volume: 6 in
	// "6 bagels, 450 g". 0 if it counts none, and for sizes in Count.
	Pieces int

	PerWeight   bool    // the price is per kg, lb or 100 g; without another size that is the Quantity
	Approximate bool    // "approx.", "env.", a minimum or maximum, or a range
	Min, Max    float64 // the ends of a range, in Unit, Min < Max; else both 0
}

// The reasons why a text is no Size. Errors of ParseSize wrap one of them and
// quote the text.
var (
	ErrSizeEmpty     = errors.New("it is empty")
	ErrNotSize       = errors.New("it states no size that a package has")
	ErrSizePrice     = errors.New("it is a price, not a size")
	ErrSizeConflict  = errors.New("the sizes in it disagree")
	ErrSizeAmbiguous = errors.New("it can be read in more than one way")
)

// ParseSize reads a package size from the text that a shop writes, in English
// or French, with other words around it or not: "675 g", "4 x 100 mL",
// "796 ml/28 oz liq", "0,40 - 0,50 kg", "environ 1 kg", "12 rouleaux", "/lb".
//
// Weights are stated in grams, volumes in millilitres, everything else is counted. Of a metric and an
// imperial size that agree within 3% the metric one counts. A plain ounce is of weight, unless a volume
// beside it says otherwise; a fluid ounce alone is a range, from the imperial (28.4131 mL) to the US one
// (29.5735 mL), unless the text names its kind. A comma before three digits is a thousands mark with g, mL
// and counts ("1,000 g"), and a decimal comma with kg, L and lb ("1,360 kg").
//
// It never guesses: a text with no size, with two that disagree, or with one that can be read in two ways is an
// error (see ErrNotSize and its neighbours). docs/sizes.md lists the texts that it reads and refuses.
func ParseSize(text string) (Size, error) {
	r := sizeReader{toks: lexSize(text, make([]sizeToken, 0, 32))}
	s, err := Size{}, ErrSizeEmpty
	says := func(t sizeToken) bool { return t.kind != markToken || t.mark == 'x' || t.mark == '$' }
	if slices.ContainsFunc(r.toks, says) {
		r.read()
		s, err = r.settle()
	}
	if err != nil {
		return Size{}, fmt.Errorf("basket: size %.80q: %w", text, err)
	}
	return s, nil
}

// The bounds of a package. A text beyond them is a slip of the shop.
const (
	minQuantity = 0.5     // g or mL
	maxQuantity = 250_000 // g or mL
	maxCount    = 100_000
)

// newSize returns a size of packs that hold lo to hi each, an error if no package does.
func newSize(u Unit, packs int, lo, hi float64) (Size, error) {
	s := Size{Unit: u, Packs: packs, Each: lo}
	if lo != hi {
		s.Each, s.Approximate = tidy((lo+hi)/2), true
		s.Min, s.Max = lo, hi
	}
	s.Quantity = tidy(float64(packs) * s.Each)
	least, most := minQuantity, float64(maxQuantity)
	if u == Count {
		least, most = 1, maxCount
	}
	switch {
	case packs < 1 || lo <= 0 || s.Quantity < least || s.Quantity > most,
		lo != hi && (s.Each <= lo || s.Each >= hi),
		u == Count && lo == hi && lo != math.Trunc(lo):
		return Size{}, ErrNotSize
	case packs > 100 && math.Abs(s.Each-float64(packs)) <= 1:
		return Size{}, ErrSizeAmbiguous // "454 x 454 g" is one number written twice
	}
	return s, nil
}

// tidy rounds to a millionth, because floating point leaves dust below it.
func tidy(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// In returns the size in a product's unit: the quantity if it is in that unit,
// or the pieces if the unit is Count and the text counts them beside a weight or
// volume. Otherwise it reports false, because units don't convert.
func (s Size) In(u Unit) (float64, bool) {
	switch {
	case s.Quantity > 0 && s.Unit == u:
		return s.Quantity, true
	case u == Count && s.Pieces > 0:
		return float64(s.Pieces), true
	}
	return 0, false
}

// Fixed reports whether every package holds exactly the stated size: it is
// neither approximate nor sold by weight.
func (s Size) Fixed() bool { return s.Quantity > 0 && !s.Approximate && !s.PerWeight }

// String returns the canonical text of the size, in g, mL or ct, which
// ParseSize reads back as the same size: "4 x 100 mL", "400 - 500 g",
// "~1200 g", "450 g in 6 pieces", "per kg". The zero Size is "no size".
func (s Size) String() string {
	if s.Quantity <= 0 {
		return "no size"
	}
	if s.PerWeight && s == (Size{Quantity: s.Quantity, Unit: Gram, Packs: 1, Each: s.Quantity, PerWeight: true}) {
		switch s.Quantity {
		case 1000:
			return "per kg"
		case gramsPerPound:
			return "per lb"
		}
		return "per " + formatSizeNumber(s.Quantity) + " g"
	}
	text, unit := formatSizeNumber(s.Quantity), s.Unit.String()
	if s.Packs > 1 {
		text = strconv.Itoa(s.Packs) + " x " + formatSizeNumber(s.Each)
	}
	if s.Max > 0 {
		text = formatSizeNumber(s.Min) + " - " + formatSizeNumber(s.Max)
	} else if s.Approximate {
		text = "~" + text
	}
	if s.Unit == Count {
		unit = "ct"
	}
	text += " " + unit
	if s.Pieces > 0 {
		text += " in " + strconv.Itoa(s.Pieces) + " pieces"
	}
	if s.PerWeight {
		text += " by weight"
	}
	return text
}

func formatSizeNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
