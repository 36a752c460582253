package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

// Info describes a snapshot without its rows.
type Info struct {
	Path          string
	Bytes         int64
	Hash          string // SHA-256 of the content, as its seal has it
	SchemaVersion int
	Published     time.Time         // when the file was written, as the file system has it
	BaseWeek      panel.Week        // as set; 0: not set, so that the rows decide (see panel.NewBuilder)
	Settings      map[string]string // by key, such as contact; those given, and of Load the base_week
	Rows          []TableRows       // in the order of the panel directory's files
	First, Last   time.Time         // of observations; zero without any
}

// TableRows is how many rows a table has.
type TableRows struct {
	Table string
	Rows  int64
}

// Check verifies that a snapshot is byte for byte as it was published, and
// describes it. The error is ErrChanged, ErrVersion or ErrNotSnapshot.
func Check(db string) (Info, error) {
	s, err := openSnapshot(db)
	if err != nil {
		return Info{}, err
	}
	defer s.close()
	sum, err := s.verify()
	if err != nil {
		return Info{}, err
	}
	if err := s.checkPacked(); err != nil {
		return Info{}, atomicfile.Fail("check snapshot", s.path, err, remake)
	}
	info, err := s.info()
	if err != nil {
		return Info{}, atomicfile.Fail("check snapshot", s.path, err, remake)
	}
	info.Hash = sum.String()
	return info, nil
}

// checkPacked unpacks all observations and compares their number, and their
// first and last ids, with the table's.
func (s *snapshot) checkPacked() error {
	var packed, there [3]int64
	err := eachPacked(context.Background(), s.conn, false, func(rows []storedRow) error {
		if packed[0] == 0 {
			packed[1] = rows[0].ID
		}
		packed[0] += int64(len(rows))
		packed[2] = rows[len(rows)-1].ID
		return nil
	})
	if err = cmp.Or(err, checkPacked(s.conn)); err != nil {
		return err
	}
	err = s.conn.each("SELECT count(*), min(id), max(id) FROM observations", func(r row) error {
		there = [3]int64{r.int(0), r.int(1), r.int(2)}
		return nil
	})
	if err == nil && packed != there {
		err = fmt.Errorf("%w: there are %d, from %d to %d, of %d, from %d to %d",
			errPacked, packed[0], packed[1], packed[2], there[0], there[1], there[2])
	}
	return err
}

func (s *snapshot) info() (Info, error) {
	info := Info{Path: s.path, SchemaVersion: SchemaVersion}
	fi, err := s.file.Stat()
	if err != nil {
		return Info{}, err
	}
	info.Bytes, info.Published = fi.Size(), fi.ModTime()
	c := s.conn
	for _, t := range tables {
		name := t.title()
		if columns, err := c.int("SELECT count(*) FROM pragma_table_info(?)", name); err != nil {
			return Info{}, fmt.Errorf("sqlite: %s: %w", name, err)
		} else if columns == 0 {
			continue
		}
		query := "SELECT count(*) FROM " + name
		if name == "observations" {
			query = "SELECT coalesce(sum(rows), 0) FROM packed"
		}
		n, err := c.int(query)
		if err != nil {
			return Info{}, fmt.Errorf("sqlite: %s: %w", name, err)
		}
		info.Rows = append(info.Rows, TableRows{name, n})
	}
	if info.Settings, info.BaseWeek, err = readSettings(c); err != nil {
		return Info{}, err
	}
	err = c.each("SELECT min(first_at), max(last_at) FROM packed", func(r row) error {
		if !r.null(0) {
			info.First, info.Last = time.Unix(0, r.int(0)).UTC(), time.Unix(0, r.int(1)).UTC()
		}
		return nil
	})
	return info, err
}

// readSettings returns the settings, checked again: another program may have made the file.
func readSettings(c *conn) (all map[string]string, base panel.Week, err error) {
	list, err := settings.read(c)
	if err != nil {
		return nil, 0, err
	}
	all, base = make(map[string]string, len(list)), 0
	for _, s := range list {
		if err := s.Check(); err != nil {
			return nil, 0, fmt.Errorf("setting %q: %w", s.Key, err)
		}
		all[s.Key] = s.Value
		if s.Key == "base_week" {
			base, err = panel.ParseWeek(s.Value)
		}
	}
	return all, base, err
}
