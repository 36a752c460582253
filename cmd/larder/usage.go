package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) usageCommand() *cobra.Command {
	var path, month, key, format string
	cmd := &cobra.Command{
		Use:   "usage --state FILE --month YYYY-MM",
		Short: "Print what was requested in a month, by key",
		Long: `Prints the requests of a calendar month in UTC, by key, endpoint and class of
status: how many there were, how many count against the quota (answered 2xx, and
not free), the bytes of their bodies, and when the first and the last came in.
Requests without a key that is known have no key.`,
		Example: `  larder usage --state larder-state.db --month 2026-11
  larder usage --state larder-state.db --month 2026-11 --key 7 --format csv`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(required(cmd, "state", path), required(cmd, "month", month)); err != nil {
				return err
			}
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			m, err := state.ParseMonth(month)
			if err != nil {
				return usagef("--month: %w", err)
			}
			var id int64
			if key != "" {
				if id, err = keyID("--key", key); err != nil {
					return err
				}
			}
			return a.withState(cmd, path, true, func(ctx context.Context, db *state.DB) error {
				list, err := db.Usage(ctx, m, id)
				if err != nil {
					return err
				}
				if err := printUsage(a.stdout, format, list); err != nil {
					return err
				}
				if len(list) == 0 {
					fmt.Fprintf(a.stderr, "larder: no request was logged in %s\n", m)
				}
				return nil
			})
		},
	}
	stateFlag(cmd, &path)
	f := cmd.Flags()
	f.StringVar(&month, "month", "", "the `month`, YYYY-MM, in UTC")
	f.StringVar(&key, "key", "", "a key's `id` (default: all)")
	formatFlag(cmd, &format, formats...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(a.usagePurgeCommand())
	return cmd
}

func (a *app) usagePurgeCommand() *cobra.Command {
	var path, before string
	cmd := &cobra.Command{
		Use:   "purge --state FILE --before DATE",
		Short: "Delete old requests from the log",
		Long: `Deletes the log of the requests that came in before a day, in UTC. What they add
up to by month stays: quotas and "larder usage" don't change.`,
		Example: `  larder usage purge --state larder-state.db --before 2026-09-01`,
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(required(cmd, "state", path), required(cmd, "before", before)); err != nil {
				return err
			}
			day, err := time.Parse(time.DateOnly, before)
			if err != nil {
				return usagef("--before %q is not a day written YYYY-MM-DD", before)
			}
			now, err := a.clock()
			if err != nil {
				return err
			}
			if day.After(now) {
				return usagef("--before %s lies ahead; today is %s", before, now.UTC().Format(time.DateOnly))
			}
			return a.withState(cmd, path, true, func(ctx context.Context, db *state.DB) error {
				n, err := db.Purge(ctx, day)
				if errors.Is(err, context.Canceled) {
					return fmt.Errorf("interrupted after %d requests were deleted; run it again for the rest", n)
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "deleted %d requests from before %s; the monthly sums stay\n", n, before)
				return nil
			})
		},
	}
	stateFlag(cmd, &path)
	cmd.Flags().StringVar(&before, "before", "", "the first `day` to keep, YYYY-MM-DD, in UTC")
	return cmd
}

// printUsage writes the table with a line of sums for each key. CSV has no sums,
// and JSON nests the lines in the sums.
func printUsage(w io.Writer, format string, list []state.Usage) error {
	if format == "json" {
		return printUsageJSON(w, list)
	}
	var data, table [][]any
	for _, u := range list {
		id, name, tier := keyCells(u.Key)
		for _, l := range u.Lines {
			line := append([]any{id, name, tier, l.Endpoint, statusClass(l)}, totals(l.Totals)...)
			table = append(table, line)
			data = append(data, append([]any{u.Month}, line...))
		}
		table = append(table, append([]any{id, name, tier, "all", "all"}, totals(u.Total)...))
	}
	if format == "csv" {
		return newSheet(data, "month", "key_id", "name", "tier", "endpoint", "status", "requests", "counted", "bytes", "first", "last").printCSV(w)
	}
	return newSheet(table, ">key", "name", "tier", "endpoint", "status", ">requests", ">counted", ">bytes", "first", "last").printTable(w)
}

// keyCells returns nulls for requests without a known key.
func keyCells(k state.Key) (id, name, tier any) {
	if k.ID == 0 {
		return nil, nil, nil
	}
	return k.ID, k.Name, k.Tier
}

func statusClass(l state.UsageLine) string { return fmt.Sprintf("%dxx", l.StatusClass) }

func totals(t state.Totals) []any {
	return []any{t.Requests, t.Counted, t.Bytes, t.First.Format(time.RFC3339), t.Last.Format(time.RFC3339)}
}

func printUsageJSON(w io.Writer, list []state.Usage) error {
	type line struct {
		Endpoint string `json:"endpoint"`
		Status   string `json:"status"`
		state.Totals
	}
	type usage struct {
		Month state.Month `json:"month"`
		KeyID any         `json:"key_id"`
		Name  any         `json:"name"`
		Tier  any         `json:"tier"`
		state.Totals
		Lines []line `json:"lines"`
	}
	out := make([]usage, len(list))
	for i, u := range list {
		out[i] = usage{Month: u.Month, Totals: u.Total}
		out[i].KeyID, out[i].Name, out[i].Tier = keyCells(u.Key)
		for _, l := range u.Lines {
			out[i].Lines = append(out[i].Lines, line{l.Endpoint, statusClass(l), l.Totals})
		}
	}
	return json.NewEncoder(w).Encode(out)
}
