//go:build cgo

package jevons_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// TestEqualsOracleOnSynthetic does so on the synthetic panel, by way of the
// panel directory, which both sides read and judge by themselves.
func TestEqualsOracleOnSynthetic(t *testing.T) {
	for _, c := range []synth.Config{
		{Seed: 1, Weeks: 10},
		{Seed: 2, Weeks: 9, Stores: 20},
		{Seed: 3, Weeks: 18, Stores: 13},
	} {
		t.Run(fmt.Sprintf("seed %d", c.Seed), func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
			c.Through = panel.Calendar{}.DateIn(now)
			data, err := synth.Generate(c)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := data.WriteDir(dir); err != nil {
				t.Fatal(err)
			}
			d, p, rows := bothGated(t, dir)
			compareWithOracle(t, d, p, rows, oracle.Options{Now: now}, jevons.Options{})
		})
	}
}

// bothGated reads a panel directory twice: by the oracle, with the rows that
// its gate drops excluded, and through a snapshot. The verdict on every row
// must be the same.
func bothGated(t *testing.T, dir string) (*oracle.Data, *panel.Panel, *panel.Rows) {
	t.Helper()
	d, want := oracle.Read(dir)
	db := filepath.Join(t.TempDir(), "panel.db")
	if _, err := sqlite.Import(context.Background(), dir, db, sqlite.ImportOptions{Strict: true}); err != nil {
		t.Fatal(err)
	}
	all, err := sqlite.LoadAll(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if all.Rows.Len() != len(want.Verdicts) {
		t.Errorf("%d rows, want %d", all.Rows.Len(), len(want.Verdicts))
	}
	for i := range all.Rows.Len() {
		o := all.Rows.At(i)
		if got, want := o.Verdict.String(), want.Verdicts[o.ID].Verdict; got != want {
			t.Fatalf("observation %d (%q, %q): %s, want %s", o.ID, o.ScrapedName, o.PackageSize, all.Rows.Judge(i), want)
		}
	}
	return d, all.Panel, all.Rows
}
