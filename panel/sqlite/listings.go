package sqlite

import "database/sql/driver"

// texts are the texts that observations share, by id from 1.
type texts struct {
	ids   map[string]int64
	fresh []string // not stored yet; the last ids are theirs
}

func (t *texts) load(c *conn) error {
	list, err := readTexts(c)
	t.ids = make(map[string]int64, len(list))
	for id, s := range list {
		if id > 0 {
			t.ids[s] = int64(id)
		}
	}
	return err
}

// readTexts returns the stored texts by id; the first is empty.
func readTexts(c *conn) ([]string, error) {
	list := []string{""}
	err := c.each("SELECT text FROM texts ORDER BY id", func(r row) error {
		list = append(list, r.text(0))
		return nil
	})
	return list, err
}

// add returns the id of a text, a new one if it has none.
func (t *texts) add(s string) (int64, error) {
	id, ok := t.ids[s]
	if !ok {
		id = int64(len(t.ids)) + 1
		t.ids[s] = id
		t.fresh = append(t.fresh, s)
	}
	return id, nil
}

// save stores the new texts.
func (t *texts) save(c *conn) error {
	s, err := c.prepare("INSERT INTO texts VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer s.Close()
	first := int64(len(t.ids)-len(t.fresh)) + 1
	for i, text := range t.fresh {
		if _, err := s.Exec([]driver.Value{first + int64(i), text}); err != nil {
			return err
		}
	}
	t.fresh = nil
	return nil
}
