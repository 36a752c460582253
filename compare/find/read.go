package find

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/fold"
)

// askedAmount is a number in a text with what it counts.
type askedAmount struct {
	n     float64
	kind  basket.Unit
	named bool // by a noun such as "rolls" or "bags"
	times bool // "x2"
}

const (
	nothing  basket.Unit = 0
	packages             = basket.Count + 1 // "2", "2 bags"; "dozen" and "12 rolls" are pieces
)

// asking is a text taken apart: words, a number of packages and a size.
type asking struct {
	words  []word
	count  askedAmount // packages, or a bare number
	size   askedAmount // pieces, grams or millilitres
	filler bool        // the words are filler such as "the"
}

var (
	bullet       = regexp.MustCompile(`^\s*(?:[-*+•·–—▪◦‣☐☑✓✔]+|\[[ xX]?\]|\d{1,2}[.)](?:\s|$))\s*(?:\[[ xX]?\]\s*)?`)
	decimalComma = regexp.MustCompile(`(\d),(\d)`)
	percentSign  = regexp.MustCompile(`(\d)\s*%`)
	tokens       = regexp.MustCompile(`\d+/\d+|(?:\d+(?:\.\d+)?|\.\d+)%?|[\p{L}\p{M}]+`)
	money        = regexp.MustCompile(`\$\s*\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s*\$`)
	spelled      = strings.NewReplacer("œ", "oe", "æ", "ae", "½", " 1/2 ", "¼", " 1/4 ", "¾", " 3/4 ", "×", " x ", "’", " ", "'", " ")
)

// unit is a word behind a number.
type unit struct {
	kind basket.Unit
	per  float64 // grams, millilitres or pieces in one
}

// units are the words behind a number, in singular and without accents, but for those
// of weight and volume.
var units = map[string]unit{}

var numbers = map[string]float64{}

// fillers are words that say nothing of the goods.
var fillers = map[string]bool{}

func init() {
	for list, u := range map[string]unit{
		"dozen doz dz douzaine":                      {basket.Count, 12},
		"roll rouleau rouleaux sachet pack ct count": {basket.Count, 1},
		"bag sac box boxe boite bottle bouteille jar pot package pkg paquet carton loaf loave miche block bloc tub can tin conserve head bunch bunche botte jug each ea unit unite piece container contenant barquette packs": {packages, 1},
	} {
		for name := range strings.FieldsSeq(list) {
			units[name] = u
		}
	}
	for i, list := range []string{"half demi demie", "one a an un une", "two deux couple pair paire", "three trois", "four quatre", "five cinq", "six", "seven sept", "eight huit", "nine neuf", "ten dix", "eleven onze", "twelve douze"} {
		for name := range strings.FieldsSeq(list) {
			numbers[name] = max(float64(i), 0.5)
		}
	}
	for name := range strings.FieldsSeq("a an the of some any my our i we need buy get please more and per un une le la les l de du des d et au aux en x avec") {
		fillers[name] = true
	}
}

func read(text string) asking {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	text = money.ReplaceAllString(spelled.Replace(strings.ToLower(norm.NFC.String(text))), " ")
	text = percentSign.ReplaceAllString(decimalComma.ReplaceAllString(text, "$1.$2"), "$1%")
	all := tokens.FindAllString(text, -1)
	var a asking
	var rest []string
	for i := 0; i < len(all); {
		n, used, ok := numberAt(all, i)
		edge := i == 0 || i+used == len(all) || slices.Contains(all[max(i-1, 0):i], "x")
		u, named := unit{}, false
		if ok && i+used < len(all) {
			u, named = unitOf(all[i+used], n)
		}
		switch {
		case ok && named:
			a.take(n*u.per, u.kind, true)
			if all[i+used] == "can" || all[i+used] == "cans" {
				rest = append(rest, "canned")
			}
			used++
		case ok && edge && (used > 1 && n >= 1 || !fillers[fold.Text(all[i])] && numbers[fold.Text(all[i])] != 0.5): // not a, not half
			a.take(n, packages, false)
			a.count.times = a.count.times || slices.Contains(all[max(i-1, 0):min(i+used+1, len(all))], "x")
		default:
			rest, used = append(rest, all[i]), 1
		}
		i += used
	}
	a.words = meantWords(rest, &a)
	return a
}

// numberAt reads a number, such as "2", "1 1/2", "half a" or "a", and how many tokens
// it takes.
func numberAt(all []string, i int) (n float64, used int, ok bool) {
	n, ok = number(all[i])
	if !ok {
		return 0, 0, false
	}
	used = 1
	if i+1 < len(all) {
		next, more := number(all[i+1])
		switch article := fillers[fold.Text(all[i+1])]; {
		case more && strings.Contains(all[i+1], "/") && !strings.Contains(all[i], "/"):
			n, used = n+next, 2
		case more && n == 0.5 && article: // "half a"
			used = 2
		case more && !article && fillers[fold.Text(all[i])]: // "a half", "a couple"
			n, used = next, 2
		}
	}
	return n, used, true
}

func number(s string) (float64, bool) {
	if n, ok := numbers[fold.Text(s)]; ok {
		return n, true
	}
	if top, bottom, is := strings.Cut(s, "/"); is {
		x, _ := strconv.ParseFloat(top, 64)
		y, _ := strconv.ParseFloat(bottom, 64)
		return x / y, y > 0
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// unitOf reads a unit behind a number. "12 pack" is twelve pieces, "2 packs" are two
// packages.
func unitOf(s string, n float64) (unit, bool) {
	f := fold.Text(s)
	if f == "pack" && n == 1 {
		f = "packs"
	}
	if u, ok := unitNamed(f); ok {
		return u, true
	}
	return unitNamed(strings.TrimSuffix(f, "s"))
}

func unitNamed(folded string) (unit, bool) {
	if size, of, ok := basket.Measure(folded); ok {
		return unit{of, size}, true
	}
	u, ok := units[folded]
	return u, ok
}

// take keeps an amount. The first of a kind counts.
func (a *asking) take(n float64, kind basket.Unit, named bool) {
	to := &a.size
	if kind == packages {
		to = &a.count
	}
	if to.kind == nothing {
		*to = askedAmount{n: n, kind: kind, named: named}
	}
}

// meantWords returns the words that say what is meant. Packages such as "bag of" and
// units without a number say nothing, unless they are all there is.
func meantWords(rest []string, a *asking) (words []word) {
	var spare []word
	for i, s := range rest {
		w := word{marked: s, folded: fold.Text(s)}
		w.stem = fold.Stem(w.folded)
		u, isUnit := unitNamed(w.stem)
		before := i+1 < len(rest) && slices.Contains([]string{"of", "de", "d"}, fold.Text(rest[i+1]))
		switch {
		case isUnit && u.kind == basket.Count && u.per > 1:
			a.take(u.per, basket.Count, false)
			spare = append(spare, w)
		case w.stem == "can" && len(words) > 0 && i+1 == len(rest): // "tomatoes (can)"
			words = append(words, word{"canned", "canned", "canned"})
		case fillers[w.marked],
			isUnit && (u.kind == basket.Gram || u.kind == basket.Millilitre),
			isUnit && before,
			isUnit && slices.Contains([]string{"each", "ea", "unit", "unite", "piece"}, w.stem):
			spare = append(spare, w)
			if before && (w.stem == "can" || w.stem == "tin") {
				words = append(words, word{"canned", "canned", "canned"})
			}
		case w.folded != "":
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		a.filler = true
		return spare
	}
	return words
}
