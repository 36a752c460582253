package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) exportCommand() *cobra.Command {
	var (
		db, log, format string
		gzip            bool
	)
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a snapshot out as files",
		Long: `Writes every row of a snapshot into a folder of CSV files that "larder import"
reads back to the same rows. The folder must not exist or be empty. A failed
export leaves nothing behind.

With --format parquet or csv.gz it writes what a server publishes: the files
index, prices, products and shrinkflation, a Data Package that describes them,
and their sums. They have the bytes of /api/v1/bulk/. With --log the index is
the one that was released.`,
		Example: `  larder export prices/ --db larder.db
  larder export demo-prices/ --gzip
  larder export r12/ --db larder.db --log releases.db --format parquet`,
		Args: exactly("the folder to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, []string{"csv", string(bulk.CSV), string(bulk.Parquet)}); err != nil {
				return err
			}
			if gzip && format != "csv" {
				return usagef("--gzip is for --format csv; the files of --format %s are packed anyway", format)
			}
			now, err := a.clock()
			if err != nil {
				return err
			}
			if db, err = a.snapshotPath(cmd.Context(), db, now); err != nil {
				return err
			}
			if format == "csv" {
				err = sqlite.Export(cmd.Context(), db, args[0], sqlite.ExportOptions{Gzip: gzip})
			} else {
				err = exportBulk(cmd.Context(), db, log, args[0], bulk.Format(format), now)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "exported to %s\n", args[0])
			return nil
		},
	}
	dbFlag(cmd, &db)
	logFlag(cmd, &log)
	cmd.Flags().StringVar(&format, "format", "csv", "csv for the panel directory; parquet or csv.gz for the published tables")
	cmd.Flags().BoolVar(&gzip, "gzip", false, "compress every file of --format csv")
	return cmd
}

// exportBulk writes the files that a server of the snapshot publishes.
func exportBulk(ctx context.Context, db, log, dir string, format bulk.Format, now time.Time) error {
	clock := func() time.Time { return now }
	snapshots := prepared.NewSnapshots(db, clock)
	if log != "" {
		snapshots = prepared.NewReleasedSnapshots(db, log, clock)
	}
	if err := snapshots.Refresh(ctx); err != nil {
		return err
	}
	set, err := bulk.SetOf(snapshots.Current(), now)
	if err != nil {
		return err
	}
	return set.WriteDir(dir, format)
}
