package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysSetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set ID --state FILE",
		Short: "Change a key's tier, limits, expiry or networks",
		Long: `Changes what a key allows, from its next request on; what is not named stays, and
so do its secret, its sessions and what the month has counted. Limits of the
key's own outlast a change of its tier; "tier" takes them away.`,
		Example: `  larder keys set 7 --state larder-state.db --tier professional --per-minute tier --per-month tier
  larder keys set 7 --state larder-state.db --expires 2027-12-31`,
	}
	var m state.Terms
	tierFlag(cmd, &m.Tier, func(t state.Tier) *state.Tier { return &t })
	change(cmd, &m.Expires, "expires", "last `day`, YYYY-MM-DD in UTC, RFC 3339 moment, or never", "never", ", nor never", state.ParseExpiry)
	change(cmd, &m.PerMinute, "per-minute", "requests a minute, a `number`, or tier for the tier's", "tier", "", limitOr("tier"))
	change(cmd, &m.PerMonth, "per-month", "requests a month, a `number`, none for no limit, or tier for the tier's", "tier", "", limitOr("none", "tier"))
	change(cmd, &m.Networks, "networks", "`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32, or any", "any", "; any lifts the bound", readNetworks)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.SetTerms(ctx, id, m)
		if err != nil {
			return err
		}
		from := ""
		if k.Networks != "" {
			from = ", from " + string(k.Networks)
		}
		fmt.Fprintf(a.stderr, "key %d (%s) is %s now: %d requests a minute, %s a month, expires %s%s\n",
			k.ID, k.Name, k.Tier, k.Limits.PerMinute, monthLimit(k.Limits), orNever(k.Expires), from)
		return nil
	})
}

// change adds a flag for a new value; a word stands for the zero value. more ends the error
// about another text. Without the flag the value is nil.
func change[T any](cmd *cobra.Command, to **T, name, usage, word, more string, read func(string) (T, error)) {
	addFlag(cmd, to, name, usage, func(text string) (*T, error) {
		if text == word {
			return new(T), nil
		}
		x, err := read(text)
		if err != nil {
			err = fmt.Errorf("%w%s", err, more)
		}
		return &x, err
	})
}

// monthLimit writes the limit of requests a month.
func monthLimit(l state.Limits) string {
	if l.PerMonth == state.Unlimited {
		return "none"
	}
	return fmt.Sprint(l.PerMonth)
}

func (a *app) keysDisableCommand() *cobra.Command {
	return a.keyCommand(&cobra.Command{
		Use:   "disable ID --state FILE",
		Short: "Refuse a key until it is enabled again",
		Long: `Makes a key refused from now on. Its sessions end and its sign-in links are void;
enabling it again does not bring them back.`,
		Example: `  larder keys disable 7 --state larder-state.db`,
	}, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.DisableKey(ctx, id)
		if err == nil {
			fmt.Fprintf(a.stderr, "key %d (%s) is disabled since %s\n", k.ID, k.Name, k.Disabled.Format(time.RFC3339))
		}
		return err
	})
}

func (a *app) keysEnableCommand() *cobra.Command {
	return a.keyCommand(&cobra.Command{
		Use:     "enable ID --state FILE",
		Short:   "Accept a disabled key again",
		Example: `  larder keys enable 7 --state larder-state.db`,
	}, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.EnableKey(ctx, id)
		if err != nil {
			return err
		}
		note := ""
		if k.Valid(a.now) != nil {
			note = ", but has expired"
		}
		fmt.Fprintf(a.stderr, "key %d (%s) is enabled%s\n", k.ID, k.Name, note)
		return nil
	})
}
