package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one run of the command.
type app struct {
	stdout, stderr io.Writer
	terminal       bool      // stderr is a terminal
	at             time.Time // --now; zero without it
	now            time.Time // when the command began, by --now or the machine's clock
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "larder",
		Short: "A weekly grocery price index from a snapshot of prices",
		Long: `Larder computes a weekly matched-model Jevons index of grocery prices from a
snapshot, one SQLite file of observed prices.

Commands that read a snapshot use a synthetic demo snapshot when --db is not
given. Every flag can also be set as LARDER_<FLAG> in the environment, such as
LARDER_DB. Data goes to standard output, everything else to standard error.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 imported with rejects, 4 a
release was stopped by a rule.`,
		Example: `  larder index --level national --category overall
  larder import prices/ --db larder.db
  larder help explain`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagsFromEnvironment(cmd.Flags()); err != nil {
				return err
			}
			if a.now = a.at; a.at.IsZero() {
				a.now = time.Now()
			}
			return checkNeeds(cmd, strings.Fields(cmd.Annotations["needs"])...)
		},
	}
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(flagCause(err)) })
	root.PersistentFlags().Var(&value[time.Time]{name: "now", to: &a.at, read: readTime}, "now", "the clock, as RFC 3339 `time` (default: the machine's)")
	root.AddCommand(
		a.importCommand(), a.exportCommand(), a.demoCommand(),
		a.indexCommand(), a.explainCommand(), a.verifyCommand(), a.plotCommand(), a.coverageCommand(), a.checkCommand(), a.diffCommand(),
		a.quarantineCommand(), a.shrinkflationCommand(), a.compareCommand(),
		a.sqlCommand(),
		a.releaseCommand(), a.releasesCommand(),
		a.keysCommand(), a.usageCommand(), a.stateCommand(), a.serveCommand(), a.mcpCommand(),
		a.versionCommand(),
	)
	root.InitDefaultCompletionCmd()
	checkArguments(root)
	return root
}

// checkArguments refuses arguments of commands that say nothing of theirs. A command that
// others are under prints its help if it does nothing itself.
func checkArguments(cmd *cobra.Command) {
	switch {
	case cmd.HasSubCommands():
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		}
		cmd.SuggestionsMinimumDistance = 2
		if cmd.RunE == nil {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	case cmd.Args == nil:
		cmd.Args = exactly()
	}
	for _, under := range cmd.Commands() {
		checkArguments(under)
	}
}

// group makes a command that only holds those under it.
func group(cmd *cobra.Command, under ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(under...)
	return cmd
}

func unknownCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return usagef("unknown command %q; did you mean %q?", name, near[0])
	}
	return usagef("unknown command %q", name)
}

// flagsFromEnvironment sets flags that the command line leaves out from
// LARDER_<FLAG>.
func flagsFromEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "LARDER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := os.Getenv(name); value != "" && !f.Changed && f.Name != "help" {
			if err := flags.Set(f.Name, value); err != nil {
				if _, own := flagCause(err).(exitError); !own {
					err = fmt.Errorf("%q is no value for --%s", value, f.Name)
				}
				errs = append(errs, fmt.Errorf("%s: %w", name, flagCause(err)))
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return usageError(err)
	}
	return nil
}

// flagCause returns the error of one of this program's flags, without what pflag adds.
func flagCause(err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if own, ok := errors.AsType[exitError](invalid.Unwrap()); ok {
			return own
		}
	}
	return err
}
