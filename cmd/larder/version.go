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

// version names the build of the command, the commit it was built from if Go recorded it,
// and the schema it reads.
func version() string {
	build, commit, changed := "(devel)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		build = cmp.Or(info.Main.Version, build)
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = ", commit " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	return fmt.Sprintf("larder %s%s%s, snapshot schema %d, %s", build, commit, changed, sqlite.SchemaVersion, runtime.Version())
}
