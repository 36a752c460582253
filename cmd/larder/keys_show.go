package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysShowCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show ID --state FILE",
		Short: "Print a key with its secrets and when each was used last",
		Long: `Prints a key, the networks that it may be used from, and its secrets: the current
one and, after a rotation with --overlap, the old one until it ends. The last use
of each is exact to the minute, and refused requests are uses too. Of a secret it
shows the beginning, which tells keys apart and reveals nothing.`,
		Example: `  larder keys show 7 --state larder-state.db
  larder keys show 7 --state larder-state.db --format json`,
		PreRunE: func(*cobra.Command, []string) error { return oneOf("format", format, tableOrJSON) },
	}
	formatFlag(cmd, &format, tableOrJSON...)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.Key(ctx, id)
		if err != nil {
			return err
		}
		now, err := a.clock()
		if err != nil {
			return err
		}
		if err := a.printSecrets(format, []state.Key{k}, now); err != nil {
			return err
		}
		if format == "table" && k.Networks != "" {
			fmt.Fprintf(a.stdout, "\nonly from %s\n", k.Networks)
		}
		return nil
	})
}

// secretRow is a live secret of a key.
type secretRow struct {
	key           state.Key
	shown, secret string
	made          time.Time // zero for an old secret
	until, used   time.Time
}

// secretRows returns the live secrets of keys, the current one of each first.
func secretRows(keys []state.Key, now time.Time) (rows []secretRow) {
	for _, k := range keys {
		made := k.Rotated
		if made.IsZero() {
			made = k.Created
		}
		rows = append(rows, secretRow{k, k.Shown(), "current", made, k.Expires, k.Used})
		if k.Overlaps(now) {
			k.ByOld = true
			rows = append(rows, secretRow{k, k.OldShown(), "old", time.Time{}, k.Ends(), k.Old.Used})
		}
	}
	return rows
}

// printSecrets prints a line for each live secret.
func (a *app) printSecrets(format string, keys []state.Key, now time.Time) error {
	rows := secretRows(keys, now)
	if format == "json" {
		return sheetOf(rows, func(r *secretRow) []any {
			return []any{r.key.ID, r.key.Name, keyStatus(r.key, now), string(r.key.Networks), r.shown, r.secret, r.made, r.until, r.used}
		}, "id", "name", "status", "networks", "prefix", "secret", "created", "until", "last_used").printJSON(a.stdout, "")
	}
	return sheetOf(rows, func(r *secretRow) []any {
		return []any{r.key.ID, r.shown, r.key.Name, keyStatus(r.key, now), r.secret, r.made, orNever(r.until), r.used}
	}, ">id", "key", "name", "status", "secret", "created", "until", "last used").printTable(a.stdout)
}
