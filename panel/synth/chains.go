package synth

import "github.com/larder-index/larder/basket"

// chain is a banner and how it sells. The names are invented; they name no
// real shop.
type chain struct {
	basket.Banner
	brand   string // its store brand
	level   int64  // of its prices, in millionths of the country's
	carries int    // how many of the fifty products it lists
	french  bool   // titles and sizes are in French
	ending  ending // how its prices end
	style   int    // how it writes pack sizes
	noStock bool   // it never says whether something is in stock
	noUnit  bool   // it shows no unit prices
}

type ending uint8

const (
	nines    ending = iota // 3.49, 3.99
	sevens                 // 3.47, 3.97
	anyNine                // 3.39, 3.49, 3.59
	anySeven               // 3.37, 3.47, 3.57
)

func indexed(key, name, retailer, brand string, level int64, carries int, e ending, style int) chain {
	return chain{
		Banner: basket.Banner{Key: key, Name: name, Retailer: retailer, InIndex: true, InShopper: true},
		brand:  brand, level: level, carries: carries, ending: e, style: style,
	}
}

func outside(c chain) chain { c.InIndex = false; return c }
func inFrench(c chain) chain {
	c.french = true
	return c
}

const (
	partialBanner  = "nickelbasket"
	verifiedBanner = "broadmoose"
	massBanner     = "bigfathom"
	unplacedBanner = "depotgris"
)

// chains returns the 26 banners: 21 of the index, then five outside it.
func chains() []chain {
	list := []chain{
		indexed("northlarch", "Northlarch", "Larchway Foods", "Larch Select", 1_050_000, 50, anyNine, 0),
		indexed("tillbrook", "Tillbrook Fresh", "Tillbrook Group", "Tillbrook", 1_030_000, 49, anyNine, 1),
		indexed("pennywold", "Pennywold", "Larchway Foods", "Wold Basics", 900_000, 48, anySeven, 2),
		indexed("cedarquay", "Cedarquay Market", "Quay Grocers", "Quayside", 1_080_000, 48, nines, 3),
		indexed("tidewren", "Tidewren Foods", "Tidewren Foods", "Tidewrenly", 1_000_000, 47, anyNine, 4),
		indexed("milletgate", "Milletgate", "Milletgate Organics", "Milletgate", 1_120_000, 26, nines, 0),
		indexed("rimfield", "Rimfield Grocers", "Rimfield Grocers", "Rimfield Farms", 980_000, 48, anyNine, 1),
		indexed("aspenreach", "Aspenreach", "Tillbrook Group", "Aspen", 1_040_000, 48, nines, 2),
		indexed("prairiekeel", "Prairiekeel", "Keel Holdings", "Keel", 960_000, 49, anySeven, 3),
		indexed("wheatlark", "Wheatlark Foods", "Keel Holdings", "Wheatlark", 990_000, 47, anyNine, 5),
		indexed("nickelbasket", "Nickelbasket", "Nickelbasket Stores", "Nickel", 880_000, 37, sevens, 4),
		indexed("ottermill", "Ottermill", "Tillbrook Group", "Otter Pantry", 1_010_000, 50, anyNine, 0),
		indexed("harthollow", "Harthollow", "Harthollow Markets", "Hollow Farms", 1_090_000, 47, nines, 1),
		indexed("quartermoss", "Quartermoss", "Larchway Foods", "Mossgarth", 940_000, 48, anySeven, 2),
		indexed("lakequill", "Lakequill", "Lakequill Provisions", "Quillwater", 1_100_000, 24, nines, 3),
		inFrench(indexed("boisverin", "Marché Boisverin", "Groupe Boisverin", "Boisverin", 1_020_000, 50, anyNine, 6)),
		inFrench(indexed("paniersol", "Panier Solange", "Larchway Foods", "Solange", 930_000, 48, anySeven, 7)),
		inFrench(indexed("grangelys", "La Grangelys", "Groupe Boisverin", "Délices Grangelys", 1_050_000, 49, anyNine, 6)),
		indexed("gullhaven", "Gullhaven Foods", "Gullhaven Foods", "Gullhaven", 1_040_000, 49, anyNine, 5),
		indexed("dulsemoor", "Dulsemoor", "Larchway Foods", "Dulse Bay", 970_000, 48, anySeven, 4),
		indexed("fogharbour", "Fogharbour Market", "Harbourline", "Harbourline", 1_080_000, 48, nines, 0),

		outside(indexed(massBanner, "Bigfathom", "Bigfathom Stores", "Fathom Value", 890_000, 49, sevens, 2)),
		outside(indexed(verifiedBanner, "Broadmoose", "Broadmoose Canada", "Moose Choice", 900_000, 49, sevens, 4)),
		outside(indexed("cornerlynx", "Cornerlynx", "Cornerlynx", "Lynxcombe", 1_200_000, 30, nines, 1)),
		outside(inFrench(indexed(unplacedBanner, "Dépôt Gris", "Entrepôts Gris", "Gris", 860_000, 35, sevens, 7))),
		outside(indexed("farmgatebox", "Farmgatebox", "Farmgatebox", "Farmgate", 1_110_000, 28, nines, 3)),
	}
	for i := range list {
		list[i].Verified = list[i].Key == verifiedBanner
		list[i].noStock = i%5 == 3
		list[i].noUnit = i%3 == 1
	}
	return list
}

// shops is a number of stores of one banner in one city.
type shops struct {
	banner string
	n      int
}

// lineup says which banners stand in a city: a few national ones, the regional
// ones, and the five outside the index here and there. 146 stores in all.
type lineup struct {
	city  string
	shops []shops
}

var lineups = []lineup{
	{"vancouver", []shops{{"northlarch", 3}, {"cedarquay", 3}, {"tidewren", 3}, {"tillbrook", 2}, {"pennywold", 2}, {"milletgate", 1}, {"bigfathom", 1}, {"broadmoose", 1}}},
	{"calgary", []shops{{"rimfield", 3}, {"northlarch", 2}, {"pennywold", 2}, {"aspenreach", 2}, {"prairiekeel", 2}, {"bigfathom", 1}, {"broadmoose", 1}}},
	{"edmonton", []shops{{"tillbrook", 2}, {"pennywold", 2}, {"rimfield", 2}, {"aspenreach", 2}, {"prairiekeel", 2}, {"nickelbasket", 1}, {"broadmoose", 1}}},
	{"saskatoon", []shops{{"prairiekeel", 2}, {"wheatlark", 2}, {"pennywold", 1}, {"bigfathom", 1}}},
	{"winnipeg", []shops{{"wheatlark", 3}, {"prairiekeel", 2}, {"northlarch", 1}, {"pennywold", 1}, {"nickelbasket", 1}, {"broadmoose", 1}}},
	{"toronto", []shops{{"northlarch", 4}, {"ottermill", 4}, {"tillbrook", 3}, {"pennywold", 3}, {"harthollow", 2}, {"quartermoss", 2}, {"broadmoose", 2}, {"nickelbasket", 2}, {"bigfathom", 1}, {"lakequill", 1}, {"milletgate", 1}, {"cornerlynx", 1}}},
	{"ottawa", []shops{{"ottermill", 3}, {"northlarch", 2}, {"tillbrook", 2}, {"quartermoss", 2}, {"pennywold", 1}, {"nickelbasket", 1}, {"bigfathom", 1}}},
	{"montreal", []shops{{"boisverin", 4}, {"paniersol", 4}, {"grangelys", 3}, {"northlarch", 2}, {"pennywold", 2}, {"broadmoose", 1}, {"depotgris", 2}, {"bigfathom", 1}, {"nickelbasket", 1}}},
	{"quebec-city", []shops{{"boisverin", 3}, {"paniersol", 2}, {"grangelys", 2}, {"pennywold", 1}, {"broadmoose", 1}}},
	{"moncton", []shops{{"gullhaven", 2}, {"dulsemoor", 2}, {"pennywold", 1}, {"bigfathom", 1}}},
	{"halifax", []shops{{"gullhaven", 3}, {"fogharbour", 2}, {"dulsemoor", 1}, {"tillbrook", 1}, {"broadmoose", 1}}},
	{"charlottetown", []shops{{"gullhaven", 2}, {"dulsemoor", 1}, {"pennywold", 1}}},
	{"st-johns", []shops{{"fogharbour", 2}, {"gullhaven", 1}, {"tillbrook", 1}, {"farmgatebox", 1}}},
}

// DefaultStores is the number of stores that the line-ups add up to.
const DefaultStores = 146

// placeStores deals n stores out over the line-ups. The first go round the
// cities, one banner's first store each, so that a small panel still spans the
// country; past the line-ups' total it starts over.
func placeStores(n int) []site {
	var order []site
	for round := 0; len(order) < DefaultStores; round++ {
		for _, l := range lineups {
			if s, ok := l.nth(round); ok {
				order = append(order, s)
			}
		}
	}
	var placed []site
	for len(placed) < n {
		placed = append(placed, order[:min(n-len(placed), len(order))]...)
	}
	return placed
}

// site is one store: a banner in a city.
type site struct{ city, banner string }

// nth returns the city's n-th store when the banners take turns.
func (l lineup) nth(n int) (site, bool) {
	for round := 0; ; round++ {
		found := false
		for _, s := range l.shops {
			if s.n <= round {
				continue
			}
			if found = true; n == 0 {
				return site{l.city, s.banner}, true
			}
			n--
		}
		if !found {
			return site{}, false
		}
	}
}
