package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "keys",
		Short: "Make and manage licence keys",
		Long: `Makes and manages the licence keys of a server, in its state file. It works
while the server runs, and holds from the server's next request on.

A key is printed once, when it is made. The file keeps its hash only: a lost key
can't be shown again, but rotated.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys list --state larder-state.db`,
	}, a.keysCreateCommand(), a.keysListCommand(), a.keysRotateCommand(),
		a.keysSetCommand(), a.keysDisableCommand(), a.keysEnableCommand(), a.keysSigninCommand())
}

func tierNames() []string {
	var names []string
	for _, t := range state.Tiers() {
		names = append(names, t.String())
	}
	return names
}

var keyFormats = []string{"table", "json"}

func (a *app) keysCreateCommand() *cobra.Command {
	var (
		path, tier, expires, perMinute, perMonth, format string
		n                                                state.NewKey
	)
	cmd := &cobra.Command{
		Use:   "create --state FILE --tier TIER --name NAME",
		Short: "Make a key and print it, once",
		Long: `Makes a licence key and prints it, once. A state file that does not exist is
made, readable by its owner only.

A day given to --expires is the last one, to its end in UTC; a moment is the
first at which the key is refused. That moment is what "expires" shows.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys create --state larder-state.db --tier enterprise --name Big --expires 2027-12-31 --per-minute 9000 --format json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := firstOf(errors.Join(required(cmd, "state", path), required(cmd, "tier", tier), required(cmd, "name", n.Name)))
			if err != nil {
				return err
			}
			if err := oneOf("format", format, keyFormats); err != nil {
				return err
			}
			if err := oneOf("tier", tier, tierNames()); err != nil {
				return err
			}
			n.Tier, _ = state.ParseTier(tier) // checked above
			if n.PerMinute, err = limitFlag("per-minute", perMinute, false); err != nil {
				return err
			}
			if n.PerMonth, err = limitFlag("per-month", perMonth, true); err != nil {
				return err
			}
			if expires != "" {
				if n.Expires, err = state.ParseExpiry(expires); err != nil {
					return usagef("--expires %w", err)
				}
			}
			return a.withState(cmd, path, false, func(ctx context.Context, db *state.DB) error {
				k, secret, err := db.CreateKey(ctx, n)
				if errors.Is(err, state.ErrInvalid) {
					return usageError(err)
				}
				if err != nil {
					return err
				}
				return a.printSecret(format, k, secret)
			})
		},
	}
	stateFlag(cmd, &path)
	f := cmd.Flags()
	f.StringVar(&tier, "tier", "", joinOr(tierNames()))
	f.StringVar(&n.Name, "name", "", "the subscriber's `name`")
	f.StringVar(&expires, "expires", "", "last `day`, YYYY-MM-DD in UTC, or RFC 3339 moment (default: never)")
	f.StringVar(&perMinute, "per-minute", "", "requests a minute, a `number` (default: the tier's)")
	f.StringVar(&perMonth, "per-month", "", "requests a month, a `number` or none for no limit (default: the tier's)")
	f.StringVar(&n.Prefix, "prefix", state.DefaultPrefix, "what the key starts with: small `letters` and digits")
	completeWith(cmd, "tier", tierNames()...)
	formatFlag(cmd, &format, keyFormats...)
	return cmd
}

// firstOf returns the first of several joined errors.
func firstOf(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	return err
}

// limitFlag reads a limit; 0 is the tier's.
func limitFlag(name, value string, none bool) (int64, error) {
	switch {
	case value == "":
		return 0, nil
	case none && value == "none":
		return state.Unlimited, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err == nil && n >= 1 {
		return n, nil
	}
	also := ""
	if none {
		also = " or none"
	}
	return 0, usagef("--%s %q is not a number from 1%s", name, value, also)
}

// printSecret prints a key with its secret. Should that fail, the secret is
// lost, and the error says what to do.
func (a *app) printSecret(format string, k state.Key, secret string) error {
	var err error
	if format == "json" {
		err = json.NewEncoder(a.stdout).Encode(struct {
			ID      int64      `json:"id"`
			Name    string     `json:"name"`
			Tier    state.Tier `json:"tier"`
			Key     string     `json:"key"`
			Expires *time.Time `json:"expires"`
		}{k.ID, k.Name, k.Tier, secret, timeOrNull(k.Expires)})
	} else {
		err = printColumns(a.stdout, []column{right("id"), left("name"), left("tier"), left("expires"), left("key")},
			[][]string{{fmt.Sprint(k.ID), k.Name, k.Tier.String(), timeOr(k.Expires, "never"), secret}})
	}
	if err != nil {
		return fmt.Errorf("key %d is made but could not be printed: %w; \"larder keys rotate %d\" gives it a new secret", k.ID, err, k.ID)
	}
	fmt.Fprintln(a.stderr, "the key won't be shown again: only its hash is kept")
	return nil
}
