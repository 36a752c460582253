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
	listings, err := listings.read(c)
	if err != nil {
		return nil, err
	}
	return panel.NewGate(products, listings, specs, entries), nil
}

// readScreens returns the screens of the stored labels by id; the first is
// none.
func readScreens(c *conn) ([]*panel.Screen, error) {
	gate, err := readGate(c)
	if err != nil {
		return nil, err
	}
	labels, err := readLabels(c)
	if err != nil {
		return nil, err
	}
	return screensOf(gate, labels), nil
}

func screensOf(gate *panel.Gate, labels []panel.Label) []*panel.Screen {
	screens := make([]*panel.Screen, len(labels))
	for i, l := range labels {
		screens[i] = gate.Screen(l)
	}
	return screens
}
