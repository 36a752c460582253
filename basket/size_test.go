package basket_test

import (
	"testing"

	"github.com/larder-index/larder/basket"
)

// A sizeCase is a text and the canonical text of the size in it.
type sizeCase struct{ text, want, why string }

func TestParseSize(t *testing.T) {
	groups := []struct {
		name  string
		cases []sizeCase
	}{
		{"metric", []sizeCase{
			{"600 g", "600 g", "the plain case"},
			{"1.75L", "1750 mL", "no space, litres"},
			{"0.41 kg", "410 g", "scaled without floating-point dust"},
			{"75 cl", "750 mL", "centilitres"},
			{"2 dl", "200 mL", "decilitres"},
			{"140 Grams", "140 g", "a spelled-out unit"},
			{"390 GR", "390 g", "gr is the gram, not the grain"},
			{"2,5 kilos", "2500 g", "kilo is a kilogram"},
			{"2 LT", "2000 mL", "lt is a litre"},
			{".5 L", "500 mL", "no digit before the point"},
			{"1/2 kg", "500 g", "a fraction"},
			{"1½ kg", "1500 g", "a fraction of one character"},
			{"¾ lb", "340.194278 g", "and one that stands alone"},
			{"825\u00a0g", "825 g", "a no-break space"},
		}},
		{"marks in numbers", []sizeCase{
			{"1,75 L", "1750 mL", "a decimal comma: two digits follow"},
			{"1,5 kg", "1500 g", "a decimal comma: one digit follows"},
			{"1,000 g", "1000 g", "a thousands comma: no shop weighs to the milligram"},
			{"1,360 kg", "1360 g", "a decimal comma: no shop sells a tonne"},
			{"0,375 kg", "375 g", "a leading zero makes it decimal"},
			{"1,234.5 g", "1234.5 g", "both marks"},
			{"1 000 g", "1000 g", "a thousands space"},
			{"2\u202f000 mL", "2000 mL", "a narrow no-break space"},
			{"500.000 g", "500 g", "three decimals of a feed: half a tonne it is not"},
		}},
		{"imperial", []sizeCase{
			{"3 lb", "1360.77711 g", "pounds of 453.59237 g"},
			{"12 oz", "340.194278 g", "a plain ounce is of weight"},
			{"1 lb 4 oz", "566.990463 g", "ounces that go on from pounds"},
			{"2 1/2 lb", "1133.980925 g", "a mixed fraction"},
			{"12 fl oz", "340.95675 - 354.882355 mL", "imperial or US: between 28.4131 and 29.5735 mL each"},
			{"12 US fl. oz.", "354.882355 mL", "the text names its kind"},
			{"12 imp fl oz", "340.95675 mL", "the text names its kind"},
		}},
		{"metric and imperial", []sizeCase{
			{"796 mL/28 oz liq", "796 mL", "French fluid ounces, imperial"},
			{"2.27kg 5lb", "2270 g", "no mark between them"},
			{"10 lb - 4,54 kg", "4540 g", "a dash that is no range"},
			{"420 g (0.92 lb)", "420 g", "within 3%"},
			{"355 mL (12 oz)", "355 mL", "12 oz beside mL are fluid: US"},
			{"341 mL / 12 oz", "341 mL", "12 oz beside mL are fluid: imperial"},
			{"1 pint (473 mL)", "473 mL", "a US pint"},
			{"3.6 fl oz (106 mL)", "106 mL", "US fluid ounces"},
			{"946 mL (1 qt)", "946 mL", "a US quart"},
			{"4.54 L (1 gal)", "4540 mL", "an imperial gallon"},
			{"12 x 355 mL (12 fl oz)", "12 x 355 mL", "the ounces are of each"},
			{"2 x 1 lb (907 g)", "907 g", "the grams are of all"},
			{"2 x 1 lb (454 g)", "2 x 454 g", "the grams are of each"},
			{"2.5 lb / 40 oz", "1133.980925 g", "two imperial ones agree"},
		}},
		{"packs", []sizeCase{
			{"4 x 110 mL", "4 x 110 mL", "the plain case"},
			{"12x341.0ml", "12 x 341 mL", "a feed's decimals"},
			{"6×90 g", "6 x 90 g", "a multiplication sign"},
			{"4 * 43 g", "4 x 43 g", "an asterisk"},
			{"330ml x 6", "6 x 330 mL", "the packs behind"},
			{"250mlx8", "8 x 250 mL", "an x that is glued to both"},
			{"2 x 6 x 10 g", "12 x 10 g", "two levels of packs"},
			{"1 x 473 mL", "473 mL", "one pack is none"},
			{"8 bars x 60 mL", "8 x 60 mL", "a noun before the x"},
			{"3 sacs de 1,33 L", "3 x 1330 mL", "French"},
			{"pack of 10 x 300 g", "10 x 300 g", "pack of, and an x"},
			{"paquet de 6x237ml", "6 x 237 mL", "the same in French"},
			{"4 pack 500 mL", "4 x 500 mL", "a usual bottle is what each holds"},
			{"355 mL cans, 24 pack", "24 x 355 mL", "and a usual can"},
			{"4 x 125 g, 4 pack", "4 x 125 g", "the packs are counted twice"},
			{"2 x 340 g, 12 pieces", "2 x 340 g in 12 pieces", "pieces in packs"},
			{"box of 2 kg", "2000 g", "a box, not two"},
			{"5 x 25 g, 125 g", "5 x 25 g", "with the total"},
			{"4 x 95 g = 380 g", "4 x 95 g", "with the total, as an equation"},
			{"1.13 kg, 8x142g", "8 x 142 g", "with a rounded total"},
			{"2 loaves 675 g each", "2 x 675 g", "each of the loaves"},
			{"675 g each, 2 loaves", "2 x 675 g", "the loaves behind"},
			{"6 burgers 113 g each", "6 x 113 g", "each of the burgers"},
			{"4 fillets 120g each", "4 x 120 g", "each of the fillets"},
			{"125 g each, 4 fillets", "4 x 125 g", "the fillets behind"},
			{"4 bagels 85 g (each)", "4 x 85 g", "each in brackets"},
			{"10 sausages 75 g each (750 g)", "10 x 75 g", "and the total"},
			{"6 bagels 4 oz each (113 g)", "6 x 113 g", "each of the other unit"},
			{"12 x 355 mL (12)", "12 x 355 mL", "the packs once more, without a word"},
			{"twin pack 2 x 250 g", "2 x 250 g", "and in a word"},
			{"4 L / 3 x 1,33 L", "4000 mL in 3 pieces", "1.33 L is a rounded third: the total counts"},
			{"3 x 1.33 L (4 L)", "4000 mL in 3 pieces", "the total behind"},
			{"4 L / 3 x 1,33 L, 3 bags", "4000 mL in 3 pieces", "the packs twice"},
			{"3 x 1.33 L, 3.97 L", "3 x 1330 mL", "1.33 L is no third of this total"},
			{"9 pieces, 30 g each, 270 g", "9 x 30 g", "a total that is the count times the other"},
		}},
		{"counts", []sizeCase{
			{"12 ct", "12 ct", "the plain case"},
			{"12 un", "12 ct", "French"},
			{"90ea", "90 ct", "no space"},
			{"24 pk", "24 ct", "packs"},
			{"6-pack", "6 ct", "a hyphen"},
			{"18s", "18 ct", "South African"},
			{"6 rouleaux", "6 ct", "rolls"},
			{"12 Mega Rolls", "12 ct", "an adjective between"},
			{"12 extra large eggs", "12 ct", "two adjectives"},
			{"dozen", "12 ct", "a bare dozen"},
			{"Large eggs, dozen", "12 ct", "a dozen after the name"},
			{"1 dozen eggs", "12 ct", "one count, not two"},
			{"demi-douzaine", "6 ct", "half a dozen"},
			{"2.5 dz", "30 ct", "a tray of eggs"},
			{"paquet de 6", "6 ct", "a pack of so many"},
			{"2 packs of 6", "2 x 6 ct", "packs of packs"},
			{"2 x 80 bags", "2 x 80 ct", "and with an x"},
			{"12 rolls x 165 sheets", "12 ct", "rolls count, sheets are what they hold"},
			{"70 sheets", "70 ct", "sheets count where nothing else does"},
			{"12 œufs", "12 ct", "a ligature"},
			{"24 comprimés", "24 ct", "an accent"},
			{"20 K cups", "20 ct", "two words"},
			{"6 per pack", "6 ct", "of each pack"},
			{"box of 12 bags", "12 ct", "a box, not two"},
			{"4 packs x 6 rolls", "4 x 6 ct", "packs of pieces"},
			{"20 units, 20 pack", "20 ct", "twice the same"},
			{"each", "1 ct", "a bare unit"},
			{"l'unité", "1 ct", "a bare unit, whose l is no litre"},
			{"300 mg 60 tablets", "60 ct", "a strength is no weight of the package"},
			{"1 douz.", "12 ct", "Quebec's dozen"},
			{"9 Toilet Rolls", "9 ct", "a noun of two words"},
			{"9 Paper Towel Rolls", "9 ct", "of three"},
			{"48 wipes", "48 ct", "wipes are not sheets"},
			{"3 x 64 wipes", "3 x 64 ct", "in packs"},
			{"12 rolls (12)", "12 ct", "twice the same"},
			{"3 - 6 pieces", "3 - 6 ct", "a range"},
		}},
		{"counts with a weight", []sizeCase{
			{"6 bagels, 450 g", "450 g in 6 pieces", "the weight is of all"},
			{"12 K-Cups 126 g", "126 g in 12 pieces", "a hyphen inside the noun"},
			{"72 sachets de thé 218 g", "218 g in 72 pieces", "tea bags may be light"},
			{"8 Pack 448 g", "448 g in 8 pieces", "the Canadian habit"},
			{"22 pieces (1.2 kg)", "1200 g in 22 pieces", "brackets"},
			{"1 bag, 320 g", "320 g", "one bag counts nothing"},
			{"31/40 count 340 g", "340 g", "a grade of shrimp"},
			{"6-8 pieces 1.2 kg", "1200 g", "a range is no count"},
			{"2 pieces, 454 g, 907 g", "2 x 454 g", "the rounded weight of both"},
			{"1.3 kg (min 85 pieces)", "1300 g", "a minimum is no count"},
			{"4 L (3 bags)", "4000 mL in 3 pieces", "Canada's milk"},
			{"8 burgers 904 g", "904 g in 8 pieces", "the weight is of all"},
		}},
		{"just inside a bound", []sizeCase{
			{"20 biscuits 100 g", "100 g in 20 pieces", "5 g each"},
			{"20 tea bags 10 g", "10 g in 20 pieces", "0.5 g each"},
			{"10 pack 100 g", "100 g in 10 pieces", "10 g each"},
			{"4 burgers 200 g", "200 g in 4 pieces", "50 g each"},
			{"12 pack 710 mL", "12 x 710 mL", "the largest usual can"},
			{"12 pack 200 mL", "12 x 200 mL", "the smallest usual box"},
			{"1 - 5 kg", "1000 - 5000 g", "five times as much"},
			{"100 g - 500 g", "100 - 500 g", "five times as much, a unit at both ends"},
			{"100 g - 104 g", "100 - 104 g", "far enough apart for a range"},
			{"2-10 pieces", "2 - 10 ct", "five times as many"},
			{"1000 g, 1.01 kg", "1000 g", "1% apart"},
			{"100 g (3.63 oz)", "100 g", "2.9% apart"},
			{"100 g (3.43 oz)", "100 g", "2.8% apart, below"},
			{"3 x 100 mL, 309 mL", "3 x 100 mL", "a total 3% apart"},
			{"0.5 g", "0.5 g", "the lightest package"},
			{"250 kg", "250000 g", "the heaviest"},
			{"100000 ct", "100000 ct", "the most pieces"},
			{"100 x 100 g", "100 x 100 g", "a hundred of a hundred"},
			{"101 x 103 g", "101 x 103 g", "two numbers"},
			{"1 lb 15 oz", "878.835217 g", "the most ounces that go on from pounds"},
			{"60 g of protein, 500 g", "500 g", "the most of a nutrient"},
			{"400 g 10000", "400 g", "a product code"},
			{"1000 75 g", "75 g", "no multiplier"},
			{"400 g (1)", "400 g", "one pack"},
			{"Milk,5 L", "5000 mL", "a comma that ends a word"},
			{"Milk, 5 L", "5000 mL", "the same"},
			{"Milk , 5 L", "5000 mL", "a comma between spaces"},
		}},
		{"by weight", []sizeCase{
			{"per kg", "per kg", "the plain case"},
			{"/lb", "per lb", "a slash"},
			{"au kg", "per kg", "French"},
			{"vendu à la livre", "per lb", "French"},
			{"kg", "per kg", "a bare unit"},
			{"per 100 g", "per 100 g", "another basis"},
			{"500 g by weight", "per 500 g", "said in words"},
		}},
		{"approximate", []sizeCase{
			{"approx. 1.2kg", "~1200 g", "before"},
			{"environ 1 kg", "~1000 g", "French"},
			{"up to 3 kg", "~3000 g", "a bound"},
			{"1.2 kg avg.", "~1200 g", "behind"},
			{"poids moyen 1,2 kg", "~1200 g", "a mean weight"},
			{"torréfaction moyenne, 930 g", "930 g", "a medium roast is no mean"},
			{"2 min noodles 85 g", "85 g", "minutes are no minimum"},
			{"ca. 1.2kg", "~1200 g", "circa"},
			{"c. 500 g", "~500 g", "circa, shorter"},
			{"vitamin C 500 g", "500 g", "a letter with no full stop"},
			{"PRG CA CHDR 155GM", "155 g", "ca that stands before no number"},
			{"typically 1.2 kg", "~1200 g", "a typical value"},
			{"typical weight 0.5kg", "~500 g", "the same"},
			{"typical Greek feta 500 g", "500 g", "a typical feta"},
			{"from 500g", "~500 g", "a lower bound"},
			{"made from 2 hens, 500 g", "500 g", "a bound of something else"},
			{"max 500g", "~500 g", "an upper bound"},
			{"chicken max. 500 g", "~500 g", "with a full stop"},
			{"500 g max", "~500 g", "behind"},
			{"1 kg max 85 pieces", "1000 g", "a maximum is no count"},
			{"au moins 1 kg", "~1000 g", "at least, French"},
			{"at least 1 kg", "~1000 g", "at least"},
			{"plus de 1 kg", "~1000 g", "more than, French"},
			{"170 g et plus", "~170 g", "and more, French"},
			{"170 g and up", "~170 g", "and more"},
			{"170 g & up", "~170 g", "and more, with a sign"},
			{"170 g or more", "~170 g", "and more"},
			{"170 g+", "~170 g", "and more, with a plus"},
			{"12 rolls or more", "~12 ct", "also of a count"},
			{"0.40 - 0.50 kg", "400 - 500 g", "a range"},
			{"700g - 1.4kg", "700 - 1400 g", "a unit at both ends"},
			{"1 à 1,5 kg", "1000 - 1500 g", "French"},
			{"2.05-2.29 kg each", "2050 - 2290 g", "each piece is sold alone"},
		}},
		{"with other words", []sizeCase{
			{"Naturally Smoked Bacon375g", "375 g", "glued to the name"},
			{"2% M.F.1.5 Litre", "1500 mL", "a percentage, and full stops"},
			{"Pancakes 9 inch 480 g", "480 g", "a length"},
			{"Tray 20-30 cm, 500 g", "500 g", "a range of lengths"},
			{"Spaghetti no 5 500 g", "500 g", "a number that is a name"},
			{"mild/500 g", "500 g", "a slash"},
			{"makes 12 pieces, 350 g", "350 g", "what it makes is not in it"},
			{"“Kellogg’s” 500 g", "500 g", "curly marks"},
			{"Herb mix (21g) 380291", "21 g", "a product code"},
			{"Kit 467g 2/3 servings", "467 g", "servings"},
			{"1.2L 38 loads", "1200 mL", "loads"},
			{"560 g, 560 g", "560 g", "twice the same"},
			{"430 g per unit", "430 g", "said once more"},
			{"30 g per serving, 450 g", "450 g", "a serving is no package"},
			{"Omega-3 eggs 12 ct", "12 ct", "a number that is a name"},
			{"Vitamin D3 500 mL", "500 mL", "a digit that is part of a word"},
			{"Pepsi Max 2L", "2000 mL", "max is a name here"},
			{"Formula stage 2, 400 g", "400 g", "a number that is a name"},
			{"2% (500 g)", "500 g", "a percentage before brackets"},
			{"500 g*", "500 g", "a footnote"},
		}},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				s, err := basket.ParseSize(c.text)
				if err != nil || s.String() != c.want {
					t.Errorf("%q is %q, %v; want %q: %s", c.text, s, err, c.want, c.why)
				}
			}
		})
	}
}

func TestSizeFields(t *testing.T) {
	tests := []struct {
		text string
		want basket.Size
	}{
		{"4 x 100 mL", basket.Size{Quantity: 400, Unit: basket.Millilitre, Packs: 4, Each: 100}},
		{"~1 kg", basket.Size{Quantity: 1000, Unit: basket.Gram, Packs: 1, Each: 1000, Approximate: true}},
		{"1-2 kg", basket.Size{Quantity: 1500, Unit: basket.Gram, Packs: 1, Each: 1500, Approximate: true, Min: 1000, Max: 2000}},
		{"6 bagels, 450 g", basket.Size{Quantity: 450, Unit: basket.Gram, Packs: 1, Each: 450, Pieces: 6}},
		{"/lb", basket.Size{Quantity: 453.59237, Unit: basket.Gram, Packs: 1, Each: 453.59237, PerWeight: true}},
		{"2 x 12 ct", basket.Size{Quantity: 24, Unit: basket.Count, Packs: 2, Each: 12}},
	}
	for _, tt := range tests {
		if s, err := basket.ParseSize(tt.text); err != nil || s != tt.want {
			t.Errorf("%q is %+v, %v; want %+v", tt.text, s, err, tt.want)
		}
	}
}

func TestSizeIn(t *testing.T) {
	tests := []struct {
		text string
		unit basket.Unit
		want float64 // 0: not in that unit
		why  string
	}{
		{"2 kg", basket.Gram, 2000, "the same unit"},
		{"2 kg", basket.Millilitre, 0, "weights are no volumes"},
		{"2 kg", basket.Count, 0, "nothing is counted"},
		{"6 bagels, 450 g", basket.Gram, 450, "both are stated"},
		{"6 bagels, 450 g", basket.Count, 6, "both are stated"},
		{"4 x 100 mL", basket.Count, 0, "a pack need not be a piece"},
		{"2 x 12 ct", basket.Count, 24, "all packs"},
	}
	for _, tt := range tests {
		s, err := basket.ParseSize(tt.text)
		got, ok := s.In(tt.unit)
		if err != nil || got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%q in %s is %v, %v (%v); want %v: %s", tt.text, tt.unit, got, ok, err, tt.want, tt.why)
		}
	}
}

func TestSizeFixed(t *testing.T) {
	for text, want := range map[string]bool{
		"1 kg": true, "4 x 100 mL": true, "12 ct": true,
		"~1 kg": false, "1 - 2 kg": false, "per kg": false, "1 kg by weight": false, "12 fl oz": false,
	} {
		if s, err := basket.ParseSize(text); err != nil || s.Fixed() != want {
			t.Errorf("%q is fixed: %v (%v), want %v", text, s.Fixed(), err, want)
		}
	}
	var none basket.Size
	if none.Fixed() || none.String() != "no size" {
		t.Errorf("the zero Size is %q, fixed: %v", none, none.Fixed())
	}
}
