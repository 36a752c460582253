package sqlite

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// readGate returns the quality gate of a snapshot.
func readGate(c *conn) (*panel.Gate, error) {
	specs, err := specs.read(c)
	if err != nil {
		return nil, err
	}
	entries, err := quarantine.read(c)
	if err != nil {
		return nil, err
	}
	return gateOf(c, specs, entries)
}

// gateOf returns the quality gate of a snapshot with its specs and entries.
func gateOf(c *conn, specs []basket.Spec, entries []panel.Quarantine) (*panel.Gate, error) {
	products, err := products.read(c)
	if err != nil {
		return nil, err
	}
	mappings, err := mappings.read(c)
	if err != nil {
		return nil, err
	}
	return panel.NewGate(products, mappings, specs, entries), nil
}

// readScreens returns the screens of the stored listings by id; the first is
// none.
func readScreens(c *conn) ([]*panel.Screen, error) {
	gate, err := readGate(c)
	if err != nil {
		return nil, err
	}
	listings, err := readListings(c)
	if err != nil {
		return nil, err
	}
	return screensOf(gate, listings), nil
}

func screensOf(gate *panel.Gate, listings []panel.Listing) []*panel.Screen {
	screens := make([]*panel.Screen, len(listings))
	for i, l := range listings {
		screens[i] = gate.Screen(l)
	}
	return screens
}
