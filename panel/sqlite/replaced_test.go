package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// A reader never sees a snapshot that is half replaced.
func TestLoadWhileImporting(t *testing.T) {
	db := imported(t, sound)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := Load(context.Background(), db); err != nil && !errors.Is(err, errReplaced) {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 20 {
		into(t, sound.with(files{
			"observations.csv": obsHeader + fmt.Sprintf("%d,1,1,,,3.49,,,,0,,,,2026-08-01T12:%02d:00Z,,\n", 100+i, i),
		}), db)
	}
	close(done)
	wg.Wait()
}
