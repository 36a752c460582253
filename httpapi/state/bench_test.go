package state

import (
	"context"
	"database/sql"
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

// BenchmarkSettle is what a server does to the state at each counted request.
func BenchmarkSettle(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	measure(b, func() error {
		r, err := db.Reserve(context.Background(), k)
		if err != nil {
			return err
		}
		return r.Settle(context.Background(), ok(k))
	})
}

func BenchmarkAppend(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	measure(b, func() error { return db.Append(context.Background(), ok(k)) })
}

// BenchmarkOneTransactionEach writes the same two rows without the writer: each
// entry in a transaction of its own.
func BenchmarkOneTransactionEach(b *testing.B) {
	db, _ := serving(b)
	k, _ := newKey(b, db, NewKey{Tier: Enterprise})
	pool, err := openPool(db.path, "mode=rw&_busy_timeout=60000&_txlock=immediate&_foreign_keys=on&_synchronous=FULL", benchGoroutines)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	measure(b, func() error { return appendAlone(pool, &entryRow{Entry: ok(k), counted: true}) })
}

func appendAlone(pool *sql.DB, row *entryRow) error {
	row.Time = noon
	t, err := pool.Begin()
	if err != nil {
		return err
	}
	defer t.Rollback()
	sums := make(map[sumKey]*sum)
	row.addTo(sums)
	for _, part := range []struct {
		query string
		exec  func(*sql.Stmt) error
	}{
		{insertRequest, row.insert},
		{addToMonth, func(s *sql.Stmt) error {
			for k, sum := range sums {
				return sum.store(s, k)
			}
			return nil
		}},
	} {
		s, err := t.Prepare(part.query)
		if err != nil {
			return err
		}
		if err := part.exec(s); err != nil {
			return err
		}
		s.Close()
	}
	return t.Commit()
}

// BenchmarkLookup is what every authenticated request costs first.
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
