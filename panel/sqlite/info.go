package sqlite

import (
	"fmt"
	"slices"
	"time"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

// Info describes a snapshot without its rows.
type Info struct {
	Path          string            `json:"path"`
	Bytes         int64             `json:"bytes"`
	Hash          string            `json:"sha256"` // of the content, as its seal has it
	SchemaVersion int               `json:"schema"`
	BaseWeek      panel.Week        `json:"-"`    // as set; 0: not set, so that the rows decide (see panel.NewBuilder)
	Settings      map[string]string `json:"-"`    // by key, such as contact; those given, and of Load the base_week
	Rows          []TableRows       `json:"rows"` // in the order of the panel directory's files
	First         time.Time         `json:"first_observed,omitzero"`
	Last          time.Time         `json:"last_observed,omitzero"` // of observations; both are zero without any
}

// TableRows is how many rows a table has.
type TableRows struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// Check verifies that a snapshot is byte for byte as it was published, and
// describes it. The error is ErrChanged, ErrVersion or ErrNotSnapshot.
func Check(db string) (Info, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return Info{}, err
	}
	defer s.close()
	hash, err := s.verify()
	if err != nil {
		return Info{}, err
	}
	var n, first, last int64
	s.conn.each("SELECT count(*), min(observed_at), max(observed_at) FROM observations", func(r row) {
		n, first, last = r.int(0), r.int(1), r.int(2)
	})
	info, err := s.info(n, first, last)
	if err != nil {
		return Info{}, atomicfile.Fail("check snapshot", s.path, err, remake)
	}
	info.Hash = hash
	return info, nil
}

// info describes the snapshot, but for its hash, given how many observations there are, and the times of
// the first and the last.
func (s *snapshot) info(n, first, last int64) (Info, error) {
	info := Info{Path: s.path, SchemaVersion: SchemaVersion}
	fi, err := s.file.Stat()
	if err != nil {
		return Info{}, err
	}
	info.Bytes = fi.Size()
	for _, t := range tables {
		rows := TableRows{t.title(), n}
		if t != observations {
			rows.Rows = s.conn.int("SELECT count(*) FROM " + rows.Table)
		}
		if rows.Rows > 0 || !slices.Contains(seldom, rows.Table) {
			info.Rows = append(info.Rows, rows)
		}
	}
	if n > 0 {
		info.First, info.Last = time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
	}
	info.Settings, info.BaseWeek, err = readSettings(s.conn)
	return info, err
}

// readCurrency returns the currency of the settings.
func readCurrency(c *conn) string {
	currency := "CAD"
	c.each("SELECT value FROM settings WHERE key = 'currency'", func(r row) { currency = r.text(0) })
	return currency
}

// readSettings returns the settings, checked again: another program may have made the file.
func readSettings(c *conn) (all map[string]string, base panel.Week, err error) {
	all = map[string]string{}
	settings.each(c, func(s panel.Setting) (err error) {
		if err := s.Check(); err != nil {
			return fmt.Errorf("setting %q: %w", s.Key, err)
		}
		all[s.Key] = s.Value
		if s.Key == "base_week" {
			base, err = panel.ParseWeek(s.Value)
		}
		return err
	})
	return all, base, c.err
}
