package basket

import (
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
	noUnit             = sizeUnit{}
	thing              = sizeUnit{1, 1, Count}
	dozen              = sizeUnit{12, 12, Count}
	gram               = sizeUnit{1, 1, Gram}
	kilogram           = sizeUnit{1000, 1000, Gram}
	pound              = sizeUnit{gramsPerPound, gramsPerPound, Gram}
	ounce              = sizeUnit{gramsPerOunce, gramsPerOunce, Gram} // fluid beside a volume
	millilitre         = sizeUnit{1, 1, Millilitre}
	litre              = sizeUnit{1000, 1000, Millilitre}
	fluidOunce         = sizeUnit{imperialFlOunce, usFlOunce, Millilitre} // of either kind
	fluidOunceUS       = sizeUnit{usFlOunce, usFlOunce, Millilitre}
	fluidOunceImperial = sizeUnit{imperialFlOunce, imperialFlOunce, Millilitre}
)

// metric reports whether the unit is a whole number of g or mL. No imperial one is.
func (u sizeUnit) metric() bool { return u.lo == float64(int(u.lo)) }

// A sizeWord is the meaning of a word in a size text: a unit, a noun that is
// counted, or another class, which sizeWords explains. The zero sizeWord means nothing.
type sizeWord struct {
	class string   // "unit", "noun" or another
	unit  sizeUnit // of a unit
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

// sizeWords has every word that matters in a size text, in lower case and
// without accents.
var sizeWords = index(map[sizeWord]string{
	{unit: gram}:                           "g gr grs gm gms gram grams gramme grammes",
	{unit: kilogram}:                       "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
	{unit: millilitre}:                     "ml mls millilitre millilitres milliliter milliliters",
	{unit: sizeUnit{10, 10, Millilitre}}:   "cl centilitre centilitres centiliter centiliters",
	{unit: sizeUnit{100, 100, Millilitre}}: "dl decilitre decilitres deciliter deciliters",
	{unit: litre}:                          "l lt ltr ltrs litre litres liter liters",
	{unit: pound}:                          "lb lbs pound pounds livre livres",
	{unit: ounce}:                          "oz ozs ounce ounces once onces",
	{unit: fluidOunce}:                     "floz",
	{unit: sizeUnit{usGallon / 8, imperialGallon / 8, Millilitre}}: "pt pint pints chopine chopines",
	{unit: sizeUnit{usGallon / 4, imperialGallon / 4, Millilitre}}: "qt qts quart quarts pinte pintes",
	{unit: sizeUnit{usGallon, imperialGallon, Millilitre}}:         "gal gallon gallons",
	{noun: eachNoun}:  "each ea chaque chacun chacune unit unite",
	{noun: countNoun}: "ct cts cnt count units unites un ch",
	{noun: pieceNoun}: "piece pieces pc pcs pce pces morceau morceaux mcx egg eggs oeuf oeufs slice slices tranche tranches " +
		"stick sticks batonnet batonnets bar bars barre barres cookie cookies biscuit biscuits waffle waffles " +
		"gaufre gaufres bagel bagels bun buns muffin muffins tortilla tortillas wrap wraps pita pitas pancake " +
		"pancakes crepe crepes patty patties galette galettes pain pains donut donuts croissant croissants " +
		"breadsticks pellet pellets cube cubes wipe wipes lingette lingettes bunch bunches botte bottes head " +
		"heads filter filters filtre filtres",
	{noun: heavyNoun}: "burger burgers fillet fillets filet filets sausage sausages saucisse saucisses",
	{noun: podNoun}: "pod pods capsule capsules kcup kcups dosette dosettes teabag teabags tablet tablets comprime " +
		"comprimes caplet caplets softgels",
	{noun: rollNoun}: "roll rolls rouleau rouleaux",
	{noun: packNoun}: "pack packs pk pks pkt pkts packet packets paq paquet paquets pqt package packages pkg pkgs",
	{noun: boxNoun}: "bag bags sac sacs can cans canette canettes bottle bottles bouteille bouteilles box boxes boite " +
		"boites pouch pouches sachet sachets jar jars pot pots loaf loaves miche miches tub tubs carton " +
		"cartons tin tins case cases caisse tray trays plateau lot set bundle emballage barquette barquettes " +
		"pochette pochettes",
	{noun: cupNoun}:   "cup cups coupe coupes disc discs",
	{noun: sheetNoun}: "sheet sheets feuille feuilles",
	{class: "dozen"}:  "dozen dozens doz dz douz douzaine douzaines",
	{class: "half"}:   "half demi demie", // six, before a dozen
	{class: "s"}:      "s",               // the s of 18s
	{class: "k"}:      "k t",             // the k of K-cup, the t of T-disc
	{class: "adj"}: "large extra medium small jumbo gros grosse moyens white brown blanc blancs bruns double doubles " +
		"triple triples mega giant big wrapped basket mini fresh toilet bathroom bath kitchen paper towel " +
		"baby wet",
	{class: "tea"}: "tea", // as adj, and it makes tea bags of bags
	{class: "approx"}: "approx approximate approximately environ env about around average avg circa typically minimum " +
		"maximum jusqu",
	{class: "min"}:      "min",                                                      // as approx, unless it is minutes
	{class: "max"}:      "max",                                                      // unless it is part of a name: Pepsi Max
	{class: "bound"}:    "from ca least less moins most than over under des partir", // right before the number
	{class: "typical"}:  "typical typique",
	{class: "circa"}:    "c",         // with a full stop
	{class: "plus"}:     "plus more", // a minimum in "170 g et plus", else a sum
	{class: "and"}:      "and or et ou",
	{class: "for"}:      "for pour",
	{class: "twin"}:     "twin twins twinpack duo duopack bipack",
	{class: "trio"}:     "trio tripack",
	{class: "numeral"}:  "two three four five six seven eight nine ten twelve deux trois quatre cinq sept huit neuf dix douze",
	{class: "quantity"}: "qty qte quantity quantite", // the next number counts something
	{class: "mean"}:     "moyen moyenne",             // approximate in "poids moyen", else medium
	{class: "up"}:       "up",
	{class: "number"}:   "no n nr numero type size taille stage etape phase step grade level niveau", // the next number may name something: no. 5, size 4
	{class: "omega"}:    "omega",
	{class: "per"}:      "per par by",
	{class: "article"}:  "au le la the du",
	{class: "of"}:       "of de d",
	{class: "to"}:       "to a",
	{class: "in"}:       "in en", // inches after a number, else a preposition
	{class: "fluid"}:    "fl fluid liq liquid",
	{class: "ounces"}:   "liquide liquides",
	{class: "us"}:       "us",
	{class: "imperial"}: "imp imperial uk",
	{class: "weight"}:   "weight wt poids",
	{class: "sold"}:     "sold vendu vendus price prix",
	{class: "noise"}: "mg mcg iu ui mm cm m metre metres meter meters inch inches po pouce pouces ft feet foot pi ply " +
		"epaisseur epaisseurs load loads brassee brassees wash washes lavages hr hrs hour hours day days " +
		"jours minute minutes seconds watts w v cal kcal calories",
	{class: "makes"}:    "makes make yields donne serves",                                                             // the next number can be made of it
	{class: "nutrient"}: "protein proteins proteine proteines fibre fibres fiber carb carbs caffeine sodium collagen", // the weight before it is of a nutrient
	{class: "serving"}:  "serving servings portion portions scoop",
	{class: "time"}:     "time use",
	{class: "equals"}:   "equals egale egalent",
})

func index(words map[sizeWord]string) map[string]sizeWord {
	byWord := map[string]sizeWord{}
	for meaning, list := range words {
		switch {
		case meaning.unit != noUnit:
			meaning.class = "unit"
		case meaning.noun != noNoun:
			meaning.class = "noun"
		}
		for word := range strings.FieldsSeq(list) {
			byWord[word] = meaning
		}
	}
	return byWord
}

// Measure returns how much one of a unit of weight or volume is, in grams or
// millilitres, such as 453.59237 Gram for "lbs". It is false for other words, and for
// units of more than one size, such as the pint. Case and accents don't count.
func Measure(word string) (size float64, unit Unit, ok bool) {
	u := lookupSizeWord(word).unit
	if u == noUnit || u.lo != u.hi {
		return 0, 0, false
	}
	return u.lo, u.of, true
}

func lookupSizeWord(word string) sizeWord { return sizeWords[fold.Text(word)] }
