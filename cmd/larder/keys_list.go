package main

import (
	"context"
	"errors"
	"time"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/spf13/cobra"
)

func (a *app) keysListCommand() *cobra.Command {
	var path, format string
	var secrets bool
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
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, tableOrJSON); err != nil {
				return err
			}
			return a.withState(cmd, path, true, func(ctx context.Context, db *state.DB) error {
				keys, err := db.Keys(ctx)
				if err != nil {
					return err
				}
				now, err := a.clock()
				if err != nil {
					return err
				}
				if secrets {
					return a.printSecrets(format, keys, now)
				}
				return a.printKeys(format, keys, now)
			})
		},
	}
	stateFlag(cmd, &path)
	cmd.Flags().BoolVar(&secrets, "secrets", false, "print the good secrets of each key, with their last use")
	formatFlag(cmd, &format, tableOrJSON...)
	return cmd
}

func keyStatus(k state.Key, now time.Time) string {
	switch err := k.Valid(now); {
	case errors.Is(err, state.ErrKeyDisabled):
		return "disabled"
	case errors.Is(err, state.ErrKeyExpired):
		return "expired"
	}
	return "active"
}

func (a *app) printKeys(format string, keys []state.Key, now time.Time) error {
	if format == "json" {
		return sheetOf(keys, func(k *state.Key) []any {
			var perMonth any // null: no limit
			if k.Limits.PerMonth != state.Unlimited {
				perMonth = k.Limits.PerMonth
			}
			return []any{k.ID, k.Shown(), k.Name, k.Tier, keyStatus(*k, now), k.Limits.PerMinute, perMonth, k.Created, k.Rotated, k.Expires, k.Disabled}
		}, "id", "prefix", "name", "tier", "status", "per_minute", "per_month", "created", "rotated", "expires", "disabled").printJSON(a.stdout, "")
	}
	return sheetOf(keys, func(k *state.Key) []any {
		return []any{
			k.ID, k.Shown(), k.Name, k.Tier, keyStatus(*k, now), k.Limits.PerMinute, monthLimit(k.Limits),
			k.Created, k.Rotated, orNever(k.Expires), k.Disabled,
		}
	}, ">id", "key", "name", "tier", "status", ">a minute", ">a month", "created", "rotated", "expires", "disabled").printTable(a.stdout)
}

// orNever writes the moment at which a key expires.
func orNever(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Format(time.RFC3339)
}
