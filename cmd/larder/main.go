// Command larder computes a weekly grocery price index from a snapshot of
// prices, and keeps such snapshots. Run "larder help" for its commands.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/panel/sqlite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	os.Exit(report(os.Stderr, err))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	out := bufio.NewWriterSize(stdout, 1<<16)
	a := &app{stdout: &output{Writer: out}, stderr: behind{stderr, out}, log: stderr}
	a.terminal, a.kept = isTerminal(stderr), !isTerminal(stdout)
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	return cmp.Or(err, out.Flush())
}

// isTerminal reports whether what is written is seen and not kept. That holds of /dev/null too.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// behind is standard error. It first flushes standard output, so that both come in order.
type behind struct {
	io.Writer
	out *bufio.Writer
}

func (b behind) Write(p []byte) (int, error) {
	b.out.Flush() // the last flush returns its error
	return b.Writer.Write(p)
}

// Exit statuses.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitRejected = 3 // imported, with rejects
	exitStopped  = 4 // a stop rule stopped a release
	exitWarned   = 5 // checked strictly, with warnings
)

// exitError is an error that ends the command with a status of its own.
type exitError struct {
	status int
	error
}

func (e exitError) Unwrap() error { return e.error }

// usageError marks a command line that can't be carried out as written.
func usageError(err error) error { return exitError{exitUsage, err} }

func usagef(format string, a ...any) error { return usageError(fmt.Errorf(format, a...)) }

// errRejected ends a command that did its work but had to leave rows out. The
// command has said which.
var errRejected = exitError{exitRejected, errors.New("rows were rejected")}

// report tells the person what went wrong and returns the exit status.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	if exit, ok := errors.AsType[exitError](err); ok {
		if exit.status == exitUsage {
			fmt.Fprintf(stderr,
				"larder: %v\nRun \"larder help\" for the commands and \"larder help COMMAND\" for their flags.\n", err)
		}
		return exit.status
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; nothing was changed")
	}
	fmt.Fprintf(stderr, "larder: %v%s\n", err, remedy(err))
	return exitFailed
}

// remedy says which command helps against an error, if one does.
func remedy(err error) string {
	if e, ok := errors.AsType[*atomicfile.Error](err); ok && e.Op == "open snapshot" && errors.Is(e, fs.ErrNotExist) {
		return "; make it with larder import or larder demo"
	}
	return ""
}

// app is one run of the command.
type app struct {
	stdout   *output    // its first error is kept, and ends the command
	stderr   io.Writer  // comes behind what was printed
	log      io.Writer  // standard error of a server
	terminal bool       // stderr is a terminal
	kept     bool       // the output goes into a file or a pipe
	demo     bool       // --demo
	level    slog.Level // the least that a server logs
	at       time.Time  // --now; zero without it
	now      time.Time  // when the command began, by --now or the machine's clock
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "larder",
		Short: "A weekly grocery price index from a snapshot of prices",
		Long: `Larder computes a weekly matched-model Jevons index of grocery prices from a snapshot,
one SQLite file of observed prices.

Commands that read a snapshot use a synthetic demo snapshot when --db is not given. Where
their output goes into a file or a pipe, they ask for --demo then. Every flag can also be
set as LARDER_<FLAG> in the environment. Data goes to standard output, everything else to
standard error.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 imported with rejects, 4 a
release was stopped by a rule, 5 check --strict has warnings.`,
		Example: `  larder index --level national --category overall
  larder import prices/ --db larder.db
  larder help explain`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("db") && cmd.Flags().Changed("demo") {
				return usagef("--db and --demo contradict each other: leave one out")
			}
			if err := flagsFromEnvironment(cmd); err != nil {
				return err
			}
			a.now = a.at
			if a.at.IsZero() {
				a.now = time.Now()
			}
			return checkNeeds(cmd, strings.Fields(cmd.Annotations["needs"])...)
		},
	}
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(flagCause(err)) })
	root.PersistentFlags().Var(&value[time.Time]{name: "now", to: &a.at, read: readTime}, "now",
		"the clock, as RFC 3339 `time` (default: the machine's)")
	root.AddCommand(
		a.initCommand(), a.importCommand(), a.exportCommand(), a.demoCommand(),
		a.indexCommand(), a.explainCommand(), a.verifyCommand(), a.plotCommand(), a.coverageCommand(), a.checkCommand(),
		a.assessCommand(),
		a.diffCommand(),
		a.quarantineCommand(), a.matchCommand(), a.shrinkflationCommand(), a.compareCommand(),
		a.sqlCommand(),
		a.publishCommand(), a.releaseCommand(), a.releasesCommand(),
		a.keysCommand(), a.usageCommand(), a.backupCommand(), a.serveCommand(), a.mcpCommand(),
	)
	root.InitDefaultCompletionCmd()
	checkArguments(root)
	return root
}

// checkArguments refuses arguments to commands that declare none. A command with others under it prints its
// help if it does nothing itself.
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
	if near := suggest.Nearest(name, mapped(root.Commands(), (*cobra.Command).Name)); near != "" {
		return usagef("unknown command %q; did you mean %q?", name, near)
	}
	return usagef("unknown command %q", name)
}

// flagsFromEnvironment sets flags that the command line leaves out from LARDER_<FLAG>.
func flagsFromEnvironment(cmd *cobra.Command) error {
	var errs []error
	flags := cmd.Flags()
	demo := flags.Changed("demo") // on the command line; LARDER_DB counts for more than LARDER_DEMO
	for _, variable := range slices.Sorted(slices.Values(os.Environ())) {
		name, value, _ := strings.Cut(variable, "=")
		flag, ours := strings.CutPrefix(name, "LARDER_")
		f := flags.Lookup(strings.ToLower(strings.ReplaceAll(flag, "_", "-")))
		if !ours || value == "" || f == nil || f.Changed || f.Name == "help" || f.Name == "db" && demo {
			continue
		}
		err := flags.Set(f.Name, value)
		if _, own := flagCause(err).(exitError); err != nil && !own {
			err = fmt.Errorf("%q is no value for --%s", value, f.Name)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, flagCause(err)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return usageError(err)
	}
	return nil
}

// flagCause returns the error of one of this program's flags, without what the parser adds.
func flagCause(err error) error {
	if own, ok := errors.AsType[exitError](err); ok {
		return own
	}
	return err
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
