package basket

import (
	"unicode"
	"unicode/utf8"
)

// A sizeWord is what a word means in a size text.
type sizeWord struct {
	class wordClass
	unit  sizeUnit // of unitWord
	noun  nounKind // of nounWord, and of a few others that may also count
}

type wordClass uint8

const (
	otherWord    wordClass = iota
	unitWord               // g, litre, oz
	nounWord               // pieces, ct, rouleaux
	dozenWord              // dozen, douzaine
	halfWord               // half, demi
	letterS                // the s of 18s
	kWord                  // the k of K-cup, the t of T-disc
	adjWord                // what may stand between a number and its noun: large, double, toilet
	teaWord                // the same, and it makes tea bags of bags
	approxWord             // approx, environ
	minWord                // min: approximate too, unless it is of minutes
	maxWord                // max: the same, unless it is of a name, as in Pepsi Max
	boundWord              // from, least, than: approximate right before a number
	typicalWord            // typical: the same, perhaps with "weight" between
	circaWord              // c.: the same, with its full stop
	plusWord               // plus, more: a minimum in "170 g et plus", else a sum
	andWord                // and, or
	forWord                // for, of "2 for 500 g"
	twinWord               // twin, duo: two packs
	trioWord               // trio: three
	numeralWord            // two, deux
	quantityWord           // qty: the number behind it counts something
	meanWord               // moyen: approximate in "poids moyen", else medium
	upWord                 // up, of "up to"
	numberWord             // no., type, size: the number behind it may name something
	omegaWord              // omega, of omega-3
	perWord                // per, par, by
	articleWord            // au, le, la, the
	ofWord                 // of, de
	toWord                 // to, à
	inWord                 // in: inches after a number, else a preposition
	fluidWord              // fl, fluid, liq
	usWord                 // US
	imperialWord           // imperial
	weightWord             // weight, poids
	soldWord               // sold, vendu, price
	noiseUnit              // what follows a number that is no size: mm, mg, %, ply, loads
	makesWord              // makes, yields
	nutrientWord           // protein
	servingWord            // serving, portion
	timeWord               // time, as in "each time"
	ouncesWord             // liquides, of "onces liquides"
	equalsWord             // equals, égale
)

// nounKind says how a count goes together with a weight or volume beside it.
type nounKind uint8

const (
	noNoun     nounKind = iota
	pieceNoun           // pieces, eggs, slices: a weight beside them is that of all
	heavyNoun           // burgers, fillets: the same, and they can't be light
	podNoun             // K-cups, tablets, tea bags: the same, and they may be light
	rollNoun            // rolls: pieces that hold sheets
	countNoun           // ct, units: pieces, where they stand in front
	eachNoun            // each, unit: the same, and one when alone
	packNoun            // pack, pk
	packOfNoun          // pack of 6
	boxNoun             // bags, cans, cups: "24 bags 82 g" may be 82 g each
	cupNoun             // cups: the same, and no count when alone
	sheetNoun           // sheets, which rolls and packs hold
)

// classifySizeWord looks a word up, without its case and accents.
func classifySizeWord(w string) sizeWord {
	var buf [16]byte
	n := 0
	for i := 0; i < len(w); {
		r, size := rune(w[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(w[i:])
			r = unicode.ToLower(r)
		} else if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		i += size
		if r == 'œ' {
			if n+1 < len(buf) {
				buf[n] = 'o'
			}
			n++
			r = 'e'
		}
		if r = foldAccent(r); r >= utf8.RuneSelf || n >= len(buf) {
			return sizeWord{}
		}
		buf[n] = byte(r)
		n++
	}
	return lookupSizeWord(string(buf[:n]))
}

func foldAccent(r rune) rune {
	switch r {
	case 'é', 'è', 'ê', 'ë':
		return 'e'
	case 'à', 'â', 'ä':
		return 'a'
	case 'î', 'ï':
		return 'i'
	case 'ô', 'ö':
		return 'o'
	case 'û', 'ù', 'ü':
		return 'u'
	case 'ç':
		return 'c'
	}
	return r
}

func lookupSizeWord(w string) sizeWord {
	noun := func(k nounKind) sizeWord { return sizeWord{class: nounWord, noun: k} }
	switch w {
	case "each", "ea", "chaque", "chacun", "chacune", "unit", "unite":
		return noun(eachNoun)
	case "ct", "cts", "cnt", "count", "units", "unites", "un", "ch":
		return noun(countNoun)
	case "piece", "pieces", "pc", "pcs", "pce", "pces", "morceau", "morceaux", "mcx",
		"egg", "eggs", "oeuf", "oeufs", "slice", "slices", "tranche", "tranches", "stick", "sticks", "batonnet", "batonnets",
		"bar", "bars", "barre", "barres", "cookie", "cookies", "biscuit", "biscuits", "waffle", "waffles", "gaufre", "gaufres",
		"bagel", "bagels", "bun", "buns", "muffin", "muffins", "tortilla", "tortillas", "wrap", "wraps", "pita", "pitas",
		"pancake", "pancakes", "crepe", "crepes", "patty", "patties", "galette", "galettes", "pain", "pains",
		"donut", "donuts", "croissant", "croissants", "breadsticks", "pellet", "pellets", "cube", "cubes",
		"wipe", "wipes", "lingette", "lingettes", "bunch", "bunches", "botte", "bottes", "head", "heads", "filter", "filters", "filtre", "filtres":
		return noun(pieceNoun)
	case "burger", "burgers", "fillet", "fillets", "filet", "filets", "sausage", "sausages", "saucisse", "saucisses":
		return noun(heavyNoun)
	case "pod", "pods", "capsule", "capsules", "kcup", "kcups", "dosette", "dosettes", "teabag", "teabags",
		"tablet", "tablets", "comprime", "comprimes", "caplet", "caplets", "softgels":
		return noun(podNoun)
	case "roll", "rolls", "rouleau", "rouleaux":
		return noun(rollNoun)
	case "pack", "packs", "pk", "pks", "pkt", "pkts", "packet", "packets", "paq", "paquet", "paquets", "pqt", "package", "packages", "pkg", "pkgs":
		return noun(packNoun)
	case "bag", "bags", "sac", "sacs", "can", "cans", "canette", "canettes", "bottle", "bottles", "bouteille", "bouteilles",
		"box", "boxes", "boite", "boites", "pouch", "pouches", "sachet", "sachets", "jar", "jars", "pot", "pots",
		"loaf", "loaves", "miche", "miches", "tub", "tubs", "carton", "cartons", "tin", "tins", "case", "cases", "caisse", "tray", "trays", "plateau", "lot", "set", "bundle", "emballage", "barquette", "barquettes", "pochette", "pochettes":
		return noun(boxNoun)
	case "cup", "cups", "coupe", "coupes", "disc", "discs":
		return noun(cupNoun)
	case "sheet", "sheets", "feuille", "feuilles":
		return noun(sheetNoun)
	}
	if u := lookupSizeUnit(w); u != noUnit {
		return sizeWord{class: unitWord, unit: u}
	}
	return sizeWord{class: lookupSmallWord(w)}
}

func lookupSmallWord(w string) wordClass {
	switch w {
	case "dozen", "dozens", "doz", "dz", "douz", "douzaine", "douzaines":
		return dozenWord
	case "half", "demi", "demie":
		return halfWord
	case "s":
		return letterS
	case "k", "t":
		return kWord
	case "large", "extra", "medium", "small", "jumbo", "gros", "grosse", "moyens", "white", "brown", "blanc", "blancs", "bruns",
		"double", "doubles", "triple", "triples", "mega", "giant", "big", "wrapped", "basket", "mini", "fresh",
		"toilet", "bathroom", "bath", "kitchen", "paper", "towel", "baby", "wet":
		return adjWord
	case "tea":
		return teaWord
	case "approx", "approximate", "approximately", "approximativement", "environ", "env", "about", "around",
		"average", "avg", "circa", "typically", "minimum", "maximum", "jusqu":
		return approxWord
	case "min":
		return minWord
	case "max":
		return maxWord
	case "from", "ca", "least", "less", "moins", "most", "than", "over", "under", "des", "partir":
		return boundWord
	case "typical", "typique":
		return typicalWord
	case "c":
		return circaWord
	case "plus", "more":
		return plusWord
	case "and", "or", "et", "ou":
		return andWord
	case "for", "pour":
		return forWord
	case "twin", "twins", "twinpack", "duo", "duopack", "bipack":
		return twinWord
	case "trio", "tripack":
		return trioWord
	case "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve",
		"deux", "trois", "quatre", "cinq", "sept", "huit", "neuf", "dix", "douze":
		return numeralWord
	case "qty", "qte", "quantity", "quantite":
		return quantityWord
	case "moyen", "moyenne":
		return meanWord
	case "up":
		return upWord
	case "no", "n", "nr", "numero", "type", "size", "taille", "stage", "etape", "phase", "step", "grade", "level", "niveau":
		return numberWord
	case "omega":
		return omegaWord
	case "per", "par", "by":
		return perWord
	case "au", "le", "la", "the", "du":
		return articleWord
	case "of", "de", "d":
		return ofWord
	case "to", "a":
		return toWord
	case "in", "en":
		return inWord
	case "fl", "fluid", "liq", "liquid":
		return fluidWord
	case "liquide", "liquides":
		return ouncesWord
	case "us":
		return usWord
	case "imp", "imperial", "uk":
		return imperialWord
	case "weight", "wt", "poids":
		return weightWord
	case "sold", "vendu", "vendus", "price", "prix":
		return soldWord
	case "mg", "mcg", "iu", "ui", "mm", "cm", "m", "metre", "metres", "meter", "meters", "inch", "inches", "po", "pouce", "pouces",
		"ft", "feet", "foot", "pi", "ply", "epaisseur", "epaisseurs", "load", "loads", "brassee", "brassees", "wash", "washes",
		"lavages", "hr", "hrs", "hour", "hours", "day", "days", "jours", "minute", "minutes", "seconds", "watts", "w", "v", "cal", "kcal", "calories":
		return noiseUnit
	case "makes", "make", "yields", "donne", "serves":
		return makesWord
	case "protein", "proteins", "proteine", "proteines", "fibre", "fibres", "fiber", "carb", "carbs", "caffeine", "sodium", "collagen":
		return nutrientWord
	case "serving", "servings", "portion", "portions", "scoop":
		return servingWord
	case "time", "use":
		return timeWord
	case "equals", "egale", "egalent":
		return equalsWord
	}
	return otherWord
}
