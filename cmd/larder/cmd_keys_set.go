package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

func (a *app) keysSetCommand() *cobra.Command {
	var path, tier, expires, perMinute, perMonth string
	cmd := &cobra.Command{
		Use:   "set ID --state FILE",
		Short: "Change a key's tier, limits or expiry",
		Long: `Changes what a key allows, from its next request on; what is not named stays, and
so do its secret, its sessions and what the month has counted. Limits of the
key's own outlast a change of its tier; "tier" takes them away.`,
		Example: `  larder keys set 7 --state larder-state.db --tier professional --per-minute tier --per-month tier
  larder keys set 7 --state larder-state.db --expires 2027-12-31`,
		Args: exactly(keyIDArgument),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			var m state.Terms
			if tier != "" {
				if err := oneOf("tier", tier, tierNames()); err != nil {
					return err
				}
				t, _ := state.ParseTier(tier) // checked above
				m.Tier = &t
			}
			if m.PerMinute, err = limitChange("per-minute", perMinute, false); err != nil {
				return err
			}
			if m.PerMonth, err = limitChange("per-month", perMonth, true); err != nil {
				return err
			}
			if m.Expires, err = expiryChange(expires); err != nil {
				return err
			}
			return a.withKey(cmd, path, args[0], func(ctx context.Context, db *state.DB, id int64) error {
				k, err := db.SetTerms(ctx, id, m)
				if errors.Is(err, state.ErrInvalid) {
					return usageError(err)
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "key %d (%s) is %s now: %d requests a minute, %s a month, expires %s\n",
					k.ID, k.Name, k.Tier, k.Limits.PerMinute, monthLimit(k.Limits), timeOr(k.Expires, "never"))
				return nil
			})
		},
	}
	stateFlag(cmd, &path)
	f := cmd.Flags()
	f.StringVar(&tier, "tier", "", joinOr(tierNames()))
	f.StringVar(&expires, "expires", "", "last `day`, YYYY-MM-DD in UTC, RFC 3339 moment, or never")
	f.StringVar(&perMinute, "per-minute", "", "requests a minute, a `number`, or tier for the tier's")
	f.StringVar(&perMonth, "per-month", "", "requests a month, a `number`, none for no limit, or tier for the tier's")
	completeWith(cmd, "tier", tierNames()...)
	return cmd
}

// limitChange reads a new limit; nil if there is none.
func limitChange(name, value string, none bool) (*int64, error) {
	switch value {
	case "":
		return nil, nil
	case "tier":
		return new(int64), nil
	}
	n, err := limitFlag(name, value, none)
	if err != nil {
		return nil, usagef("%w or tier", err)
	}
	return &n, nil
}

// expiryChange reads a new expiry; nil if there is none, zero for never.
func expiryChange(value string) (*time.Time, error) {
	switch value {
	case "":
		return nil, nil
	case "never":
		return new(time.Time), nil
	}
	t, err := state.ParseExpiry(value)
	if err != nil {
		return nil, usagef("--expires %w, nor never", err)
	}
	return &t, nil
}

// monthLimit writes the limit of a month.
func monthLimit(l state.Limits) string {
	if l.PerMonth == state.Unlimited {
		return "none"
	}
	return fmt.Sprint(l.PerMonth)
}
