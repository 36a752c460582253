package sqlite

import (
	"database/sql/driver"

	"github.com/larder-index/larder/panel"
)

func (r row) tri(i int) panel.Tri {
	if r.null(i) {
		return panel.Unknown
	}
	return panel.TriOf(r.bool(i))
}

func (r row) fixed(i int) panel.Fixed {
	if r.null(i) {
		return panel.Fixed{}
	}
	return panel.FixedOf(r.int(i))
}

func (r row) count(i int) int {
	if r.null(i) {
		return -1
	}
	return int(r.int(i))
}

func bit(b bool) driver.Value {
	if b {
		return int64(1)
	}
	return int64(0)
}

func orNull(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

func intOrNull(v int64) driver.Value {
	if v == 0 {
		return nil
	}
	return v
}

func floatOrNull(v float64) driver.Value {
	if v == 0 {
		return nil
	}
	return v
}

func fixedOrNull(v panel.Fixed) driver.Value {
	if !v.Valid {
		return nil
	}
	return v.Units
}

func countOrNull(v int) driver.Value {
	if v < 0 {
		return nil
	}
	return int64(v)
}

func triOrNull(v panel.Tri) driver.Value {
	if v == panel.Unknown {
		return nil
	}
	return bit(v == panel.Yes)
}
