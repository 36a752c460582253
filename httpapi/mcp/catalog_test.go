package mcp

import "testing"

// The catalog is made once for a snapshot, and anew for the next.
func TestCatalogOf(t *testing.T) {
	s, _ := newServer(t)
	of := func(c *catalog, err error) *catalog {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, next := demo(), newDemo(2)
	c := of(s.catalogOf(first))
	if of(s.catalogOf(first)) != c {
		t.Error("made again for the same snapshot")
	}
	other := of(s.catalogOf(next))
	if other == c || other.of.Value() != next {
		t.Error("the next snapshot got the catalog of the one before")
	}
}
