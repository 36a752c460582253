package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list --state FILE",
		Short: "Print all keys, without their secrets",
		Long: `Prints all keys: what they are, their limits in force and their history. Of a
secret it shows the beginning, which tells keys apart and reveals nothing.

With --secrets it prints a line for each good secret instead: since when, until
when, and when it was used last, to the minute.`,
		Example: `  larder keys list --state larder-state.db
  larder keys list --state larder-state.db --secrets
  larder keys list --state larder-state.db --format json`,
	}
	path, format := stateFlag(cmd), formatFlag(cmd, tableOrJSON...)
	secrets := cmd.Flags().Bool("secrets", false, "print the good secrets of each key, with their last use")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error {
			keys, err := db.Keys(ctx)
			if err != nil {
				return err
			}
			if *secrets {
				return a.printSecrets(*format, keys)
			}
			return a.printKeys(*format, keys)
		})
	}
	return cmd
}

func (a *app) keysShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID --state FILE",
		Short: "Print a key with its secrets and when each was used last",
		Long: `Prints a key, the networks that it may be used from, and its secrets: the current
one and, after a rotation with --overlap, the old one until it ends. The last use
of each is exact to the minute, and refused requests are uses too. Of a secret it
shows the beginning, which tells keys apart and reveals nothing.`,
		Example: `  larder keys show 7 --state larder-state.db
  larder keys show 7 --state larder-state.db --format json`,
	}
	format := formatFlag(cmd, tableOrJSON...)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.Key(ctx, id)
		if err != nil {
			return err
		}
		if err := a.printSecrets(*format, []state.Key{k}); err != nil {
			return err
		}
		if *format == "table" && k.Networks != "" {
			fmt.Fprintf(a.stdout, "\nonly from %s\n", k.Networks)
		}
		return nil
	})
}

// keyStatus says whether a key is good.
func (a *app) keyStatus(k *state.Key) string {
	switch err := k.Valid(a.now); {
	case errors.Is(err, state.ErrKeyDisabled):
		return "disabled"
	case errors.Is(err, state.ErrKeyExpired):
		return "expired"
	}
	return "active"
}

func (a *app) printKeys(format string, keys []state.Key) error {
	if format == "json" {
		return sheetOf(keys, func(k *state.Key) []any {
			var perMonth any // null: no limit
			if k.Limits.PerMonth != state.Unlimited {
				perMonth = k.Limits.PerMonth
			}
			return []any{k.ID, k.Shown(), k.Name, k.Tier, a.keyStatus(k), k.Limits.PerMinute, perMonth, k.Created, k.Rotated, k.Expires, k.Disabled}
		}, "id", "prefix", "name", "tier", "status", "per_minute", "per_month", "created", "rotated", "expires", "disabled").print(a.stdout, format)
	}
	return sheetOf(keys, func(k *state.Key) []any {
		return []any{
			k.ID, k.Shown(), k.Name, k.Tier, a.keyStatus(k), k.Limits.PerMinute, monthLimit(k.Limits),
			k.Created, k.Rotated, orNever(k.Expires), k.Disabled,
		}
	}, ">id", "key", "name", "tier", "status", ">a minute", ">a month", "created", "rotated", "expires", "disabled").print(a.stdout, format)
}

// orNever writes the moment at which a key expires.
func orNever(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Format(time.RFC3339)
}

// liveSecret is a secret of a key that is good.
type liveSecret struct {
	key           *state.Key
	shown, secret string
	made          time.Time // zero for an old secret
	until, used   time.Time
}

// printSecrets prints a line for each live secret, the current one of each key first.
func (a *app) printSecrets(format string, keys []state.Key) error {
	var rows []liveSecret
	for i := range keys {
		k := &keys[i]
		made := k.Created
		if !k.Rotated.IsZero() {
			made = k.Rotated
		}
		rows = append(rows, liveSecret{k, k.Shown(), "current", made, k.Expires, k.Used})
		if k.Overlaps(a.now) {
			old := *k
			old.ByOld = true
			rows = append(rows, liveSecret{&old, k.OldShown(), "old", time.Time{}, old.Ends(), k.Old.Used})
		}
	}
	if format == "json" {
		return sheetOf(rows, func(r *liveSecret) []any {
			return []any{r.key.ID, r.key.Name, a.keyStatus(r.key), string(r.key.Networks), r.shown, r.secret, r.made, r.until, r.used}
		}, "id", "name", "status", "networks", "prefix", "secret", "created", "until", "last_used").print(a.stdout, format)
	}
	return sheetOf(rows, func(r *liveSecret) []any {
		return []any{r.key.ID, r.shown, r.key.Name, a.keyStatus(r.key), r.secret, r.made, orNever(r.until), r.used}
	}, ">id", "key", "name", "status", "secret", "created", "until", "last used").print(a.stdout, format)
}
