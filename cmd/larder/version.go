package main

import (
	"cmp"
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(a.stdout, version())
			return err
		},
	}
}

// version names the build of the command, which Go makes of the commit, and the schema that
// it reads.
func version() string {
	build := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		build = cmp.Or(info.Main.Version, build)
	}
	return fmt.Sprintf("larder %s, snapshot schema %d, %s", build, sqlite.SchemaVersion, runtime.Version())
}
