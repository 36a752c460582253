package basket

import (
	_ "embed"
	"slices"
	"strings"

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

// A sizeUnit is lo to hi g, mL or things. The two differ for units of more than one kind.
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
