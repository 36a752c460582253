package state

import (
	"context"
	"testing"
)

// BenchmarkCount measures the writes of one counted request.
func BenchmarkCount(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			e := ok(k)
			e.Limit = Unlimited
			check(db.Append(context.Background(), e))
		}
	})
}

// BenchmarkLookup measures the look-up of a key, the first step of every licensed request.
func BenchmarkLookup(b *testing.B) {
	db, _ := serving(b)
	var secret string
	for range 1000 {
		_, secret = newKey(b, db, NewKey{Tier: Enterprise})
	}
	for b.Loop() {
		must(db.Lookup(context.Background(), secret))
	}
}
