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
	cmd.Flags().StringVar(path, "state", "", "the server's state `file`")
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

// keyID reads a key's id. It does not repeat what it was given when that is the
// key itself.
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

// timeOr writes a moment, or what stands for none.
func timeOr(t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return t.Format(time.RFC3339)
}

// timeOrNull is a moment as JSON has it.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
