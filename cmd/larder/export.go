package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a snapshot out as files",
		Long: `Writes every row of a snapshot into a folder of CSV files that "larder import" reads
back to the same rows. The folder must not exist or be empty. With --format parquet or
csv.gz it writes what a server publishes, with the bytes of /api/v1/bulk/. With --log
the index is the one that was released.`,
		Example: `  larder export prices/ --db larder.db
  larder export demo-prices/ --demo
  larder export r12/ --db larder.db --log releases.db --format parquet`,
		Args: exactly("the folder to write"),
	}
	db, log := a.dbFlag(cmd), logFlag(cmd)
	format := choice(cmd, "format", "csv", "csv for the panel directory; parquet or csv.gz for the published tables", "csv", string(bulk.CSV), string(bulk.Parquet))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.kept = true
		path, err := a.snapshotPath(cmd.Context(), *db)
		if err != nil {
			return err
		}
		if *format == "csv" {
			err = sqlite.Export(cmd.Context(), path, args[0])
		} else {
			err = a.exportBulk(cmd.Context(), path, *log, args[0], bulk.Format(*format))
		}
		if err == nil {
			fmt.Fprintf(a.stderr, "exported to %s\n", args[0])
		}
		return err
	}
	return cmd
}

func (a *app) exportBulk(ctx context.Context, db, log, dir string, format bulk.Format) error {
	snapshots := prepared.NewSnapshots(db, a.fixedClock)
	if log != "" {
		snapshots = prepared.NewReleasedSnapshots(db, log, a.fixedClock)
	}
	if err := snapshots.Refresh(ctx); err != nil {
		return err
	}
	set, err := bulk.SetOf(snapshots.Current(), a.now)
	if err != nil {
		return err
	}
	return set.WriteDir(dir, format)
}
