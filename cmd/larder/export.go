package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) exportCommand() *cobra.Command {
	var (
		db   string
		gzip bool
	)
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a snapshot out as a panel directory",
		Long: `Writes every row of a snapshot into a folder of CSV files that "larder import"
reads back to the same rows. The folder must not exist or be empty. A failed
export leaves nothing behind.`,
		Example: `  larder export prices/ --db larder.db
  larder export demo-prices/ --gzip`,
		Args: exactly("the folder to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			now, err := a.clock()
			if err != nil {
				return err
			}
			if db, err = a.snapshotPath(cmd.Context(), db, now); err != nil {
				return err
			}
			if err := sqlite.Export(cmd.Context(), db, args[0], sqlite.ExportOptions{Gzip: gzip}); err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "exported to %s\n", args[0])
			return nil
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().BoolVar(&gzip, "gzip", false, "compress every file")
	return cmd
}
