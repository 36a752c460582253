package basket

// A sizeUnit is a unit as shops write it.
type sizeUnit uint8

const (
	noUnit sizeUnit = iota
	gram
	kilogram
	millilitre
	centilitre
	decilitre
	litre
	pound
	ounce
	fluidOunce   // of either kind
	fluidOunceUS // "US fl oz"
	fluidOunceImperial
	pint
	quart
	gallon
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

func lookupSizeUnit(w string) sizeUnit {
	switch w {
	case "g", "gr", "grs", "gm", "gms", "gram", "grams", "gramme", "grammes":
		return gram
	case "kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes":
		return kilogram
	case "ml", "mls", "millilitre", "millilitres", "milliliter", "milliliters":
		return millilitre
	case "cl", "centilitre", "centilitres", "centiliter", "centiliters":
		return centilitre
	case "dl", "decilitre", "decilitres", "deciliter", "deciliters":
		return decilitre
	case "l", "lt", "ltr", "ltrs", "litre", "litres", "liter", "liters":
		return litre
	case "lb", "lbs", "pound", "pounds", "livre", "livres":
		return pound
	case "oz", "ozs", "ounce", "ounces", "once", "onces":
		return ounce
	case "floz":
		return fluidOunce
	case "pt", "pint", "pints", "chopine", "chopines":
		return pint
	case "qt", "qts", "quart", "quarts", "pinte", "pintes":
		return quart
	case "gal", "gallon", "gallons":
		return gallon
	}
	return noUnit
}

func (u sizeUnit) metric() bool { return u >= gram && u <= litre }

// volume reports whether the unit is one of volume; a plain ounce is not.
func (u sizeUnit) volume() bool { return u >= millilitre && u <= litre || u >= fluidOunce }

// factor returns what one of the unit is, in g or mL: a power of ten for metric
// units, else the smallest and the largest thing it may mean.
func (u sizeUnit) factor() (exp int, lo, hi float64) {
	switch u {
	case kilogram, litre:
		return 3, 1, 1
	case decilitre:
		return 2, 1, 1
	case centilitre:
		return 1, 1, 1
	case pound:
		return 0, gramsPerPound, gramsPerPound
	case ounce:
		return 0, gramsPerOunce, gramsPerOunce
	case fluidOunce:
		return 0, imperialFlOunce, usFlOunce
	case fluidOunceUS:
		return 0, usFlOunce, usFlOunce
	case fluidOunceImperial:
		return 0, imperialFlOunce, imperialFlOunce
	case pint: // of 20 imperial or 16 US fluid ounces
		return 0, usGallon / 8, imperialGallon / 8
	case quart:
		return 0, usGallon / 4, imperialGallon / 4
	case gallon:
		return 0, usGallon, imperialGallon
	}
	return 0, 1, 1
}

// settle returns the number with its open marks read as the unit has them:
// 1,000 is a thousand of what is counted, grams or millilitres, and one kilogram,
// litre or pound. With other units, and for 1.500 g, there is no saying.
func (n sizeNumber) settle(u sizeUnit) (sizeNumber, bool) {
	small := u == noUnit || u == gram || u == millilitre
	switch n.form {
	case badNumber:
		return n, false
	case dotThousand:
		return n, !small
	case commaThousand:
		if !small {
			n.dec = 3
		}
		n.form = plainNumber
		return n, small || u == kilogram || u == litre || u == pound
	}
	return n, true
}

// A span is the smallest and the largest quantity, in g or mL, that one number
// may mean; they differ for units of more than one kind.
type span struct{ lo, hi float64 }

// in returns how much so many of the unit are.
func (n sizeNumber) in(u sizeUnit) (span, bool) {
	n, ok := n.settle(u)
	if !ok {
		return span{}, false
	}
	exp, lo, hi := u.factor()
	x := tidy(n.scaled(exp))
	if u.metric() {
		return span{x, x}, true
	}
	return span{tidy(x * lo), tidy(x * hi)}, true
}

// meets reports whether x times k and y may be one quantity, to a tolerance.
func (x span) meets(k float64, y span, tolerance float64) bool {
	return x.lo*k <= y.hi*(1+tolerance) && y.lo <= x.hi*k*(1+tolerance)
}

// agree reports whether k packs of a are b, within 3%. A plain ounce is a fluid
// one beside a volume; other units of weight and volume never agree. Two metric
// numbers are one number written twice: 1%.
func agree(a sizeMeasure, k float64, b sizeMeasure) bool {
	if a.unit == ounce && b.unit.volume() {
		a = a.fluid()
	} else if b.unit == ounce && a.unit.volume() {
		b = b.fluid()
	}
	tolerance := 0.03
	if a.unit.metric() && b.unit.metric() && k == 1 {
		tolerance = 0.01
	}
	return a.unit.volume() == b.unit.volume() && a.ranged == b.ranged &&
		a.from.meets(k, b.from, tolerance) && a.to.meets(k, b.to, tolerance)
}

// fluid returns the measure in ounces as one in fluid ounces.
func (m sizeMeasure) fluid() sizeMeasure {
	m.from = span{tidy(m.from.lo / gramsPerOunce * imperialFlOunce), tidy(m.from.hi / gramsPerOunce * usFlOunce)}
	m.to = span{tidy(m.to.lo / gramsPerOunce * imperialFlOunce), tidy(m.to.hi / gramsPerOunce * usFlOunce)}
	m.unit = fluidOunce
	return m
}
