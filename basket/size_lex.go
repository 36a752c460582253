package basket

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/larder-index/larder/internal/fold"
)

// Sizes of imperial and US units: the pound and the ounce of the international
// yard and pound agreement (1959), the imperial gallon of 4.54609 L (Canada's
// Weights and Measures Act, schedule II), the US gallon of 231 cubic inches.
const (
	gramsPerPound   = 453.59237
	gramsPerOunce   = gramsPerPound / 16
	imperialGallon  = 4546.09
	usGallon        = 3785.411784
	imperialFlOunce = imperialGallon / 160
	usFlOunce       = usGallon / 128
)

// A sizeUnit says how many g, mL or things a unit has. lo and hi differ where it has several kinds, such as US and
// imperial gallons.
type sizeUnit struct {
	lo, hi float64
	of     Unit
}

var (
	noUnit     = sizeUnit{}
	thing      = sizeUnit{1, 1, Count}
	dozen      = sizeUnit{12, 12, Count}
	gram       = sizeUnit{1, 1, Gram}
	kilogram   = sizeUnit{1000, 1000, Gram}
	pound      = sizeUnit{gramsPerPound, gramsPerPound, Gram}
	ounce      = sizeUnit{gramsPerOunce, gramsPerOunce, Gram} // fluid beside a volume
	millilitre = sizeUnit{1, 1, Millilitre}
	litre      = sizeUnit{1000, 1000, Millilitre}
	fluidOunce = sizeUnit{imperialFlOunce, usFlOunce, Millilitre} // of either kind
)

// sizeUnits has the units by their names in size.txt.
var sizeUnits = map[string]sizeUnit{
	"g": gram, "kg": kilogram, "lb": pound, "oz": ounce, "mL": millilitre, "L": litre, "fl oz": fluidOunce,
	"US fl oz": {usFlOunce, usFlOunce, Millilitre}, "imperial fl oz": {imperialFlOunce, imperialFlOunce, Millilitre},
	"cL":     {10, 10, Millilitre},
	"dL":     {100, 100, Millilitre},
	"pint":   {usGallon / 8, imperialGallon / 8, Millilitre}, // of 16 US or 20 imperial fluid ounces
	"quart":  {usGallon / 4, imperialGallon / 4, Millilitre},
	"gallon": {usGallon, imperialGallon, Millilitre},
}

// metric reports whether the unit is a whole number of g or mL. No imperial one is.
func (u sizeUnit) metric() bool { return u.lo == float64(int(u.lo)) }

// A sizeWord is the meaning of a word in a size text: a unit, a noun that is
// counted, or another class, which size.txt explains. The zero sizeWord means nothing.
type sizeWord struct {
	class string   // "unit", "noun" or another
	unit  sizeUnit // of a unit, or a fluid ounce that it makes of an ounce: US
	noun  nounKind // of a noun
}

// nounKind says how a count goes together with a weight or volume beside it.
// The order matters: packs and boxes come after pieces.
type nounKind uint8

const (
	noNoun     nounKind = iota
	pieceNoun           // pieces, eggs: a weight beside them is that of all
	heavyNoun           // burgers, fillets: the same, and they can't be light
	podNoun             // K-cups, tablets, tea bags: the same, and they may be light
	rollNoun            // rolls: pieces that hold sheets
	countNoun           // ct, units: pieces when they come before the weight
	eachNoun            // each, unit: the same, and one when alone
	packNoun            // pack, pk
	packOfNoun          // pack of 6
	boxNoun             // bags, cans: "24 bags 82 g" may be 82 g each
	cupNoun             // cups: the same, and no count when alone
	sheetNoun           // sheets, held by rolls and packs
)

// nounKinds has the names of pieceNoun and its successors in size.txt.
var nounKinds = strings.Fields("piece heavy pod roll count each pack packOf box cup sheet")

//go:embed size.txt
var sizeVocabulary string

// sizeWords has every word that matters in a size text, folded.
var sizeWords = readSizeWords()

func readSizeWords() map[string]sizeWord {
	words := map[string]sizeWord{}
	for line := range strings.Lines(sizeVocabulary) {
		line, _, _ = strings.Cut(line, "#")
		name, list, _ := strings.Cut(line, ": ")
		class, kind, _ := strings.Cut(name, " ")
		meaning := sizeWord{class: class, unit: sizeUnits[kind], noun: nounKind(1 + slices.Index(nounKinds, kind))}
		if kind != "" && meaning.unit == noUnit && meaning.noun == noNoun {
			panic("basket: size.txt: no meaning " + name)
		}
		for word := range strings.FieldsSeq(list) {
			words[word] = meaning
		}
	}
	return words
}

func lookupSizeWord(word string) sizeWord { return sizeWords[fold.Text(word)] }

type sizeToken struct {
	kind sizeTokenKind
	mark byte // of a mark: one of sizeMarks, x for a multiplier, or ; for all others
	gap  bool // white space before it
	glue bool // of a number: a letter right before it
	dot  bool // a full stop right after it
	word sizeWord
	num  sizeNumber
}

type sizeTokenKind uint8

const (
	endToken sizeTokenKind = iota // past the end
	numberToken
	wordToken
	markToken
)

const sizeMarks = `-/+=%()#,'"~$`

// sizeSigns writes the signs of a size text in ASCII. A $ is any currency.
var sizeSigns = strings.NewReplacer(
	"½", " 1/2 ", "⅓", " 1/3 ", "¼", " 1/4 ", "¾", " 3/4 ", "×", " x ", "✕", " x ",
	"€", "$", "£", "$", "¢", "$", "¥", "$", "₹", "$", "‐", "-", "‑", "-", "–", "-", "—", "-", "−", "-",
	"’", "'", "‘", "'", "′", "'", "”", `"`, "“", `"`, "″", `"`, "≈", "~", "±", "~",
	"®", " ", "™", " ", "©", " ", "\u00ad", " ", "\u200b", " ", "\ufeff", " ")

// lexSize appends the tokens of text to toks. It drops full stops after words, and turns signs that
// mean nothing in sizes into semicolons.
func lexSize(text string, toks []sizeToken) []sizeToken {
	text = sizeSigns.Replace(text)
	gap, prev := false, ' '
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		t, end := sizeToken{kind: markToken, mark: ';', gap: gap}, i+n
		switch {
		case unicode.IsSpace(r):
			gap, i, prev = true, end, ' '
			continue
		case r >= '0' && r <= '9',
			r == '.' && !unicode.IsLetter(prev) && !unicode.IsDigit(prev) && digitAt(text, end):
			t.kind, t.glue = numberToken, unicode.IsLetter(prev)
			t.num, end = lexSizeNumber(text, i)
		case unicode.IsLetter(r):
			end = len(text)
			if k := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) }); k >= 0 {
				end = i + k
			}
			// The x of "300mlx8" belongs to no word.
			last := end - 1
			if last > i && text[last]|0x20 == 'x' && digitAt(text, end) &&
				lookupSizeWord(text[i:last]).class == "unit" {
				end = last
			}
			if word := text[i:end]; word == "x" || word == "X" {
				t.mark = 'x'
			} else {
				t.kind, t.word = wordToken, lookupSizeWord(word)
			}
		case r == '.': // ends an abbreviation or a sentence
			if unicode.IsLetter(prev) {
				toks[len(toks)-1].dot = true
			}
			gap, i, prev = false, end, r
			continue
		case r == '*' && digitAt(strings.TrimPrefix(text[end:], " "), 0): // else a footnote
			t.mark = 'x'
		case strings.ContainsRune(sizeMarks, r):
			t.mark = byte(r)
		}
		prev, _ = utf8.DecodeLastRuneInString(text[:end])
		toks, gap, i = append(toks, t), false, end
	}
	return toks
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// A sizeNumber is a number as a text writes it.
type sizeNumber struct {
	x        float64
	places   int  // digits behind the decimal mark
	fraction bool // 1/2, or 2 1/2
	form     numberForm
}

// numberForm says how far the digits are clear before the unit is known.
type numberForm uint8

const (
	plainNumber   numberForm = iota
	commaThousand            // 1,000: a thousand of g, one of kg; x is one
	dotThousand              // 1.500: 1.5, or a thousand and a half
	badNumber                // 1.2.3, or more digits than a size has
)

func (n sizeNumber) whole() bool { return n.places == 0 && !n.fraction }

// in returns so many of a unit, in g, mL or things. 1,000 is a thousand of g, mL and things,
// and one of kg, L and lb. With other units, and in 1.500 g, the marks are open: it reports false.
func (n sizeNumber) in(u sizeUnit) (span, bool) {
	small := u == gram || u == millilitre || u.of == Count
	ok := n.form != badNumber && (n.form != dotThousand || !small)
	if n.form == commaThousand {
		ok = small || u == kilogram || u == litre || u == pound
		if small {
			n.x *= 1000
		}
	}
	return span{tidy(n.x * u.lo), tidy(n.x * u.hi)}, ok
}

// A span is the smallest and the largest quantity, in g, mL or things, that one number
// may mean. They differ for units of more than one kind.
type span struct{ lo, hi float64 }

// count returns the quantity as a number of things, if it is whole.
func (x span) count() (int, bool) {
	k := int(min(x.lo, maxCount+1))
	return k, k <= maxCount && float64(k) == x.lo
}

// meets reports whether x times k and y may be one quantity, to a tolerance.
func (x span) meets(k float64, y span, tolerance float64) bool {
	return x.lo*k <= y.hi*(1+tolerance) && y.lo <= x.hi*k*(1+tolerance)
}

var (
	sizeDigits    = regexp.MustCompile(`^\d*(?:[.,]\d+)*`)
	sizeThousands = regexp.MustCompile(`^([1-9]\d{0,2})[ \x{a0}\x{202f}\x{2009}](000)(?:\D|$)`)
	sizeFraction  = regexp.MustCompile(`^/([2-4])(?:[^\d.,/]|$)`)
)

// sizeNumbers are the forms of numbers. The first that fits counts, and no other is a number.
var sizeNumbers = []struct {
	shape *regexp.Regexp
	form  numberForm
	comma string // what its commas are replaced by
}{
	{regexp.MustCompile(`^[1-9]\d{0,2},\d{3}$`), commaThousand, "."},
	{regexp.MustCompile(`^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$`), plainNumber, ""}, // 1,234.5 and 1,000,000
	{regexp.MustCompile(`^[1-9]\d?\.\d00$`), dotThousand, ""},
	{regexp.MustCompile(`^\d*(?:\.\d+)?$`), plainNumber, ""},
	{regexp.MustCompile(`^\d+,\d+$`), plainNumber, "."},
}

// lexSizeNumber reads the number at text[i:], with its fraction and thousands marks, and returns where it ends.
func lexSizeNumber(text string, i int) (sizeNumber, int) {
	digits := ""
	// 1 000 with any kind of space is a thousand; other groups are not so sure.
	if at := sizeThousands.FindStringSubmatchIndex(text[i:]); at != nil {
		digits = text[i:i+at[3]] + "000"
		i += at[5]
	}
	tail := sizeDigits.FindString(text[i:])
	digits += tail
	i += len(tail)
	n := sizeNumber{form: badNumber}
	for _, f := range sizeNumbers {
		if len(digits) <= 16 && f.shape.MatchString(digits) {
			digits = strings.ReplaceAll(digits, ",", f.comma)
			n.form = f.form
			n.x, _ = strconv.ParseFloat(digits, 64) // of digits alone
			break
		}
	}
	_, places, _ := strings.Cut(digits, ".")
	n.places = len(places)
	// 1/2, 1/3, 1/4 or 3/4
	if m := sizeFraction.FindStringSubmatch(text[i:]); m != nil && n.places == 0 {
		if d := float64(m[1][0] - '0'); n.x == 1 || n.x == 3 && d == 4 {
			n.x, n.fraction, i = n.x/d, true, i+2
		}
	}
	return n, i
}
