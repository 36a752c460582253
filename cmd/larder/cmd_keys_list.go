package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysListCommand() *cobra.Command {
	var path, format string
	cmd := &cobra.Command{
		Use:   "list --state FILE",
		Short: "Print all keys, without their secrets",
		Long: `Prints all keys: what they are, their limits in force and their history, but no
part of their secrets.`,
		Example: `  larder keys list --state larder-state.db
  larder keys list --state larder-state.db --format json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, keyFormats); err != nil {
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
				return a.printKeys(format, keys, now)
			})
		},
	}
	stateFlag(cmd, &path)
	formatFlag(cmd, &format, keyFormats...)
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
		return printKeysJSON(json.NewEncoder(a.stdout), keys, now)
	}
	var rows [][]string
	for _, k := range keys {
		rows = append(rows, []string{
			fmt.Sprint(k.ID), k.Name, k.Tier.String(), keyStatus(k, now), fmt.Sprint(k.Limits.PerMinute), monthLimit(k.Limits),
			timeOr(k.Created, noValue), timeOr(k.Rotated, noValue), timeOr(k.Expires, "never"), timeOr(k.Disabled, noValue),
		})
	}
	return printColumns(a.stdout, []column{
		right("id"), left("name"), left("tier"), left("status"), right("a minute"), right("a month"),
		left("created"), left("rotated"), left("expires"), left("disabled"),
	}, rows)
}

func printKeysJSON(out *json.Encoder, keys []state.Key, now time.Time) error {
	type keyJSON struct {
		ID        int64      `json:"id"`
		Name      string     `json:"name"`
		Tier      state.Tier `json:"tier"`
		Status    string     `json:"status"`
		PerMinute int64      `json:"per_minute"`
		PerMonth  *int64     `json:"per_month"` // null: no limit
		Created   time.Time  `json:"created"`
		Rotated   *time.Time `json:"rotated"`
		Expires   *time.Time `json:"expires"`
		Disabled  *time.Time `json:"disabled"`
	}
	list := make([]keyJSON, len(keys))
	for i, k := range keys {
		list[i] = keyJSON{
			k.ID, k.Name, k.Tier, keyStatus(k, now), k.Limits.PerMinute, nil,
			k.Created, timeOrNull(k.Rotated), timeOrNull(k.Expires), timeOrNull(k.Disabled),
		}
		if k.Limits.PerMonth != state.Unlimited {
			list[i].PerMonth = &k.Limits.PerMonth
		}
	}
	return out.Encode(list)
}
