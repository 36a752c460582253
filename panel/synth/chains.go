package synth

import (
	"slices"

	"github.com/larder-index/larder/basket"
)

// chain is a banner and how it sells. All names are invented.
type chain struct {
	basket.Banner
	brand   string // its store brand
	level   int64  // of its prices, in millionths of the country's
	carries int    // how many of the fifty products it lists
	french  bool   // titles and sizes are in French
	ending  ending // of its prices
	style   int    // of its pack sizes; frenchStyle and above are French
	noStock bool   // its rows never say whether something is in stock
	noUnit  bool   // its rows have no unit prices
}

type ending uint8

const (
	nines    ending = iota // 3.49, 3.99
	sevens                 // 3.47, 3.97
	anyNine                // 3.39, 3.49, 3.59
	anySeven               // 3.37, 3.47, 3.57
)

const (
	indexChains = 21 // the first chains count in the index, the others do not
	frenchStyle = 6

	partialBanner  = "nickelbasket"
	verifiedBanner = "broadmoose"
	unplacedBanner = "depotgris"
)

// chains returns the 26 banners, those of the index first.
func chains() []chain {
	list := []chain{
		newChain("northlarch", "Northlarch", "Larchway Foods", "Larch Select", 1_050_000, 50, anyNine, 0),
		newChain("tillbrook", "Tillbrook Fresh", "Tillbrook Group", "Tillbrook", 1_030_000, 49, anyNine, 1),
		newChain("pennywold", "Pennywold", "Larchway Foods", "Wold Basics", 900_000, 48, anySeven, 2),
		newChain("cedarquay", "Cedarquay Market", "Quay Grocers", "Quayside", 1_080_000, 48, nines, 3),
		newChain("tidewren", "Tidewren Foods", "Tidewren Foods", "Tidewrenly", 1_000_000, 47, anyNine, 4),
		newChain("milletgate", "Milletgate", "Milletgate Organics", "Milletgate", 1_120_000, 26, nines, 0),
		newChain("rimfield", "Rimfield Grocers", "Rimfield Grocers", "Rimfield Farms", 980_000, 48, anyNine, 1),
		newChain("aspenreach", "Aspenreach", "Tillbrook Group", "Aspen", 1_040_000, 48, nines, 2),
		newChain("prairiekeel", "Prairiekeel", "Keel Holdings", "Keel", 960_000, 49, anySeven, 3),
		newChain("wheatlark", "Wheatlark Foods", "Keel Holdings", "Wheatlark", 990_000, 47, anyNine, 5),
		newChain("nickelbasket", "Nickelbasket", "Nickelbasket Stores", "Nickel", 880_000, 37, sevens, 4),
		newChain("ottermill", "Ottermill", "Tillbrook Group", "Otter Pantry", 1_010_000, 50, anyNine, 0),
		newChain("harthollow", "Harthollow", "Harthollow Markets", "Hollow Farms", 1_090_000, 47, nines, 1),
		newChain("quartermoss", "Quartermoss", "Larchway Foods", "Mossgarth", 940_000, 48, anySeven, 2),
		newChain("lakequill", "Lakequill", "Lakequill Provisions", "Quillwater", 1_100_000, 24, nines, 3),
		newChain("boisverin", "Marché Boisverin", "Groupe Boisverin", "Boisverin", 1_020_000, 50, anyNine, 6),
		newChain("paniersol", "Panier Solange", "Larchway Foods", "Solange", 930_000, 48, anySeven, 7),
		newChain("grangelys", "La Grangelys", "Groupe Boisverin", "Délices Grangelys", 1_050_000, 49, anyNine, 6),
		newChain("gullhaven", "Gullhaven Foods", "Gullhaven Foods", "Gullhaven", 1_040_000, 49, anyNine, 5),
		newChain("dulsemoor", "Dulsemoor", "Larchway Foods", "Dulse Bay", 970_000, 48, anySeven, 4),
		newChain("fogharbour", "Fogharbour Market", "Harbourline", "Harbourline", 1_080_000, 48, nines, 0),
		newChain("bigfathom", "Bigfathom", "Bigfathom Stores", "Fathom Value", 890_000, 49, sevens, 2),
		newChain(verifiedBanner, "Broadmoose", "Broadmoose Canada", "Moose Choice", 900_000, 49, sevens, 4),
		newChain("cornerlynx", "Cornerlynx", "Cornerlynx", "Lynxcombe", 1_200_000, 30, nines, 1),
		newChain(unplacedBanner, "Dépôt Gris", "Entrepôts Gris", "Gris", 860_000, 35, sevens, 7),
		newChain("farmgatebox", "Farmgatebox", "Farmgatebox", "Farmgate", 1_110_000, 28, nines, 3),
	}
	for i := range list {
		c := &list[i]
		c.InIndex, c.InShopper, c.Verified = i < indexChains, true, c.Key == verifiedBanner
		c.noStock, c.noUnit = i%5 == 3, i%3 == 1
	}
	return list
}

func newChain(key, name, retailer, brand string, level int64, carries int, e ending, style int) chain {
	return chain{
		Banner: basket.Banner{Key: key, Name: name, Retailer: retailer},
		brand:  brand, level: level, carries: carries, ending: e, style: style, french: style >= frenchStyle,
	}
}

// shops is a number of stores of one banner in one city.
type shops struct {
	banner string
	n      int
}

// lineup lists the banners of a city: a few national ones, the regional ones,
// and some of those outside the index. All line-ups together have DefaultStores
// stores.
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

// DefaultStores is the number of stores of all line-ups.
const DefaultStores = 146

// placeStores deals n stores out over the line-ups. It goes round the cities and
// takes the first store of every banner before the second of any, so a small
// panel still spans the country. Past DefaultStores it starts over.
func placeStores(n int) []site {
	var order []site
	for round := 0; len(order) < DefaultStores; round++ {
		for _, l := range lineups {
			if sites := l.sites(); round < len(sites) {
				order = append(order, sites[round])
			}
		}
	}
	return slices.Repeat(order, n/len(order)+1)[:n]
}

// site is one store: a banner in a city.
type site struct{ city, banner string }

// sites returns the city's stores, with the banners taking turns.
func (l lineup) sites() []site {
	var sites []site
	const most = 4 // stores of a banner in a city
	for round := range most {
		for _, s := range l.shops {
			if round < s.n {
				sites = append(sites, site{l.city, s.banner})
			}
		}
	}
	return sites
}
