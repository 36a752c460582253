package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

// stateFlag adds --state to a command that reads or changes a server's state.
// There is no default: the server may have been started in any folder.
func stateFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "state", "", "the server's state `file`, or the postgres:// address of its database")
}

// withState opens the state for one command. It works beside a running server.
func (a *app) withState(cmd *cobra.Command, path string, existing bool, f func(context.Context, *state.DB) error) error {
	if err := required(cmd, "state", path); err != nil {
		return err
	}
	now, err := a.clock()
	if err != nil {
		return err
	}
	db, err := state.Open(cmd.Context(), path, state.Options{
		Now: func() time.Time { return now }, Existing: existing,
	})
	if err != nil {
		return err
	}
	err = errors.Join(f(cmd.Context(), db), db.Close())
	if errors.Is(err, state.ErrNoKey) {
		return fmt.Errorf("%w; \"larder keys list\" shows them", err)
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
	var path string
	stateFlag(cmd, &path)
	cmd.Args = exactly("the key's id")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := keyID("ID", args[0])
		if err != nil {
			return err
		}
		return a.withState(cmd, path, true, func(ctx context.Context, db *state.DB) error { return do(ctx, db, id) })
	}
	return cmd
}
