package sqlite

import (
	"database/sql/driver"
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// labels are the distinct labels that observations have, by id from 1.
type labels struct {
	ids   map[panel.Label]int64
	fresh []panel.Label // not stored yet; the last ids are theirs
}

func (t *labels) load(c *conn) error {
	list, err := readLabels(c)
	t.ids = make(map[panel.Label]int64, len(list))
	for id, l := range list {
		if id > 0 {
			t.ids[l] = int64(id)
		}
	}
	return err
}

// readLabels returns the stored labels by id. Ids begin at 1.
func readLabels(c *conn) ([]panel.Label, error) {
	list := []panel.Label{{}}
	err := c.each("SELECT id, retailer_product_id, scraped_name, package_size FROM labels ORDER BY id", func(r row) error {
		if r.int(0) != int64(len(list)) {
			return fmt.Errorf("sqlite: label %d is missing", len(list))
		}
		list = append(list, panel.Label{Listing: r.int(1), ScrapedName: r.text(2), PackageSize: r.text(3)})
		return nil
	})
	return list, err
}

// add returns the id of a label. A new label gets the next id.
func (t *labels) add(l panel.Label) int64 {
	id, ok := t.ids[l]
	if !ok {
		id = int64(len(t.ids)) + 1
		t.ids[l] = id
		t.fresh = append(t.fresh, l)
	}
	return id
}

// find returns the id of a label; -1 if it is not stored.
func (t *labels) find(l panel.Label) int64 {
	if id, ok := t.ids[l]; ok {
		return id
	}
	return -1
}

// save stores the new labels.
func (t *labels) save(c *conn) error {
	s, err := c.prepare("INSERT INTO labels (id, retailer_product_id, scraped_name, package_size) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer s.Close()
	first := int64(len(t.ids)-len(t.fresh)) + 1
	for i, l := range t.fresh {
		if _, err := s.Exec([]driver.Value{first + int64(i), l.Listing, textOrNull(l.ScrapedName), textOrNull(l.PackageSize)}); err != nil {
			return err
		}
	}
	t.fresh = nil
	return nil
}

func textOrNull(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

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

// readScreens returns the screens of the stored labels, by id from 1.
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
