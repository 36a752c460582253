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

	"github.com/larder-index/larder/internal/phrase"
)

// app is one run of the command.
type app struct {
	stdout, stderr io.Writer
	terminal       bool   // stderr is a terminal
	nowFlag        string // --now
}

func (a *app) rootCommand() *cobra.Command {
	root := group(&cobra.Command{
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
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			return a.flagsFromEnvironment(cmd.Flags())
		},
	})
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(err) })
	root.PersistentFlags().StringVar(&a.nowFlag, "now", "", "the clock, as RFC 3339 `time` (default: the machine's)")
	root.AddCommand(
		a.importCommand(), a.exportCommand(), a.demoCommand(),
		a.indexCommand(), a.explainCommand(), a.verifyCommand(), a.plotCommand(), a.coverageCommand(), a.checkCommand(), a.diffCommand(),
		a.quarantineCommand(), a.shrinkflationCommand(), a.compareCommand(),
		a.sqlCommand(),
		a.releaseCommand(), a.releasesCommand(),
		a.keysCommand(), a.usageCommand(), a.stateCommand(), a.serveCommand(), a.mcpCommand(),
		a.versionCommand(),
	)
	root.SetHelpCommand(a.helpCommand(root))
	root.InitDefaultCompletionCmd()
	addCompletionExamples(root)
	return root
}

// group makes a command that only holds those under it. Without a name of one of
// them it prints its help.
func group(cmd *cobra.Command, under ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(under...)
	return cmd
}

// helpCommand is cobra's help command, except that it refuses a name that is no
// command.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print what a command does and the flags it takes",
		Example: "  larder help index",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return unknownCommand(root, args[0])
			}
			if len(rest) > 0 {
				return unknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
	}
}

// addCompletionExamples shows how to switch completion on, and makes an unknown
// shell an error.
func addCompletionExamples(root *cobra.Command) {
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("larder: " + err.Error()) // it was added just before
	}
	cmd.Example = "  source <(larder completion bash)"
	shells := []string{}
	for _, shell := range cmd.Commands() {
		shells = append(shells, shell.Name())
		shell.Example = "  larder completion " + shell.Name()
	}
	cmd.Args, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("completion is there for %s, not for %q", phrase.Or(shells), args[0])
		}
		return cmd.Help()
	}
}

func unknownCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return usagef("unknown command %q; did you mean %q?", name, near[0])
	}
	return usagef("unknown command %q", name)
}

// flagsFromEnvironment sets flags that the command line leaves out from
// LARDER_<FLAG>.
func (a *app) flagsFromEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "LARDER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := os.Getenv(name); value != "" && !f.Changed && f.Name != "help" {
			if err := flags.Set(f.Name, value); err != nil {
				errs = append(errs, fmt.Errorf("%s: %q is no value for --%s", name, value, f.Name))
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return usageError(err)
	}
	return nil
}

// clock returns --now, or the machine's time.
func (a *app) clock() (time.Time, error) {
	if a.nowFlag == "" {
		return time.Now(), nil
	}
	t, err := time.Parse(time.RFC3339, a.nowFlag)
	if err != nil {
		return time.Time{}, usagef("--now %q is not a time such as 2026-11-20T12:00:00Z", a.nowFlag)
	}
	return t, nil
}

// exactly checks that there is one argument for each name, besides the flags.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s needs %s; for example:\n%s", cmd.CommandPath(), names[len(args)], cmd.Example)
		case len(args) > len(names):
			return usagef("%s does not take %q", cmd.CommandPath(), args[len(names)])
		}
		return nil
	}
}

// required fails when the value of a flag is empty.
func required(cmd *cobra.Command, flag, value string) error {
	if value == "" {
		return usagef("%s needs --%s; for example:\n%s", cmd.CommandPath(), flag, cmd.Example)
	}
	return nil
}
