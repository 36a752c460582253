package compare

import (
	"errors"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// TestExample takes the city with the most stores that a comparison has, and its largest chain. Without
// a store a message stays as it is.
func TestExample(t *testing.T) {
	t.Parallel()
	const message = `send {"city":"{city}"} or 7@{chain}`
	b := panel.NewBuilder(0)
	build := func() *panel.Panel {
		p, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if got := NewExample(build()).In(message); got != message {
		t.Errorf("without stores: %s", got)
	}
	b = panel.NewBuilder(0)
	err := errors.Join(b.AddCity(basket.City{Slug: "lyon", Name: "Lyon", Province: "ARA"}), b.AddCity(basket.City{Slug: "nice", Name: "Nice", Province: "PAC"}),
		b.AddBanner(basket.Banner{Key: "aile", Name: "Aile", Retailer: "Aile"}), b.AddBanner(basket.Banner{Key: "brin", Name: "Brin", Retailer: "Brin"}))
	for i, s := range []panel.Store{
		{Banner: "aile", City: "lyon", Active: true, LocationCertain: true}, {Banner: "aile", City: "lyon"}, {Banner: "aile", City: "lyon", Active: true},
		{Banner: "brin", City: "nice", Active: true, LocationCertain: true}, {Banner: "brin", City: "nice", Active: true, LocationCertain: true},
	} {
		s.ID = int64(i + 1)
		err = errors.Join(err, b.AddStore(s))
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := NewExample(build()).In(message); got != `send {"city":"nice"} or 7@brin` {
		t.Error(got)
	}
}
