package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/phrase"
)

func (a *app) stateCommand() *cobra.Command {
	return group(&cobra.Command{Use: "state", Short: "Move a server's state to another place"}, a.stateCopyCommand())
}

func (a *app) stateCopyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy the state from a file into a database, or back",
		Long: `Copies all of a state into a new one: keys with their secrets, sessions, the request
log and the months. FROM and TO are files, or postgres:// addresses of databases. TO
gets all of it or nothing. FROM stays as it was.

Stop the servers on FROM first: TO would lack what they answer meanwhile. The command
refuses a file whose server runs. It can't tell whether a database has servers.`,
		Example: `  larder state copy larder-state.db postgres://larder@db.example.org/larder`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("larder state copy takes two states: FROM and TO")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			now, err := a.clock()
			if err != nil {
				return err
			}
			ctx, clock := cmd.Context(), func() time.Time { return now }
			from, err := state.Open(ctx, args[0], state.Options{Now: clock, Serve: true, Existing: true})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, from.Close()) }()
			to, err := state.Open(ctx, args[1], state.Options{Now: clock, Serve: true})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, to.Close()) }()
			n, err := state.Copy(ctx, from, to)
			if errors.Is(err, context.Canceled) {
				return errors.New("interrupted; nothing was copied")
			}
			if err == nil {
				_, err = fmt.Fprintf(a.stderr, "copied %s and %s of the log\n", phrase.Count(int(n.Keys), "key"), phrase.Count(int(n.Requests), "request"))
			}
			return err
		},
	}
}
