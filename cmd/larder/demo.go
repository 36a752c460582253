package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

func (a *app) demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo --db FILE",
		Short: "Write a synthetic snapshot",
		Long: `Writes a snapshot of made-up prices of invented chains, with oddities of real
collections in it. The same flags always give the same snapshot.`,
		Example: `  larder demo --db demo.db
  larder demo --db long.db --seed 7 --through 2026-11-20 --weeks 520`,
	}
	f := cmd.Flags()
	db := f.String("db", "", "the snapshot `file` to write; it must not exist")
	c := synth.Config{}
	f.Uint64Var(&c.Seed, "seed", synth.DefaultSeed, "another seed makes other prices")
	dateFlag(cmd, &c.Through, "through", "last `date` of the panel, YYYY-MM-DD (default: today)")
	f.IntVar(&c.Weeks, "weeks", 0, "closed weeks in the panel (default: from the base week on)")
	f.IntVar(&c.Stores, "stores", synth.DefaultStores, "stores in the panel, a `number`")
	needs(cmd, "db")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if _, err := os.Stat(*db); err == nil {
			return fmt.Errorf("%s exists; name another file, or remove it first", *db)
		}
		if !f.Changed("through") {
			c.Through = panel.Calendar{}.DateIn(a.now)
		}
		update, finish := a.progress("writing " + *db)
		summary, err := writeDemo(cmd.Context(), *db, c, update)
		finish()
		if err == nil {
			fmt.Fprintln(a.stderr, summary)
		}
		return err
	}
	return cmd
}

// writeDemo makes a synthetic snapshot. Like anybody's data, it is written to a
// panel directory and imported.
func writeDemo(ctx context.Context, db string, c synth.Config, progress func(done, total int64)) (sqlite.Summary,
	error) {
	var none sqlite.Summary
	data, err := synth.Generate(c)
	if err != nil {
		return none, usageError(err)
	}
	scratch, err := os.MkdirTemp(filepath.Dir(db), "."+filepath.Base(db)+".scratch-*")
	if err != nil {
		return none, fmt.Errorf("beside %s: %w", db, atomicfile.Bare(err))
	}
	defer os.RemoveAll(scratch)
	dir := filepath.Join(scratch, "panel")
	if err := data.WriteDir(dir); err != nil {
		return none, err
	}
	summary, err := sqlite.Import(ctx, dir, db, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect,
		Progress: progress})
	if errors.Is(err, sqlite.ErrRejected) {
		return none, fmt.Errorf("the demo panel does not import; please report this: %w", err)
	}
	return summary, err
}
