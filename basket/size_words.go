package basket

import (
	"math"
	"strings"

	"github.com/larder-index/larder/internal/fold"
)

// A sizeWord is the meaning of a word in a size text: a unit, a noun that is
// counted, or one of the classes below. The zero sizeWord means nothing.
type sizeWord struct {
	class wordClass
	unit  sizeUnit // of unitWord
	noun  nounKind // of nounWord, and of cups
}

type wordClass uint8

const (
	otherWord    wordClass = iota
	unitWord               // g, litre, oz
	nounWord               // pieces, ct, rouleaux
	dozenWord              // a count of twelve
	halfWord               // six, before a dozen
	letterS                // the s of 18s
	kWord                  // the k of K-cup, the t of T-disc
	adjWord                // may come between a number and its noun: large, double, toilet
	teaWord                // the same, and it makes tea bags of bags
	approxWord             // makes the next number approximate
	minWord                // the same, unless it is minutes
	maxWord                // the same, unless it is part of a name: Pepsi Max
	boundWord              // the same, right before the number only
	typicalWord            // the same, perhaps with "weight" between
	circaWord              // the same, with a full stop
	plusWord               // a minimum in "170 g et plus", else a sum
	andWord                // joins
	forWord                // the for of "2 for 500 g"
	twinWord               // two packs
	trioWord               // three packs
	numeralWord            // two, deux
	quantityWord           // the next number counts something
	meanWord               // approximate in "poids moyen", else medium
	upWord                 // the up of "up to" and "and up"
	numberWord             // the next number may name something: no. 5, size 4
	omegaWord              // the next number does name something: omega-3
	perWord                // per, par, by
	articleWord            // au, le, the
	ofWord                 // of, de
	toWord                 // to, à
	inWord                 // inches after a number, else a preposition
	fluidWord              // fl, fluid, liq
	usWord                 // of the United States
	imperialWord           // imperial
	weightWord             // weight, poids
	soldWord               // sold, vendu, price
	noiseUnit              // the number before it is no size: mm, mg, ply, loads
	makesWord              // the next number can be made of it
	nutrientWord           // the weight before it is of a nutrient
	servingWord            // serving, portion
	timeWord               // the time of "each time"
	ouncesWord             // the liquides of "onces liquides"
	equalsWord             // an equation
)

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
	{unit: gram}:       "g gr grs gm gms gram grams gramme grammes",
	{unit: kilogram}:   "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
	{unit: millilitre}: "ml mls millilitre millilitres milliliter milliliters",
	{unit: centilitre}: "cl centilitre centilitres centiliter centiliters",
	{unit: decilitre}:  "dl decilitre decilitres deciliter deciliters",
	{unit: litre}:      "l lt ltr ltrs litre litres liter liters",
	{unit: pound}:      "lb lbs pound pounds livre livres",
	{unit: ounce}:      "oz ozs ounce ounces once onces",
	{unit: fluidOunce}: "floz",
	{unit: pint}:       "pt pint pints chopine chopines",
	{unit: quart}:      "qt qts quart quarts pinte pintes",
	{unit: gallon}:     "gal gallon gallons",
	{noun: eachNoun}:   "each ea chaque chacun chacune unit unite",
	{noun: countNoun}:  "ct cts cnt count units unites un ch",
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
	{noun: cupNoun}:    "cup cups coupe coupes disc discs",
	{noun: sheetNoun}:  "sheet sheets feuille feuilles",
	{class: dozenWord}: "dozen dozens doz dz douz douzaine douzaines",
	{class: halfWord}:  "half demi demie",
	{class: letterS}:   "s",
	{class: kWord}:     "k t",
	{class: adjWord}: "large extra medium small jumbo gros grosse moyens white brown blanc blancs bruns double doubles " +
		"triple triples mega giant big wrapped basket mini fresh toilet bathroom bath kitchen paper towel " +
		"baby wet",
	{class: teaWord}: "tea",
	{class: approxWord}: "approx approximate approximately environ env about around average avg circa typically minimum " +
		"maximum jusqu",
	{class: minWord}:      "min",
	{class: maxWord}:      "max",
	{class: boundWord}:    "from ca least less moins most than over under des partir",
	{class: typicalWord}:  "typical typique",
	{class: circaWord}:    "c",
	{class: plusWord}:     "plus more",
	{class: andWord}:      "and or et ou",
	{class: forWord}:      "for pour",
	{class: twinWord}:     "twin twins twinpack duo duopack bipack",
	{class: trioWord}:     "trio tripack",
	{class: numeralWord}:  "two three four five six seven eight nine ten twelve deux trois quatre cinq sept huit neuf dix douze",
	{class: quantityWord}: "qty qte quantity quantite",
	{class: meanWord}:     "moyen moyenne",
	{class: upWord}:       "up",
	{class: numberWord}:   "no n nr numero type size taille stage etape phase step grade level niveau",
	{class: omegaWord}:    "omega",
	{class: perWord}:      "per par by",
	{class: articleWord}:  "au le la the du",
	{class: ofWord}:       "of de d",
	{class: toWord}:       "to a",
	{class: inWord}:       "in en",
	{class: fluidWord}:    "fl fluid liq liquid",
	{class: ouncesWord}:   "liquide liquides",
	{class: usWord}:       "us",
	{class: imperialWord}: "imp imperial uk",
	{class: weightWord}:   "weight wt poids",
	{class: soldWord}:     "sold vendu vendus price prix",
	{class: noiseUnit}: "mg mcg iu ui mm cm m metre metres meter meters inch inches po pouce pouces ft feet foot pi ply " +
		"epaisseur epaisseurs load loads brassee brassees wash washes lavages hr hrs hour hours day days " +
		"jours minute minutes seconds watts w v cal kcal calories",
	{class: makesWord}:    "makes make yields donne serves",
	{class: nutrientWord}: "protein proteins proteine proteines fibre fibres fiber carb carbs caffeine sodium collagen",
	{class: servingWord}:  "serving servings portion portions scoop",
	{class: timeWord}:     "time use",
	{class: equalsWord}:   "equals egale egalent",
})

func index(words map[sizeWord]string) map[string]sizeWord {
	byWord := map[string]sizeWord{}
	for meaning, list := range words {
		switch {
		case meaning.unit != noUnit:
			meaning.class = unitWord
		case meaning.noun != noNoun:
			meaning.class = nounWord
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
	w := lookupSizeWord(word)
	u := sizeUnits[w.unit]
	if w.class != unitWord || u.lo != u.hi {
		return 0, 0, false
	}
	if unit = Gram; w.unit.volume() {
		unit = Millilitre
	}
	return u.lo * math.Pow10(u.exp), unit, true
}

func lookupSizeWord(word string) sizeWord {
	return sizeWords[fold.Text(word)]
}
