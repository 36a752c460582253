package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary be the process that is killed while importing.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LARDER_TEST_IMPORT"); dir != "" {
		_, err := Import(context.Background(), dir, os.Getenv("LARDER_TEST_DB"), ImportOptions{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func importProcess(t *testing.T, dir, db string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "LARDER_TEST_IMPORT="+dir, "LARDER_TEST_DB="+db)
	return cmd
}

// Killed at any moment, the snapshot is the one before or the one after, and
// the next import is not in the way of what was left behind.
func TestKilledImport(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	db := imported(t, sound)
	before := content(t, db)
	var rows strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&rows, "%d,1,1,,,3.%02d,,2 L,1,0,,,MILK %d,%s,,\n", i+10, i%100, i%1000,
			time.Date(2026, 8, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339))
	}
	dir := sound.add("observations.csv", rows.String()).write(t)

	start := time.Now()
	if out, err := importProcess(t, dir, db).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)
	after := content(t, db)
	r := rand.New(rand.NewPCG(3, 4))
	olds, news := 0, 0
	for range 15 {
		if err := os.WriteFile(db, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := importProcess(t, dir, db)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(r.Int64N(int64(whole))), func() { cmd.Process.Kill() })
		cmd.Wait()
		killer.Stop()
		switch content(t, db) {
		case before:
			olds++
		case after:
			news++
		default:
			t.Fatal("the snapshot is neither the old nor the new one")
		}
		if _, err := Check(db); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d times the old snapshot, %d times the new one", olds, news)
	if _, err := Import(context.Background(), dir, db, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if content(t, db) != after {
		t.Error("the import after the kills made another snapshot")
	}
	onlyFile(t, db)
}

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
