package sqlite

import (
	"fmt"
	"time"

	"github.com/larder-index/larder/panel"
)

// Info is what a snapshot is, without its rows.
type Info struct {
	Path          string
	Bytes         int64
	Hash          string // SHA-256 of the content, as its seal has it
	SchemaVersion int
	Published     time.Time // when the file was written, as the file system has it
	BaseWeek      panel.Week
	Rows          []TableRows // in the order of the panel directory's files
	First, Last   time.Time   // of the observations; zero if there are none
}

// TableRows is how many rows a table has.
type TableRows struct {
	Table string
	Rows  int64
}

// tableNames are the tables that a panel directory has too, in its order.
var tableNames = []string{
	"settings", "products", "cities", "banners", "stores", "retailer_products", "observations",
	"product_specs", "quarantine", "shrink_events", "index_v1",
}

// Check verifies that a snapshot is byte for byte as it was published and says
// what it holds.
func Check(db string) (Info, error) {
	s, err := openSnapshot(db, 1)
	if err != nil {
		return Info{}, err
	}
	defer s.close()
	sum, err := s.verify()
	if err != nil {
		return Info{}, err
	}
	return s.info(sum)
}

// info says what a verified snapshot is.
func (s *snapshot) info(sum hash) (Info, error) {
	info := Info{Path: s.path, Hash: sum.String(), SchemaVersion: SchemaVersion}
	fi, err := s.file.Stat()
	if err != nil {
		return Info{}, err
	}
	info.Bytes, info.Published = fi.Size(), fi.ModTime()
	c := s.conn[0]
	for _, name := range tableNames {
		n, err := c.int("SELECT count(*) FROM " + name)
		if err != nil {
			return Info{}, fmt.Errorf("sqlite: %s: %w", name, err)
		}
		info.Rows = append(info.Rows, TableRows{name, n})
	}
	if info.BaseWeek, err = baseWeek(c); err != nil {
		return Info{}, err
	}
	err = c.each("SELECT min(observed_at), max(observed_at) FROM observations", func(r row) error {
		if !r.null(0) {
			info.First, info.Last = time.Unix(0, r.int(0)).UTC(), time.Unix(0, r.int(1)).UTC()
		}
		return nil
	})
	return info, err
}

// baseWeek reads the setting.
func baseWeek(c *conn) (panel.Week, error) {
	list, err := settings.read(c)
	if err != nil {
		return 0, err
	}
	for _, s := range list {
		if s.Key == keyBaseWeek {
			return panel.ParseWeek(s.Value)
		}
	}
	return panel.DefaultBaseWeek, nil
}

const keyBaseWeek = "base_week"
