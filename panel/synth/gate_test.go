package synth

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// The gate below is slow and reads no sizes: it exists to show that the
// planted verdicts are those that the published rules lead to.

var fold = strings.NewReplacer(
	"à", "a", "â", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "î", "i", "ï", "i",
	"ô", "o", "ù", "u", "û", "u", "ü", "u", "œ", "oe")

func words(s string) string {
	s = fold.Replace(strings.ToLower(s))
	fields := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(fields, " ") + " "
}

func satisfies(title string, s basket.Spec) bool {
	text := words(title)
	has := func(term string) bool { return strings.Contains(text, words(term)) }
	if slices.ContainsFunc(s.Forbid, has) {
		return false
	}
	for _, group := range s.Require {
		if !slices.ContainsFunc(group, has) {
			return false
		}
	}
	return true
}

// unspoiled undoes mojibake by trying: it knows the generator's titles.
func unspoiled(d *Data) map[string]string {
	titles := map[string]string{}
	for _, l := range d.world.listings {
		g := goods[l.good]
		for _, t := range g.fr {
			for _, brand := range append([]string{d.world.chains[l.chain].brand}, nationalBrands...) {
				for _, sz := range []string{"", ", " + packText(0, true, d.world.products[l.good], l.size)} {
					for _, name := range []string{brand + " " + t + sz, t + sz} {
						titles[mojibake(name)], titles[mojibake(mojibake(name))] = name, name
					}
				}
			}
		}
	}
	return titles
}

type pair struct{ listing, store int64 }

func TestVerdictsAreThoseOfTheRules(t *testing.T) {
	for _, weeks := range []int{4, 9, 18, 60} {
		for s := uint64(1); s <= 2; s++ {
			t.Run(fmt.Sprintf("%d weeks, seed %d", weeks, s), func(t *testing.T) {
				d, err := Generate(Config{Seed: s, Through: panel.DateOf(2026, 11, 20), Weeks: weeks})
				if err != nil {
					t.Fatal(err)
				}
				checkVerdicts(t, d)
			})
		}
	}
}

func checkVerdicts(t *testing.T, d *Data) {
	specs := map[int]basket.Spec{}
	for _, s := range d.Specs {
		specs[s.ProductID] = s
	}
	good := unspoiled(d)
	var rows []panel.Observation
	var fails []bool
	judged := map[string]bool{}
	all, bad := map[pair]int{}, map[pair]int{}
	for o := range d.Observations() {
		m, st := d.Listings[o.Listing-1], d.Stores[o.Store-1]
		if m.Banner != st.Banner {
			t.Fatalf("row %d: listing %d is of %s, store %d of %s", o.ID, m.ID, m.Banner, st.ID, st.Banner)
		}
		if !m.Active || !st.Active || m.ProductID > 50 {
			continue
		}
		title := o.ScrapedName
		if g, ok := good[title]; ok {
			title = g
		}
		key := fmt.Sprint(m.ProductID, title)
		if _, ok := judged[key]; !ok {
			judged[key] = !satisfies(title, specs[m.ProductID])
		}
		fail := judged[key] || d.world.oddRow(o) == strayPack
		rows, fails = append(rows, o), append(fails, fail)
		for _, k := range []pair{{o.Listing, 0}, {o.Listing, o.Store}} {
			all[k]++
			if fail {
				bad[k]++
			}
		}
	}
	wrong := func(k pair) bool { return all[k] >= 4 && 2*bad[k] >= all[k] }
	want := make([]panel.Verdict, len(rows))
	product, series := map[int][]int64{}, map[pair][]int64{}
	for i, o := range rows {
		switch {
		case wrong(pair{o.Listing, 0}) || wrong(pair{o.Listing, o.Store}):
			want[i] = panel.Quarantined
		case fails[i]:
			want[i] = panel.FailsIdentity
		default:
			k := pair{o.Listing, o.Store}
			series[k] = append(series[k], int64(o.Effective))
			if m := d.Listings[o.Listing-1]; d.inIndex(m.Banner) {
				product[m.ProductID] = append(product[m.ProductID], int64(o.Effective))
			}
		}
	}
	byProduct, bySeries := medians(product), medians(series)
	basis := map[pair]bool{}
	for k, m := range bySeries {
		p := byProduct[d.Listings[k.listing-1].ProductID]
		basis[k] = len(series[k]) >= 4 && (m >= 3*p || 3*m <= p)
	}
	for i, o := range rows {
		k := pair{o.Listing, o.Store}
		p := d.Products[d.Listings[o.Listing-1].ProductID-1]
		if want[i] == panel.Pass {
			r := 2 * float64(o.Effective) / float64(bySeries[k])
			switch {
			case basis[k]:
				want[i] = panel.Quarantined
			case p.PerKg() && len(series[k]) >= 4 && (near(r, 2.2046) || near(r, 1/2.2046)):
				want[i] = panel.Quarantined
			}
			if usual := 2 * float64(o.Effective) / float64(byProduct[p.ID]); want[i] == panel.Pass && (usual < 0.45 || usual > 2.2) {
				t.Errorf("%s, row %d: %s is %.2f times the usual price", p.Name, o.ID, o.Effective, usual)
			}
		}
		if want[i] != o.Verdict {
			t.Errorf("%s, row %d (listing %d at store %d, %q): planted %s, the rules say %s",
				p.Name, o.ID, o.Listing, o.Store, o.ScrapedName, o.Verdict, want[i])
		}
		if t.Failed() {
			return
		}
	}
}

// medians returns twice the medians, so that they stay whole.
func medians[K comparable](lists map[K][]int64) map[K]int64 {
	m := make(map[K]int64, len(lists))
	for k, l := range lists {
		slices.Sort(l)
		m[k] = l[len(l)/2] + l[(len(l)-1)/2]
	}
	return m
}

func near(r, to float64) bool { return math.Abs(r/to-1) <= 0.02 }

func (d *Data) inIndex(banner string) bool {
	for _, b := range d.Banners {
		if b.Key == banner {
			return b.InIndex
		}
	}
	return false
}

// oddRow returns what is wrong with a single row.
func (w *world) oddRow(o panel.Observation) odd {
	for _, x := range w.listings[o.Listing-1].series {
		if x.store.ID == o.Store {
			return x.odd[int(panel.WeekOf(o.ObservedAt)-w.base)/7]
		}
	}
	return plain
}

func TestTitlesSatisfyTheSpecs(t *testing.T) {
	d, err := Generate(Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Specs) != 50 {
		t.Errorf("%d specs, want one for each of the fifty products", len(d.Specs))
	}
	for _, s := range d.Specs {
		g, p := goods[s.ProductID-1], d.Products[s.ProductID-1]
		for _, title := range append(slices.Clone(g.en), g.fr...) {
			for _, brand := range append([]string{"", "Wold Basics", "Délices Grangelys"}, nationalBrands...) {
				if !satisfies(brand+" "+title, s) {
					t.Errorf("%s: %q does not satisfy the spec", p.Name, brand+" "+title)
				}
			}
		}
		for _, name := range []string{p.Name, p.NameFr} {
			if !satisfies(name, s) {
				t.Errorf("the product's own name %q does not satisfy its spec", name)
			}
		}
		for _, size := range append([]int64{int64(p.StandardSize)}, g.sizes...) {
			if f := float64(size); f < s.MinSize || (s.MaxSize > 0 && f > s.MaxSize) {
				t.Errorf("%s: a pack of %d is outside %v to %v", p.Name, size, s.MinSize, s.MaxSize)
			}
		}
		if title := wrongTitles[s.ProductID]; title != "" && satisfies(title, s) {
			t.Errorf("%s: %q satisfies the spec", p.Name, title)
		}
	}
	for _, want := range packs {
		s := d.Specs[want.id-1]
		if float64(want.new) < s.MinSize || float64(want.old) > s.MaxSize {
			t.Errorf("product %d: a pack from %d to %d is outside the spec", want.id, want.old, want.new)
		}
	}
	for _, l := range d.world.listings {
		if x := d.Products[l.good]; l.good < 50 && !x.PerKg() {
			if s := d.Specs[l.good]; float64(l.size) < s.MinSize || float64(l.size) > s.MaxSize {
				t.Errorf("%s: a pack of %d", x.Name, l.size)
			}
		}
	}
}

// The plain product passes under any brand; what a search also finds does not.
func TestSpecsOnShopTitles(t *testing.T) {
	d, err := Generate(Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id    int
		title string
		want  bool
	}{
		{1, "Yogourt grec nature 2 % M.G., 750 g", true},
		{1, "Greek Yogurt, Vanilla, 750 g", false},
		{2, "12 LARGE WHITE EGGS", true},
		{2, "Blancs d'œufs liquides", false},
		{3, "Lait 3,25 % en sac", true},
		{3, "Lait d'amande", false},
		{4, "Beurre d'arachide", false},
		{7, "Poitrines de poulet panées", false},
		{8, "Boeuf haché mi-maigre", true},
		{9, "Saumon fumé", false},
		{12, "PAIN DE BLE ENTIER", true},
		{18, "Organic Bananas", true},
		{18, "Banana Bread", false},
		{19, "Pommes de terre jaunes", false},
		{20, "Huile d'avocat", false},
		{21, "Raisins secs", false},
		{24, "Broccoli Florets", false},
		{26, "Pommes de terre à chair jaune 10 lb", true},
		{26, "Sweet Potatoes", false},
		{27, "Sauce tomate", false},
		{31, "Riz brun à grains longs", true},
		{34, "Beurre d'arachide crémeux léger", true},
		{35, "Tomates en dés aux fines herbes", true},
		{39, "Muffins aux bleuets surgelés", false},
		{41, "Crème glacée à la vanille", true},
		{42, "Jus d'orange et mangue", false},
		{43, "Café en grains, torréfaction moyenne", false},
		{46, "Papier hygiénique 12 rouleaux", true},
		{49, "Serviettes de table", false},
		{50, "Frites de patates douces", false},
	} {
		if got := satisfies(tt.title, d.Specs[tt.id-1]); got != tt.want {
			t.Errorf("%s: %q passes: %v, want %v", d.Products[tt.id-1].Name, tt.title, got, tt.want)
		}
	}
}
