// Command larder computes a weekly grocery price index from a snapshot of
// prices, and keeps such snapshots. Run "larder help" for its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/larder-index/larder/internal/atomicfile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	os.Exit(report(os.Stderr, err))
}

// run carries out one command line.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	a := &app{stdout: stdout, stderr: stderr}
	if f, ok := stderr.(*os.File); ok {
		info, err := f.Stat()
		a.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return root.ExecuteContext(ctx)
}

// Exit statuses.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitRejected = 3 // imported, with rejects
	exitStopped  = 4 // a stop rule stopped a release
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
			fmt.Fprintf(stderr, "larder: %v\nRun \"larder help\" for the commands and \"larder help COMMAND\" for their flags.\n", err)
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
