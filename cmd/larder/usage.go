package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) usageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "usage --state FILE --month YYYY-MM",
		Short: "Print what was requested in a month, by key",
		Long: `Prints the requests of a calendar month in UTC, by key, endpoint and class of status:
how many there were, how many count against the quota, and the bytes of their bodies.`,
		Example: `  larder usage --state larder-state.db --month 2026-11
  larder usage --state larder-state.db --month 2026-11 --key 7 --format csv`,
	}
	var (
		month state.Month
		key   int64
	)
	path, format := stateFlag(cmd, "month"), formatFlag(cmd)
	addFlag(cmd, &month, "month", "the `month`, YYYY-MM, in UTC", state.ParseMonth)
	addFlag(cmd, &key, "key", "a key's `id` (default: all)",
		func(text string) (int64, error) { return keyID("--key", text) })
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error {
			list, err := db.Usage(ctx, month, key)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				fmt.Fprintf(a.stderr, "larder: no request was logged in %s\n", month)
			}
			printUsage(a.stdout, *format, month, list)
			return nil
		})
	}
	return group(cmd, a.usagePurgeCommand())
}

func (a *app) usagePurgeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "purge --state FILE --before DATE",
		Short: "Delete old requests from the log",
		Long: `Deletes the log of the requests that came in before a day, in UTC. What they add
up to by month stays: quotas and "larder usage" don't change.`,
		Example: `  larder usage purge --state larder-state.db --before 2026-09-01`,
	}
	var before time.Time
	path := stateFlag(cmd, "before")
	addFlag(cmd, &before, "before", "the first `day` to keep, YYYY-MM-DD, in UTC",
		func(text string) (time.Time, error) {
			day, err := time.Parse(time.DateOnly, text)
			if err != nil {
				err = fmt.Errorf("%q is not a day written YYYY-MM-DD", text)
			}
			return day, err
		})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		day := before.Format(time.DateOnly)
		if before.After(a.now) {
			return usagef("--before %s lies ahead; today is %s", day, a.now.UTC().Format(time.DateOnly))
		}
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error {
			n, err := db.Purge(ctx, before)
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("interrupted after %d requests were deleted; run it again for the rest", n)
			}
			if err == nil {
				fmt.Fprintf(a.stderr, "deleted %d requests from before %s; the monthly sums stay\n", n, day)
			}
			return err
		})
	}
	return cmd
}

// printUsage writes the lines, and in the table the sums of each key below its own.
func printUsage(w *output, format string, month state.Month, list []state.Usage) {
	var rows [][]any
	var sum state.Totals
	for i, u := range list {
		add := func(endpoint, status string, t state.Totals) {
			rows = append(rows, []any{month, orNil(u.KeyID), orNil(u.Name), orNil(u.Tier), endpoint, status,
				t.Requests, t.Counted, t.Bytes, t.First.Truncate(time.Second), t.Last.Truncate(time.Second)})
		}
		add(u.Endpoint, fmt.Sprintf("%dxx", u.StatusClass), u.Totals)
		if sum.Add(u.Totals); format == "table" && (i == len(list)-1 || list[i+1].KeyID != u.KeyID) {
			add("all", "all", sum)
			sum = state.Totals{}
		}
	}
	newSheet(rows, "month", ">key_id", "name", "tier", "endpoint", "status", ">requests", ">counted", ">bytes",
		"first", "last").print(w, format)
}
