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
)

func (a *app) demoCommand() *cobra.Command {
	var (
		db, through string
		seed        uint64
		weeks       int
		stores      int
	)
	cmd := &cobra.Command{
		Use:   "demo --db FILE",
		Short: "Write a synthetic snapshot",
		Long: `Writes a snapshot of made-up prices of invented chains, with oddities of real
collections in it. The same flags always give the same snapshot.`,
		Example: `  larder demo --db demo.db
  larder demo --db long.db --seed 7 --through 2026-11-20 --weeks 520`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := required(cmd, "db", db); err != nil {
				return err
			}
			if _, err := os.Stat(db); err == nil {
				return fmt.Errorf("%s exists; name another file, or remove it first", db)
			}
			now, err := a.clock()
			if err != nil {
				return err
			}
			day, err := dateFlag("through", through)
			if err != nil {
				return err
			}
			if through == "" {
				day = panel.DateIn(now, panel.Toronto)
			}
			bar := a.progress("writing " + db)
			summary, err := writeDemo(cmd.Context(), db, synth.Config{Seed: seed, Through: day, Weeks: weeks, Stores: stores}, bar.update)
			bar.finish()
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stderr, summary)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "the snapshot `file` to write; it must not exist")
	f.Uint64Var(&seed, "seed", synth.DefaultSeed, "another seed makes other prices")
	f.StringVar(&through, "through", "", "last `date` of the panel, YYYY-MM-DD (default: today)")
	f.IntVar(&weeks, "weeks", 0, "closed weeks in the panel (default: from the base week on)")
	f.IntVar(&stores, "stores", synth.DefaultStores, "stores in the panel, a `number`")
	return cmd
}

// writeDemo makes a synthetic snapshot. Like anybody's data, it is written to a
// panel directory and imported.
func writeDemo(ctx context.Context, db string, c synth.Config, progress func(done, total int64)) (sqlite.Summary, error) {
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
	summary, err := sqlite.Import(ctx, dir, db, sqlite.ImportOptions{Strict: true, Progress: progress})
	if errors.Is(err, sqlite.ErrRejected) {
		return none, fmt.Errorf("the demo panel does not import; please report this: %w", err)
	}
	return summary, err
}
