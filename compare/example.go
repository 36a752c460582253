package compare

import (
	"strings"

	"github.com/larder-index/larder/panel"
)

// Example is a city and one of its chains, for the examples in refusals. There they stand as {city} and
// {chain}, since a request can be refused before a snapshot is known.
type Example struct{ City, Chain string }

// NewExample returns the city with the most active stores in certain places, and its chain with the most.
func NewExample(p *panel.Panel) Example {
	if p == nil {
		return Example{}
	}
	count := func(key func(*panel.Store) string) (most string) {
		n := map[string]int{}
		for i := range p.Stores() {
			if s := &p.Stores()[i]; s.Active && s.LocationCertain && key(s) != "" {
				if n[key(s)]++; n[key(s)] > n[most] {
					most = key(s)
				}
			}
		}
		return most
	}
	city := count(func(s *panel.Store) string { return s.City })
	return Example{city, count(func(s *panel.Store) string {
		if s.City != city {
			return ""
		}
		return s.Banner
	})}
}

// In puts the example into a message. A panel without stores has none, and leaves the message as it is.
func (x Example) In(message string) string {
	if x.City == "" {
		return message
	}
	return strings.NewReplacer("{city}", x.City, "{chain}", x.Chain).Replace(message)
}
