package basket

import "strings"

// Spec has the conditions under which a shop's title and pack size fit a
// product. Terms are whole words, or several words in a row, in lower case and
// without accents. Titles are folded in the same way before they are compared.
type Spec struct {
	ProductID int
	Require   [][]string // every group must be met, by any one of its terms
	Forbid    []string   // a title with one of these terms does not fit
	MinSize   float64    // in the product's unit, included; 0: no bound
	MaxSize   float64    // in the product's unit, included; 0: no bound
}

// CanadaSpecs returns one spec for each product of Canada's basket, by id, in
// the words of English and French shop titles. They refuse other finds of a
// search for the product (the juice, the chips, the flavoured kind) and let the
// plain product pass under any brand. Bounds on the size leave room for the usual
// other packs, not for single portions or cases.
//
// Every call returns new specs, which the caller may change.
func CanadaSpecs() []Spec {
	specs := make([]Spec, 0, len(canadaSpecs))
	for _, s := range canadaSpecs {
		spec := Spec{ProductID: s.id, MinSize: s.min, MaxSize: s.max}
		for group := range strings.SplitSeq(s.require, "&") {
			spec.Require = append(spec.Require, strings.Split(group, "|"))
		}
		spec.Forbid = strings.Split(s.forbid, "|")
		specs = append(specs, spec)
	}
	return specs
}

// The terms are written as in a panel directory: "&" between groups, "|"
// between alternatives.
var canadaSpecs = []struct {
	id              int
	require, forbid string
	min, max        float64
}{
	{1, "greek|grec&yogurt|yoghurt|yogourt|yaourt", "bar|bars|barre|barres|bites|granola|drink|drinkable|dip|trempette|dressing|frozen|glace|pretzels|vanilla|vanille|strawberry|fraise|fraises|raspberry|framboise|framboises|blueberry|bleuet|bleuets|honey|miel|coconut|coco|peach|peche|lemon|citron|key lime|cherry|cerise|tzatziki", 450, 1000},
	{2, "egg|eggs|oeuf|oeufs", "chocolate|chocolat|liquid|liquide|liquides|quail|caille|salad|salade|sandwich|noodle|noodles|nouilles|roll|rolls|cream|plant|pickled|marines|cooked|cuits|substitute|whites only|egg whites|blancs d oeufs|easter|paques", 6, 30},
	{3, "milk|lait", "almond|amande|amandes|oat|avoine|soy|soya|coconut|coco|rice|riz|cashew|goat|chevre|chocolate|chocolat|strawberry|vanilla|vanille|evaporated|evapore|condensed|condense|powder|poudre|buttermilk|babeurre|shake|shakes|tea|bar|cookie|cookies|biscuits|bread|pain", 1000, 4000},
	{4, "butter|beurre", "peanut|arachide|arachides|almond|amande|amandes|nut|noix|cashew|apple|pomme|pommes|cookie|cookies|biscuits|body|corporel|garlic|ail|chicken|poulet|popcorn|spray|tart|tarts|croissant|croissants|shea|beans|lettuce|laitue|cocoa|cacao|ghee|vegan|vegetalien|squash|flavour|flavoured", 227, 500},
	{5, "cheddar", "popcorn|crackers|craquelins|chips|croustilles|soup|soupe|sauce|macaroni|pierogi|pierogies|perogies|dip|bagel|bagels|bread|pain|sausage|sausages|saucisses|puffs|biscuits|cauldron|bun|buns|pretzels|goldfish|vegan|vegetalien|snack|seasoning", 200, 900},
	{6, "sour cream|creme sure|creme aigre", "chips|croustilles|onion|oignon|oignons|dip|trempette|cake|gateau|crackers|craquelins|doughnut|doughnuts|seasoning|vegan|vegetalien|tortilla|perogies", 250, 1000},
	{7, "chicken|poulet&breast|breasts|poitrine|poitrines", "nugget|nuggets|pepites|strips|lanieres|burger|burgers|breaded|pane|panee|panees|smoked|fume|fumee|deli|charcuterie|sliced|tranche|tranchee|tranchees|canned|conserve|cooked|cuit|cuite|cuites|soup|soupe|stuffed|farcie|farcies|skewers|brochettes|dog|chien|cat|chat|meatballs|plant", 200, 6000},
	{8, "beef|boeuf&ground|hache|minced", "plant|vegetal|vegetarian|burger|burgers|galettes|meatball|meatballs|boulettes|seasoning|assaisonnement|dog|chien|cat|chat|pie|pate|lasagna|lasagne|jerky|soup|soupe|extra lean pork|pork|porc|veal|veau", 200, 3000},
	{9, "salmon|saumon", "smoked|fume|sauce|burger|burgers|dog|chien|cat|chat|canned|conserve|can|spread|tartinade|dip|soup|soupe|chowder|sushi roll|candy|jerky|patties|galettes|cakes|croquettes|gravlax|oil|huile|roe|salad|salade", 100, 3000},
	{10, "tofu", "smoked|fume|soft|mou|silken|soyeux|dessert|soup|soupe|stew|fried|frit|puffs|scramble|noodle|noodles|nouilles|burger|burgers|dip|pudding|egg tofu|skin", 250, 700},
	{11, "pork|porc&chop|chops|cotelette|cotelettes|loin|longe", "smoked|fume|fumee|fumees|breaded|pane|panees|cooked|cuit|cuites|deli|sliced deli|back bacon|bacon|sauce|stuffed|farcie|farcies|rinds|dog|chien|sausage|sausages|tenderloin|filet de porc|filets de porc", 200, 4000},
	{12, "bread|pain&whole wheat|ble entier|whole grain|grains entiers", "crackers|craquelins|crumbs|chapelure|pita|pitas|wrap|wraps|tortilla|tortillas|bun|buns|hamburger|hot dog|bagel|bagels|naan|mix|melange|flour|farine|stuffing|sticks|thins|raisin|raisins|english muffins|machine|pudding|white|blanc", 400, 800},
	{13, "bread|pain&white|blanc", "whole wheat|ble entier|crackers|craquelins|crumbs|chapelure|pita|pitas|wrap|wraps|tortilla|tortillas|bun|buns|hamburger|hot dog|bagel|bagels|naan|mix|melange|flour|farine|garlic|ail|sticks|chocolate|chocolat|vinegar|machine|pudding|fish|beans", 400, 800},
	{14, "bagel|bagels", "chips|croustilles|crisps|bites|bouchees|seasoning|assaisonnement|cheese|cream|dog|sandwich|mini|minis|cinnamon|cannelle|raisin|raisins|blueberry|bleuets|slicer|everything|sesame|pizza", 4, 12},
	{15, "tortilla|tortillas|wrap|wraps", "chips|croustilles|chip|corn|mais|soup|soupe|kit|press|cheese|chicken|poulet|foil|plastic|paper|bowl|bowls|strips|lettuce|spinach|epinards|gift", 6, 20},
	{16, "hamburger|burger&bun|buns|pain|pains", "hot dog|patty|patties|galettes|slider|sliders|seasoning|sauce|kit|gluten|brioche|beef|boeuf|plant|cheese|relish", 6, 16},
	{17, "bacon", "bits|miettes|turkey|dinde|beef|boeuf|jerky|dog|chien|chips|croustilles|ranch|dip|sauce|soup|soupe|salad|salade|plant|vegan|vegetalien|sandwich|wrapped|enrobe|pizza|quiche|flavour|saveur|perogies|burger|jam|confiture|maple cookies|egg|back|dos", 250, 1000},
	{18, "banana|bananas|banane|bananes", "bread|pain|chips|croustilles|milk|lait|muffin|muffins|split|plantain|plantains|dried|sechees|frozen|surgelees|surgeles|baby food|puree|cake|gateau|candy|bonbons|pudding|peppers|piments|leaves|feuilles|ketchup|yogurt|yogourt|cereal|smoothie|flower", 100, 3000},
	{19, "apple|apples|pomme|pommes", "sauce|compote|juice|jus|chips|croustilles|pie|tarte|cider|cidre|vinegar|vinaigre|terre|pineapple|ananas|dried|sechees|sliced|tranches|cereal|crisp|strudel|butter|beurre|jelly|gelee|muffin|muffins|turnover|snack|caramel|candy|bar|bars|barres|custard", 900, 2500},
	{20, "avocado|avocados|avocat|avocats", "oil|huile|guacamole|salad|salade|frozen|surgele|surgeles|dip|trempette|toast|mayonnaise|mayo|spread|tartinade|sauce|dressing|vinaigrette|roll|sushi|mask|shampoo|chips|bag|bags|sac", 1, 1},
	{21, "grape|grapes|raisin|raisins", "juice|jus|jam|jelly|confiture|gelee|tomato|tomatoes|tomates|seed oil|pepins oil|huile|leaves|feuilles|soda|candy|bonbons|dried|sec|secs|seche|seches|sultana|bread|pain|bran|cookies|biscuits|drink|boisson|vinegar|vinaigre|nuts|cereal|cereales|wine|vin|chocolate|chocolat|cotton candy", 200, 3000},
	{22, "strawberry|strawberries|fraise|fraises", "jam|confiture|yogurt|yogourt|milk|lait|ice cream|creme|frozen|surgelees|surgele|dried|sechees|juice|jus|drink|boisson|cake|gateau|pie|tarte|rhubarb|rhubarbe|candy|bonbons|cereal|cereales|bar|bars|barres|syrup|sirop|chocolate|chocolat|shortcake|kiwi|wafers|jelly|gelee|licorice|pudding|tart|tarts|smoothie|spread|tartinade|cheesecake", 227, 910},
	{23, "romaine", "kit|ensemble|shredded|dechiquetee|caesar|cesar|salad|salade|chopped|hachee|hearts|coeurs|mix|melange|blend|dressing|vinaigrette|croutons|bowl", 1, 1},
	{24, "broccoli|brocoli", "pancakes|florets|fleurons|soup|soupe|creme|cream|frozen|surgele|surgeles|kit|slaw|salad|salade|rabe|rapini|sprouts|pousses|cheddar|casserole|rice|riz|bites|bouchees|quiche|baby|chinese|chinois|stir fry|seasoning|nuggets", 1, 1},
	{25, "carrot|carrots|carotte|carottes", "juice|jus|cake|gateau|soup|soupe|sticks|batonnets|muffin|muffins|shredded|rapees|rape|frozen|surgelees|surgele|peas|pois|canned|conserve|baby food|salad|salade|puree|mini|baby|miniatures|hummus|chips|slaw|dried|sliced|tranchees|snack", 300, 2500},
	{26, "potato|potatoes|patate|patates|pommes de terre", "chips|croustilles|shredded|sweet|douce|douces|salad|salade|rosti|fries|frites|mashed|puree|pilees|hash|wedges|quartiers|soup|soupe|flakes|flocons|starch|fecule|bread|pain|buns|frozen|surgelees|scalloped|gratin|pierogi|perogies|gnocchi|pancakes|tots|skins|canned|conserve|sticks|vodka|mini|baby|grelots|creamer|little", 1300, 9100},
	{27, "tomato|tomatoes|tomate|tomates", "sauce|paste|pate|soup|soupe|ketchup|juice|jus|canned|conserve|diced|en des|crushed|broyees|dried|sechees|salsa|cherry|cerises|cerise|grape|raisins|bruschetta|basil|basilic|puree|passata|strained|stewed|etuvees|pizza|pasta|chips|croustilles|dressing|vinaigrette|chutney|jam|seeds|graines|plant|cocktail|feta|hummus", 200, 3000},
	{28, "cucumber|cucumbers|concombre|concombres", "salad|salade|pickle|pickles|pickled|cornichon|cornichons|kimchi|mini|miniatures|baby|dip|trempette|dressing|vinaigrette|tzatziki|water|eau|soap|savon|mask|sushi|roll|lemonade|relish|gin|wipes|lotion", 1, 1},
	{29, "onion|onions|oignon|oignons", "rings|rondelles|soup|soupe|powder|poudre|dip|trempette|green|vert|verts|pickled|marines|frozen|surgeles|chips|croustilles|crackers|craquelins|fried|frits|sauce|bread|pain|bun|buns|bagel|bagels|salt|sel|flakes|flocons|seasoning|cream|creme|dressing|vinaigrette|jam|confit|perogies|pearl|perles|chopped|haches|diced|mix|spring|seeds", 900, 2300},
	{30, "oat|oats|oatmeal|gruau|avoine", "bar|bars|barre|barres|cookie|cookies|biscuit|biscuits|granola|drink|boisson|milk|lait|beverage|beverages|bran|son|bread|pain|cereal|cereales|flour|farine|muffin|muffins|shampoo|lotion|soap|savon|cream|creme|crackers|craquelins|honey|miel|instant|instantane|maple|erable|yogurt|yogourt|balls|bites|pancake|cup|cluster|clusters|soup", 600, 2500},
	{31, "rice|riz&brown|brun|complet|complets|whole grain", "paste|cake|cakes|galettes|crackers|craquelins|noodle|noodles|nouilles|flour|farine|syrup|sirop|cereal|cereales|chips|croustilles|pudding|milk|drink|boisson|vinegar|vinaigre|instant|instantane|ready|minute|crisps|crispy|pasta|scorched|tea|snaps|puffs|protein|miso|cups|bowl|bowls|vermicelli|sausage|stick|ramen|mix|paper", 700, 8000},
	{32, "spaghetti|spaghettini", "sauce|squash|courge|canned|conserve|meatballs|boulettes|frozen|surgele|kit|dinner|rice|riz|chickpea|pois chiches|lentil|lentilles|zucchini|spiralizer|cup|tomato|seasoning", 400, 2000},
	{33, "almond|almonds|amande|amandes", "chocolate|chocolat|maple|erable|milk|lait|butter|beurre|beverage|beverages|boisson|flour|farine|bar|bars|barre|barres|cookie|cookies|biscuits|croissant|croissants|extract|extrait|granola|cereal|cereales|honey|miel|paste|oil|huile|yogurt|yogourt|bark|wafers|mix|melange|crackers|candy|cake|gateau|cluster|clusters|toffee|caramel|coated|enrobees|drink|crunch|shampoo|thins|jelly|pudding|tofu", 100, 1500},
	{34, "peanut butter|beurre d arachide|beurre d arachides|beurre arachide", "cookie|cookies|biscuits|cup|cups|bar|bars|barre|barres|chocolate|chocolat|cereal|cereales|granola|cracker|crackers|craquelins|jam|jelly|gelee|confiture|powder|powdered|poudre|pretzel|pretzels|bretzels|ice cream|creme glacee|dog|chien|treats|gateries|sandwich|sandwiches|protein|cake|balls|filled|fourres", 450, 2000},
	{35, "tomato|tomatoes|tomate|tomates&diced|en des|petits des|coupees en des", "soup|soupe|sauce|paste|ketchup|juice|jus|salsa|crushed|broyees|fresh|fraiches|dried|sechees|chili|chilies|chilis|beans|haricots|pasta|frozen|bruschetta|stewed", 390, 2900},
	{36, "canola&oil|huile", "spray|vaporisateur|aerosol|margarine|mayonnaise|mayo|tuna|thon|olive|dressing|vinaigrette|popcorn|lens|motor|butter|avocado|sesame|sardines", 700, 4000},
	{37, "flour|farine&all purpose|tout usage|plain|white|blanche", "tortilla|tortillas|whole wheat|ble entier|almond|amande|amandes|rice|riz|coconut|coco|gluten|corn|mais|oat|avoine|self raising|self rising|cake|gateau|pastry|patisserie|bread flour|chickpea|bun|buns|mix|melange|sifter|rye|seigle|tapioca", 1000, 10000},
	{38, "pea|peas|petits pois|pois verts&frozen|surgele|surgeles|garden|green|verts|sweet|sucres", "soup|soupe|split|casses|carrots|carottes|canned|conserve|snap|snow|mange tout|pods|wasabi|chips|crisps|snacks|protein|chick|chickpeas|chiches|pigeon|rice|riz|dried|seches|mix|melange|corn|mais|mashed|butter|baby food|black eyed|shoots|cream|tuna", 400, 2000},
	{39, "blueberry|blueberries|bleuet|bleuets&frozen|surgele|surgeles|wild|sauvages|whole|entiers", "jam|confiture|pie|tarte|muffin|muffins|yogurt|yogourt|juice|jus|bar|bars|barre|barres|cereal|cereales|dried|seches|bagel|bagels|waffles|gaufres|pancakes|crepes|sauce|syrup|sirop|ice cream|creme|cookie|cookies|tea|scone|scones|chocolate|chocolat|granola|drink|strawberries|fraises|cheesecake|mix|melange|maple|oatmeal|vinegar|wine", 300, 2000},
	{40, "pizza&pepperoni", "pocket|pockets|pop|pops|bites|bouchees|rolls|rouleaux|bagel|bagels|sauce|dough|pate a pizza|snack|snacks|snackers|crackers|craquelins|chips|croustilles|stick|sticks|sub|kit|slice|slices|pointe|flavour|flavoured|mini|minis|seasoning|dip|sausage|fingers|calzone|lunch|cutter|goldfish|naan", 250, 900},
	{41, "ice cream|creme glacee|frozen dessert|dessert glace&vanilla|vanille", "bar|bars|barre|barres|sandwich|sandwiches|cone|cones|cornet|cornets|cake|gateau|cup|cups|chocolate|chocolat|strawberry|fraise|fraises|caramel|cookie|cookies|biscuits|swirl|tourbillon|fudge|mix|vegan|vegetalien|coconut|coco|almond|amande|soy|soya|dog|scoop|topping|wafers|extract|cherry|neapolitan|napolitaine|bites|coffee|float|pie|mochi|sundae", 900, 4000},
	{42, "orange&juice|jus", "mango|mangue|pineapple|ananas|strawberry|fraise|banana|banane|carrot|carotte|peach|peche|passion|tangerine|apple|pomme|cranberry|canneberge|grapefruit|pamplemousse|drink|boisson|cocktail|punch|beverage|frozen|surgele|concentrated|crystals|cristaux|powder|poudre|gummies|jelly|soda|marmalade|box|boxes|sparkling|blend|ginger|lemonade|vinegar|turmeric|vodka", 1000, 4000},
	{43, "coffee|cafe&ground|moulu|roast|torrefaction", "whole bean|whole beans|grains|bean|beans|instant|instantane|pod|pods|k cup|k cups|capsule|capsules|dosettes|decaf|decaffeinated|decafeine|creamer|colorant|iced|glace|filter|filters|filtres|ice cream|liqueur|cake|cookies|syrup|sirop|yogurt|yogourt|candy|whitener|maker|mug|grinder|latte|drink|cold brew|mushroom", 250, 1400},
	{44, "tea|the&orange pekoe|pekoe|black|noir", "iced|glace|green|vert|herbal|tisane|matcha|kombucha|chai|latte|loose|vrac|cookies|biscuits|towel|towels|tree|concentrate|concentre|bottle|bottled|mix|melange|decaf|decaffeinated|kit|syrup|sirop|powder|poudre|peach|peche|lemon|citron|bubble|tablecloth|milk|bergamot|infuser|cup", 36, 216},
	{45, "almond|almonds|amande|amandes&beverage|milk|boisson|lait|drink", "vanilla|vanille|chocolate|chocolat|creamer|colorant|yogurt|yogourt|bar|bars|barre|barres|cheese|fromage|frozen|glacee|coconut|coco|oat|avoine|cashew|coffee|cafe|sweetened|protein|cookies|biscuits|hazelnut|noisettes|condensed|powder|soap|lotion|tofu|pudding|cereal", 900, 4000},
	{46, "toilet paper|bathroom tissue|toilet tissue|papier hygienique|papier de toilette|bath tissue", "holder|support|facial|mouchoirs|towel|towels|essuie tout|wipes|lingettes|cleaner|nettoyant|brush|brosse|stand|seat|dispenser|distributeur", 4, 48},
	{47, "dish|dishes|dishwashing|vaisselle", "detergent pods|pods|tablets|tablettes|pacs|pac|capsules|powder|poudre|dishwasher|lave vaisselle|brush|brosse|rack|egouttoir|towel|towels|linge|wand|sponge|eponge|gloves|gants|cloth|cloths|cat|dog|food|baking|plat|dispenser|casserole|scrubber|mat|rinse", 400, 2000},
	{48, "laundry|lessive&detergent|soap|savon|detersif|liquid|liquide", "pods|pacs|pac|capsules|sheets|feuilles|powder|poudre|softener|assouplissant|basket|panier|bag|sac|stain|detachant|bleach|javellisant|booster|dryer|secheuse|scent booster|beads|bar|strips|dish|vaisselle|sanitizer|rinse|starch|wool", 900, 5000},
	{49, "paper towel|paper towels|essuie tout", "holder|support|napkin|napkins|serviettes|toilet|hygienique|dispenser|distributeur|cloth|reusable|reutilisable|reutilisables|bamboo holder|tissue|facial|shop|blue|wipes|lingettes", 1, 24},
	{50, "sweet potato|sweet potatoes|patate douce|patates douces|yam|yams", "fries|frites|chips|croustilles|mashed|puree|frozen|surgelees|surgele|soup|soupe|pie|tarte|canned|conserve|cubes|diced|noodle|noodles|nouilles|vermicelli|dog|chien|treats|crackers|bread|pain|puffs|baby food|wedges|flour|farine|salad|salade|gnocchi|candied|tots|spirals|starch|casserole|snack", 200, 5000},
}
