package synth

// good is a product's usual price and how it moves, its packs, and its titles in
// shops.
type good struct {
	cents  int64   // price of the standard size, or of a kilogram, in the base week
	drift  int64   // weekly trend, in millionths
	noise  int64   // of the weekly trend, in millionths
	season int64   // how far the price swings over a year, in millionths
	peak   int     // week of the year of the highest price
	sizes  []int64 // other packs, in the product's unit
	fresh  bool    // without a brand
	en, fr []string
}

// A year's rise of one percent is a weekly drift of about 190 millionths. Most
// products rise by two to four percent, a few fall. Every title satisfies the
// product's spec.
var goods = [...]good{
	{649, 560, 1500, 0, 0, []int64{650}, false, []string{"Greek Yogurt, Plain", "Plain Greek Yogurt 0% M.F.", "Greek Style Yogurt, Plain 2%"}, []string{"Yogourt grec nature 0 %", "Yogourt grec nature", "Yogourt à la grecque, style grec nature"}},
	{449, 600, 1800, 0, 0, nil, false, []string{"Large White Eggs", "Large Eggs, Grade A", "Eggs, Large"}, []string{"Oeufs blancs de calibre gros, catégorie A", "Oeufs blancs gros", "Gros oeufs, catégorie A"}},
	{629, 480, 800, 0, 0, nil, false, []string{"2% Partly Skimmed Milk", "Milk, 2% M.F.", "2% Milk"}, []string{"Lait partiellement écrémé 2 %", "Lait 2 %", "Lait écrémé en partie 2 %"}},
	{649, 620, 1500, 0, 0, nil, false, []string{"Salted Butter", "Butter, Salted", "Country Butter, Salted"}, []string{"Beurre salé", "Beurre de campagne salé", "Beurre salé de crèmerie"}},
	{799, 430, 1300, 0, 0, []int64{500}, false, []string{"Old Cheddar Cheese", "Marble Cheddar Cheese", "Medium Cheddar"}, []string{"Fromage cheddar fort", "Fromage cheddar marbré", "Cheddar moyen à pâte ferme"}},
	{349, 400, 1200, 0, 0, nil, false, []string{"Sour Cream 14%", "Sour Cream, Regular", "Light Sour Cream"}, []string{"Crème sure 14 %", "Crème sure régulière", "Crème sure légère"}},
	{1699, 640, 2200, 0, 0, nil, true, []string{"Boneless Skinless Chicken Breast", "Chicken Breasts, Boneless Skinless", "Fresh Chicken Breast, Air Chilled"}, []string{"Poitrine de poulet désossée sans peau", "Poitrines de poulet désossées", "Poulet frais, poitrines sans peau"}},
	{1399, 640, 2000, 0, 0, nil, true, []string{"Lean Ground Beef", "Ground Beef, Lean", "Fresh Lean Ground Beef"}, []string{"Boeuf haché maigre", "Boeuf haché maigre frais", "Boeuf maigre haché"}},
	{2699, 350, 2000, 0, 0, nil, true, []string{"Atlantic Salmon Fillet", "Salmon Fillets, Fresh", "Salmon Fillet, Skin On"}, []string{"Filet de saumon de l'Atlantique", "Filets de saumon frais", "Saumon, filet avec peau"}},
	{349, 300, 1000, 0, 0, []int64{454}, false, []string{"Firm Tofu", "Organic Tofu, Firm", "Extra Firm Tofu"}, []string{"Tofu ferme", "Tofu ferme biologique", "Tofu extra-ferme"}},
	{899, 520, 2000, 0, 0, nil, true, []string{"Pork Loin Chops", "Boneless Pork Chops, Centre Cut", "Pork Chops, Family Pack"}, []string{"Côtelettes de longe de porc", "Côtelettes de porc désossées", "Longe de porc, côtelettes"}},
	{399, 450, 900, 0, 0, []int64{570}, false, []string{"100% Whole Wheat Bread", "Whole Wheat Bread, Sliced", "Whole Grain Bread"}, []string{"Pain de blé entier", "Pain 100 % blé entier", "Pain tranché, grains entiers"}},
	{349, 450, 900, 0, 0, []int64{570}, false, []string{"White Bread", "Original White Bread, Sliced", "Thick Sliced White Bread"}, []string{"Pain blanc", "Pain blanc tranché", "Pain blanc épais"}},
	{349, 420, 900, 0, 0, nil, false, []string{"Plain Bagels", "Bagels, Original", "Bakery Bagels, Plain"}, []string{"Bagels nature", "Bagels originaux", "Bagels de boulangerie nature"}},
	{399, 420, 900, 0, 0, nil, false, []string{"Large Flour Tortillas", "Flour Tortillas, Soft", "Original Wraps"}, []string{"Grandes tortillas de blé", "Tortillas souples à la farine", "Tortillas originales"}},
	{349, 420, 900, 0, 0, nil, false, []string{"Hamburger Buns", "Hamburger Buns, Sliced", "Classic Hamburger Buns"}, []string{"Pains à hamburger", "Pains à hamburger tranchés", "Pains hamburger classiques"}},
	{699, 500, 2200, 0, 0, []int64{500}, false, []string{"Naturally Smoked Bacon", "Sliced Bacon, Original", "Bacon, Reduced Salt"}, []string{"Bacon fumé naturellement", "Bacon tranché original", "Bacon réduit en sel"}},
	{179, 180, 1800, 15_000, 10, nil, true, []string{"Bananas", "Bananas, Yellow", "Fresh Bananas"}, []string{"Bananes", "Bananes fraîches", "Bananes jaunes"}},
	{599, 350, 3000, 90_000, 25, []int64{1810}, true, []string{"Gala Apples, Bag", "Apples, Gala", "Royal Gala Apples"}, []string{"Pommes Gala en sac", "Pommes Gala", "Pommes Royal Gala du Québec"}},
	{149, 420, 3500, 110_000, 44, nil, true, []string{"Avocado", "Hass Avocado", "Avocados, Ripe"}, []string{"Avocat", "Avocat Hass", "Avocats mûrs à point"}},
	{749, 420, 3500, 80_000, 14, nil, true, []string{"Red Seedless Grapes", "Grapes, Red Seedless", "Seedless Red Grapes"}, []string{"Raisins rouges sans pépins", "Raisins de table rouges", "Raisins rouges frais"}},
	{499, 400, 4000, 160_000, 2, nil, true, []string{"Strawberries", "Fresh Strawberries", "Strawberries, Clamshell"}, []string{"Fraises", "Fraises fraîches", "Fraises de saison"}},
	{349, 480, 4000, 110_000, 6, nil, true, []string{"Romaine Lettuce", "Lettuce, Romaine", "Green Romaine"}, []string{"Laitue romaine", "Romaine verte", "Laitue, romaine fraîche"}},
	{329, 400, 3800, 110_000, 8, nil, true, []string{"Broccoli", "Broccoli Crown", "Fresh Broccoli Bunch"}, []string{"Brocoli", "Brocoli frais", "Couronne de brocoli"}},
	{299, 380, 3000, 80_000, 20, []int64{1360}, true, []string{"Carrots, Bag", "Whole Carrots", "Canadian Carrots"}, []string{"Carottes en sac", "Carottes entières", "Carottes du Québec"}},
	{599, 420, 3500, 100_000, 24, []int64{2270}, true, []string{"Yellow Potatoes, Bag", "Yellow Flesh Potatoes", "Potatoes, Yellow"}, []string{"Pommes de terre jaunes", "Pommes de terre à chair jaune", "Patates jaunes en sac"}},
	{549, 450, 3500, 80_000, 5, nil, true, []string{"Tomatoes on the Vine", "Vine Ripened Tomatoes", "Tomatoes, Red on Vine"}, []string{"Tomates en grappe", "Tomates rouges en grappe", "Tomates sur vigne"}},
	{199, 380, 4000, 130_000, 4, nil, true, []string{"English Cucumber", "Cucumber, English", "Seedless Cucumber"}, []string{"Concombre anglais", "Concombre sans pépins", "Concombre anglais, de serre"}},
	{399, 350, 3000, 80_000, 22, nil, true, []string{"Yellow Onions, Bag", "Cooking Onions", "Onions, Yellow"}, []string{"Oignons jaunes en sac", "Oignons à cuire", "Oignons jaunes"}},
	{499, 250, 900, 0, 0, []int64{900}, false, []string{"Large Flake Oats", "Old Fashioned Rolled Oats", "Quick Oats"}, []string{"Flocons d'avoine à l'ancienne", "Gros flocons d'avoine", "Gruau à cuisson rapide"}},
	{799, 300, 900, 0, 0, []int64{1600}, false, []string{"Whole Grain Brown Rice", "Brown Rice, Long Grain", "Long Grain Brown Rice"}, []string{"Riz brun à grains longs", "Riz brun grains entiers", "Riz complet à grain long"}},
	{299, 520, 1000, 0, 0, nil, false, []string{"Spaghetti", "Spaghetti Pasta", "Spaghetti No. 5"}, []string{"Spaghetti", "Pâtes spaghetti", "Spaghetti, pâtes alimentaires"}},
	{899, -60, 1400, 0, 0, []int64{300}, false, []string{"Natural Almonds", "Whole Almonds", "Almonds, Raw"}, []string{"Amandes naturelles", "Amandes entières", "Amandes crues"}},
	{649, 200, 1000, 0, 0, []int64{750}, false, []string{"Smooth Peanut Butter", "Peanut Butter, Smooth", "Peanut Butter, Creamy"}, []string{"Beurre d'arachide crémeux", "Beurre d'arachides onctueux", "Beurre d'arachide léger, crémeux"}},
	{229, 420, 1000, 0, 0, nil, false, []string{"Diced Tomatoes", "Tomatoes, Diced", "Italian Style Diced Tomatoes"}, []string{"Tomates en dés", "Tomates coupées en dés", "Tomates italiennes en dés"}},
	{699, -110, 1500, 0, 0, []int64{1420}, false, []string{"Canola Oil", "Pure Canola Oil", "100% Canola Oil"}, []string{"Huile de canola", "Huile de canola pure", "Huile 100 % canola"}},
	{549, 330, 900, 0, 0, nil, false, []string{"All Purpose Flour", "Original All Purpose Flour", "Unbleached All Purpose Flour"}, []string{"Farine tout usage", "Farine tout usage originale", "Farine tout usage non blanchie"}},
	{399, 350, 900, 0, 0, []int64{1000}, false, []string{"Frozen Green Peas", "Green Peas, Frozen", "Garden Peas"}, []string{"Petits pois surgelés", "Pois verts surgelés", "Petits pois sucrés surgelés"}},
	{649, 480, 1600, 20_000, 15, nil, false, []string{"Frozen Blueberries", "Wild Blueberries, Frozen", "Whole Blueberries"}, []string{"Bleuets surgelés", "Bleuets sauvages surgelés", "Bleuets entiers surgelés"}},
	{599, 300, 1200, 0, 0, nil, false, []string{"Pepperoni Pizza, Rising Crust", "Thin Crust Pepperoni Pizza", "Pizza, Pepperoni"}, []string{"Pizza surgelée au pepperoni", "Pizza au pepperoni à croûte levée", "Pizza pepperoni pâte mince"}},
	{599, 380, 1200, 0, 0, nil, false, []string{"Vanilla Ice Cream", "Ice Cream, French Vanilla", "Classic Vanilla Ice Cream"}, []string{"Crème glacée à la vanille", "Crème glacée vanille française", "Crème glacée, saveur vanille"}},
	{549, 640, 1600, 0, 0, []int64{1750}, false, []string{"Orange Juice, No Pulp", "100% Orange Juice", "Orange Juice, Original"}, []string{"Jus d'orange sans pulpe", "Jus d'orange pur à 100 %", "Jus d'orange, à l'ancienne"}},
	{1999, 680, 1500, 0, 0, nil, false, []string{"Medium Roast Ground Coffee", "Ground Coffee, Original", "Ground Coffee, Medium Roast"}, []string{"Café moulu, torréfaction moyenne", "Café moulu original", "Café moulu, mi-noir"}},
	{599, 250, 900, 0, 0, nil, false, []string{"Orange Pekoe Tea", "Tea, Orange Pekoe", "Orange Pekoe Black Tea"}, []string{"Thé orange pekoe", "Thé noir orange pekoe", "Thé orange pekoe, régulier"}},
	{429, 150, 900, 0, 0, nil, false, []string{"Unsweetened Almond Beverage", "Almond Beverage, Original Unsweetened", "Unsweetened Almond Milk"}, []string{"Boisson aux amandes non sucrée", "Boisson d'amande non sucrée", "Boisson aux amandes originale, non sucrée"}},
	{999, 400, 1100, 0, 0, nil, false, []string{"Bathroom Tissue, 2-Ply", "Toilet Paper, Double Rolls", "Ultra Soft Toilet Paper"}, []string{"Papier hygiénique double épaisseur", "Papier hygiénique ultra-doux", "Papier de toilette, rouleaux doubles"}},
	{349, 300, 1000, 0, 0, nil, false, []string{"Original Dish Soap", "Dish Liquid, Citrus", "Dishwashing Liquid"}, []string{"Savon à vaisselle original", "Liquide à vaisselle, agrumes", "Savon à vaisselle concentré"}},
	{999, 230, 1400, 0, 0, []int64{1840}, false, []string{"Liquid Laundry Detergent", "Laundry Detergent, Fresh Scent", "Cold Water Laundry Detergent"}, []string{"Détergent à lessive liquide", "Savon à lessive, eau froide", "Détersif à lessive liquide"}},
	{899, 350, 1100, 0, 0, nil, false, []string{"Paper Towels", "Paper Towels, Full Sheet", "Absorbent Paper Towels"}, []string{"Essuie-tout absorbants", "Essuie-tout, feuilles pleine grandeur", "Essuie-tout blancs"}},
	{399, 380, 3000, 60_000, 30, nil, true, []string{"Sweet Potatoes", "Sweet Potato", "Yams, Sweet Potatoes"}, []string{"Patates douces", "Patates douces fraîches", "Patate douce"}},
	// Of an earlier basket, and not of the fifty.
	{449, 300, 900, 0, 0, nil, false, []string{"Soft Margarine", "Original Margarine", "Margarine, Non-Hydrogenated"}, []string{"Margarine molle", "Margarine originale", "Margarine non hydrogénée"}},
}

// nationalBrands are invented, and several banners carry them.
var nationalBrands = []string{"Alderbyte", "Maison Quillard", "Sunmarrow", "Bluetern", "Old Wharfinger", "Pommelune"}
