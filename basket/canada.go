package basket

// Canada returns the basket of the published index: fifty products with ids 1
// to 50 in the nine categories, whose raw weights sum to 0.96, and the thirteen
// cities in the order in which the interfaces list them. Products 7, 8, 9, 11,
// 18, 21, 27 and 50 are sold by the kilogram, all others by the package.
//
// Every call returns a new basket, which the caller may change.
func Canada() Basket {
	return Basket{Products: canadaProducts(), Cities: canadaCities()}
}

func canadaCities() []City {
	return []City{
		{"vancouver", "Vancouver", "BC"},
		{"calgary", "Calgary", "AB"},
		{"edmonton", "Edmonton", "AB"},
		{"saskatoon", "Saskatoon", "SK"},
		{"winnipeg", "Winnipeg", "MB"},
		{"toronto", "Toronto", "ON"},
		{"ottawa", "Ottawa", "ON"},
		{"montreal", "Montreal", "QC"},
		{"quebec-city", "Quebec City", "QC"},
		{"moncton", "Moncton", "NB"},
		{"halifax", "Halifax", "NS"},
		{"charlottetown", "Charlottetown", "PE"},
		{"st-johns", "St. John's", "NL"},
	}
}

// packaged and weighed make one line of the product table each; milli is the
// raw weight in thousandths, so that the table can be summed by eye.
func packaged(id, milli int, c Category, sub string, size float64, u Unit, en, fr string, aliases ...string) Product {
	return Product{
		ID: id, Name: en, NameFr: fr, Aliases: aliases, Category: c, Subcategory: sub,
		StandardSize: size, Unit: u, Weight: float64(milli) / 1000, SoldBy: ByPackage, Active: true,
	}
}

func weighed(id, milli int, c Category, sub, en, fr string, aliases ...string) Product {
	p := packaged(id, milli, c, sub, 1000, Gram, en, fr, aliases...)
	p.SoldBy = ByKilogram
	return p
}
