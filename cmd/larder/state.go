package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/phrase"
)

// stateFlag adds --state to a command that reads or changes a server's state.
// There is no default: the server may have been started in any folder.
func stateFlag(cmd *cobra.Command, others ...string) *string {
	needs(cmd, append([]string{"state"}, others...)...)
	return cmd.Flags().String("state", "", "the server's state `file`, or the postgres:// address of its database")
}

// withState opens the state for one command. It works beside a running server.
func (a *app) withState(cmd *cobra.Command, path string, do func(context.Context, *state.DB) error) error {
	db, err := state.Open(cmd.Context(), path, state.Options{Now: a.fixedClock, Existing: cmd.Name() != "create"})
	if err != nil {
		return err
	}
	err = errors.Join(do(cmd.Context(), db), db.Close())
	switch {
	case errors.Is(err, state.ErrNoKey):
		return fmt.Errorf("%w; \"larder keys list\" shows them", err)
	case errors.Is(err, state.ErrInvalid):
		return usageError(err)
	}
	return err
}

// keyID reads a key's id. If it is given the key itself, the error does not
// repeat it.
func keyID(what, arg string) (int64, error) {
	if state.Redact(arg) != arg {
		return 0, usagef("%s is the key's id, a number, and not the key itself; \"larder keys list\" shows it", what)
	}
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return 0, usagef("%s %q is not a key's id, a number from 1; \"larder keys list\" shows them", what, arg)
	}
	return id, nil
}

// keyCommand completes a command about the key that its argument names.
func (a *app) keyCommand(cmd *cobra.Command, do func(context.Context, *state.DB, int64) error) *cobra.Command {
	path := stateFlag(cmd)
	cmd.Args = exactly("the key's id")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := keyID("ID", args[0])
		if err != nil {
			return err
		}
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error { return do(ctx, db, id) })
	}
	return cmd
}

func (a *app) backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup --state FILE OUT",
		Short: "Back up a server's state",
		Long: `Copies the state of a file into the file OUT, also while its server runs, as of one
moment. docs/operations.md has the steps to restore it. A state in a PostgreSQL database
is backed up by pg_dump.`,
		Example: `  larder backup --state larder-state.db backup.db`,
		Args:    exactly("the file to make"),
	}
	path := stateFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		keys, requests, err := state.Backup(cmd.Context(), *path, args[0])
		if err == nil {
			_, err = fmt.Fprintf(a.stderr, "backed up %s and %s of the log\n", phrase.Count(int(keys), "key"),
				phrase.Count(int(requests), "request"))
		}
		return err
	}
	return cmd
}
