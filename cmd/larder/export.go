package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a snapshot out as files",
		Long: `Writes every row of a snapshot into a folder of CSV files that "larder import" reads
back to the same rows. The folder must not exist or be empty. "larder release
--publish" writes the published tables.`,
		Example: `  larder export prices/ --db larder.db
  larder export demo-prices/ --demo`,
		Args: exactly("the folder to write"),
	}
	db := a.dbFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.kept = true
		path, err := a.snapshotPath(cmd.Context(), *db)
		if err == nil {
			err = sqlite.Export(cmd.Context(), path, args[0])
		}
		if err == nil {
			fmt.Fprintf(a.stderr, "exported to %s\n", args[0])
		}
		return err
	}
	return cmd
}
