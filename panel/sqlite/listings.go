package sqlite

import (
	"database/sql/driver"
	"fmt"

	"github.com/larder-index/larder/panel"
)

// listings are the distinct listings that observations have, by id from 1.
type listings struct {
	ids   map[panel.Listing]int64
	fresh []panel.Listing // not stored yet; the last ids are theirs
}

func (t *listings) load(c *conn) error {
	list, err := readListings(c)
	t.ids = make(map[panel.Listing]int64, len(list))
	for id, l := range list {
		if id > 0 {
			t.ids[l] = int64(id)
		}
	}
	return err
}

// readListings returns the stored listings by id; the first is none.
func readListings(c *conn) ([]panel.Listing, error) {
	list := []panel.Listing{{}}
	err := c.each("SELECT id, retailer_product_id, scraped_name, package_size FROM listings ORDER BY id", func(r row) error {
		if r.int(0) != int64(len(list)) {
			return fmt.Errorf("sqlite: listing %d is missing", len(list))
		}
		list = append(list, panel.Listing{Mapping: r.int(1), ScrapedName: r.text(2), PackageSize: r.text(3)})
		return nil
	})
	return list, err
}

// add returns the id of a listing, a new one if it has none.
func (t *listings) add(l panel.Listing) int64 {
	id, ok := t.ids[l]
	if !ok {
		id = int64(len(t.ids)) + 1
		t.ids[l] = id
		t.fresh = append(t.fresh, l)
	}
	return id
}

// find returns the id of a listing; -1 if it has none.
func (t *listings) find(l panel.Listing) int64 {
	if id, ok := t.ids[l]; ok {
		return id
	}
	return -1
}

// save stores the new listings.
func (t *listings) save(c *conn) error {
	s, err := c.prepare("INSERT INTO listings (id, retailer_product_id, scraped_name, package_size) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer s.Close()
	first := int64(len(t.ids)-len(t.fresh)) + 1
	for i, l := range t.fresh {
		if _, err := s.Exec([]driver.Value{first + int64(i), l.Mapping, orNull(l.ScrapedName), orNull(l.PackageSize)}); err != nil {
			return err
		}
	}
	t.fresh = nil
	return nil
}
