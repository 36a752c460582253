package basket_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestProductValidate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(*basket.Product)
		want   []string
	}{
		{"clean", func(*basket.Product) {}, nil},
		{"the smallest of all", func(p *basket.Product) { p.Weight, p.StandardSize = 0, math.SmallestNonzeroFloat64 }, nil},
		{"id", func(p *basket.Product) { p.ID = 0 }, []string{"id 0 is not above 0"}},
		{"name", func(p *basket.Product) { p.Name = "" }, []string{"name is empty"}},
		{"overall", func(p *basket.Product) { p.Category = basket.Overall.Slug() }, []string{"category is empty"}},
		{"no size", func(p *basket.Product) { p.StandardSize = 0 }, []string{"standard_size 0"}},
		{"size", func(p *basket.Product) { p.StandardSize = math.NaN() }, []string{"standard_size NaN"}},
		{"no unit", func(p *basket.Product) { p.Unit = 0 }, []string{"unit is not one of g, mL, unit"}},
		{"no such unit", func(p *basket.Product) { p.Unit = basket.Count + 1 }, []string{"unit is not one of g, mL, unit"}},
		{"weight below 0", func(p *basket.Product) { p.Weight = -0.1 }, []string{"basket_weight -0.1"}},
		{"weight", func(p *basket.Product) { p.Weight = math.Inf(1) }, []string{"basket_weight +Inf"}},
		{"not sold", func(p *basket.Product) { p.SoldBy = 0 }, []string{"sold_by is not one of package, kg"}},
		{"sold otherwise", func(p *basket.Product) { p.SoldBy = basket.ByKilogram + 1 }, []string{"sold_by is not one of package, kg"}},
		{"empty alias", func(p *basket.Product) { p.Aliases = []string{""} }, []string{`alias ""`}},
		{"alias", func(p *basket.Product) { p.Aliases = []string{"a|b"} }, []string{`alias "a|b"`}},
		{"several", func(p *basket.Product) { p.ID, p.Name, p.Weight = -1, "", -1 }, []string{"id -1", "name is empty", "basket_weight -1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := basket.Canada().Products[0]
			tt.damage(&p)
			refuses(t, p.Validate(), tt.want)
		})
	}
}

func TestPlaceValidate(t *testing.T) {
	refuses(t, basket.City{Slug: "québec-2", Name: "Québec", Province: "QC"}.Validate(), nil)
	refuses(t, basket.City{Slug: "St John"}.Validate(), []string{`slug "St John"`, "name is empty"})
	refuses(t, basket.Banner{Key: "north_larch.2", Name: "Northlarch", Retailer: "N"}.Validate(), nil)
	refuses(t, basket.Banner{Key: "North"}.Validate(), []string{`key "North"`, "name is empty", "retailer is empty"})
	refuses(t, basket.Banner{Name: "Northlarch", Retailer: "N"}.Validate(), []string{`key ""`})
}

// refuses checks that an error has a line for each of the wanted parts, and no
// other.
func refuses(t *testing.T, err error, want []string) {
	t.Helper()
	if err == nil {
		if want != nil {
			t.Errorf("nothing is wrong, want %q", want)
		}
		return
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("got %q, want %q", lines, want)
	}
	for i, line := range lines {
		if !strings.Contains(line, want[i]) {
			t.Errorf("%q does not say %q", line, want[i])
		}
	}
}

func TestCategoriesValidate(t *testing.T) {
	list := func(n int) (list basket.Categories) {
		for i := range n {
			list = append(list, basket.NamedCategory{Slug: fmt.Sprint("c_", i), Name: "C"})
		}
		return list
	}
	named := func(slug, name string) basket.Categories { return basket.Categories{{Slug: slug, Name: name}} }
	const reserved = "is the word overall or all"
	for _, x := range []struct {
		list basket.Categories
		want []string
	}{
		{nil, nil}, {list(1), nil}, {list(64), nil},
		{basket.Categories{}, []string{"there are 0 categories; a basket has 1 to 64"}},
		{list(65), []string{"there are 65 categories"}},
		{append(list(2), list(1)...), []string{`category "c_0" is there twice`}},
		{named("overall", "O"), []string{reserved}}, {named("all", "A"), []string{reserved}}, {named("a.b", "A"), []string{reserved}},
		{named("A b", "A"), []string{`slug "A b" is not lowercase`}}, {named("a", ""), []string{"name is empty"}},
		{named("a", "A\nB"), []string{"control character"}}, {named("a", strings.Repeat("é", 41)), []string{"more than 40 characters"}},
	} {
		refuses(t, x.list.Validate(), x.want)
	}
}
