package state

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

const benchGoroutines = 32

// measure runs f b.N times from 32 goroutines and reports how many a second
// there were, and how long the slowest of a hundred took.
func measure(b *testing.B, f func() error) {
	took := make([]time.Duration, b.N)
	var wg sync.WaitGroup
	b.ResetTimer()
	start := time.Now()
	for g := range benchGoroutines {
		wg.Go(func() {
			for i := g; i < b.N; i += benchGoroutines {
				from := time.Now()
				if err := f(); err != nil {
					b.Error(err)
					return
				}
				took[i] = time.Since(from)
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "appends/s")
	slices.Sort(took)
	b.ReportMetric(float64(took[b.N*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCount measures the writes of one counted request.
func BenchmarkCount(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	measure(b, func() error {
		return db.Count(context.Background(), ok(k), Unlimited)
	})
}

func BenchmarkAppend(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	measure(b, func() error { return db.Append(context.Background(), ok(k)) })
}

// BenchmarkLookup measures the look-up of a key, the first step of every licensed request.
func BenchmarkLookup(b *testing.B) {
	db, _ := serving(b)
	var secret string
	for range 1000 {
		_, secret = newKey(b, db, NewKey{Tier: Enterprise})
	}
	for b.Loop() {
		if _, err := db.Lookup(context.Background(), secret); err != nil {
			b.Fatal(err)
		}
	}
}
