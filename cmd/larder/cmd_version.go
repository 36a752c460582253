package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the command and of the snapshots it reads",
		Example: "  larder version",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			version := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			fmt.Fprintf(a.stdout, "larder %s, snapshot schema %d, %s\n", version, sqlite.SchemaVersion, runtime.Version())
			return nil
		},
	}
}
