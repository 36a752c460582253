package basket

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Category is one of a list of categories, or Overall for the headline that spans them. It is its place in the
// list, by which categories compare, with its slug, which names it where the list is not at hand.
type Category struct {
	at   uint16 // from 1; 0: Overall
	slug string
}

// Overall is the headline.
var Overall Category

const overall = "overall"

// Index returns the place in the list, from 1, and 0 for Overall.
func (c Category) Index() int { return int(c.at) }

// Slug returns the slug as a row has it: empty for Overall.
func (c Category) Slug() string { return c.slug }

// String returns the slug, such as "produce_fruit" or "overall".
func (c Category) String() string { return cmp.Or(c.slug, overall) }

// Equal reports whether both are the same place and slug, for packages that compare deeply.
func (c Category) Equal(d Category) bool { return c == d }

// Compare orders categories as they are published: Overall first.
func (c Category) Compare(d Category) int {
	return cmp.Or(cmp.Compare(c.at, d.at), strings.Compare(c.slug, d.slug))
}

// NamedCategory is a category as a publisher names it.
type NamedCategory struct {
	Slug   string `json:"slug"` // in rows and addresses: lowercase, unique
	Name   string `json:"name"`
	NameFr string `json:"name_fr,omitempty"` // French; empty: Name
}

// Categories are the categories of a basket in published order. Nil are the nine of Canada's basket.
type Categories []NamedCategory

var nine = Categories{
	{"dairy", "Dairy", "Produits laitiers"}, {"meat", "Meat", "Viande"}, {"bakery", "Bakery", "Boulangerie"},
	{"produce_fruit", "Fruit", "Fruits"}, {"produce_veg", "Vegetables", "Légumes"},
	{"pantry", "Pantry", "Garde-manger"}, {"frozen", "Frozen", "Surgelés"}, {"beverages", "Beverages", "Boissons"},
	{"household", "Household", "Entretien ménager"},
}

const (
	maxCategories = 64
	maxName       = 40 // what the legend of a chart has room for
	most          = 64 // bytes of a text in a message
)

// List returns the categories. The caller leaves them unchanged.
func (l Categories) List() []NamedCategory {
	if l == nil {
		return nine
	}
	return l
}

// Validate returns an error that lists everything wrong with the categories, or nil.
func (l Categories) Validate() error {
	var errs []error
	if n := len(l.List()); n < 1 || n > maxCategories {
		errs = append(errs, fmt.Errorf("there are %d categories; a basket has 1 to %d", n, maxCategories))
	}
	for i, c := range l.List() {
		errs = append(errs, checkKey("slug", c.Slug), checkText("name", c.Name))
		if c.Slug == overall || c.Slug == "all" || strings.Contains(c.Slug, ".") || len(c.Slug) > maxName {
			errs = append(errs, fmt.Errorf("slug %q is the word overall or all, has a \".\" or more than %d bytes",
				c.Slug, maxName))
		}
		if names := c.Name + c.NameFr; strings.ContainsFunc(names, unicode.IsControl) ||
			max(utf8.RuneCountInString(c.Name), utf8.RuneCountInString(c.NameFr)) > maxName {
			errs = append(errs,
				fmt.Errorf("name %q has a control character or more than %d characters", names, maxName))
		}
		if l.Of(c.Slug).Index() <= i {
			errs = append(errs, fmt.Errorf("category %q is there twice", c.Slug))
		}
	}
	return errors.Join(errs...)
}

// Named returns a category as the publisher names it, by its slug if the list lacks it.
func (l Categories) Named(c Category) NamedCategory {
	if i := l.Of(c.slug).Index(); i > 0 {
		return l.List()[i-1]
	}
	return NamedCategory{Slug: c.slug, Name: c.slug}
}

// Slices returns the parts of the basket that have an index, in published order: Overall, then the categories.
func (l Categories) Slices() []Category {
	all := []Category{Overall}
	for i, c := range l.List() {
		all = append(all, Category{uint16(i + 1), c.Slug})
	}
	return all
}

// Words returns the words of Slices: "overall", then the slugs.
func (l Categories) Words() (words []string) {
	for _, c := range l.Slices() {
		words = append(words, c.String())
	}
	return words
}

// Slugs returns the slugs of the categories, without Overall.
func (l Categories) Slugs() []string { return l.Words()[1:] }

// Of returns the category of a record by its slug, Overall for the empty one or one that is not in the list.
func (l Categories) Of(slug string) Category {
	for i, c := range l.List() {
		if c.Slug == slug {
			return Category{uint16(i + 1), slug}
		}
	}
	return Overall
}

// Parse reads a word: a slug or "overall". The error lists the words. Capitals count.
func (l Categories) Parse(word string) (Category, error) {
	c := l.Of(word)
	if c == Overall && word != overall {
		return c, fmt.Errorf("unknown category %.*q; use one of %s", most, word, strings.Join(l.Words(), ", "))
	}
	return c, nil
}

// Check refuses a slug that no category of the list has.
func (l Categories) Check(slug string) error {
	if l.Of(slug) == Overall {
		return fmt.Errorf("unknown category %.*q; use one of %s", most, slug, strings.Join(l.Slugs(), ", "))
	}
	return nil
}

// With returns the list with a category of the slug, behind the others unless it is there, and that category.
func (l Categories) With(slug string) (Categories, Category) {
	if slug != "" && l.Of(slug) == Overall {
		l = append(slices.Clone(l.List()), NamedCategory{Slug: slug, Name: slug})
	}
	return l, l.Of(slug)
}
