package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/phrase"
)

func (a *app) keysSetCommand() *cobra.Command {
	var (
		tier, expires, perMinute, perMonth, networks string
		m                                            state.Terms
	)
	cmd := &cobra.Command{
		Use:   "set ID --state FILE",
		Short: "Change a key's tier, limits, expiry or networks",
		Long: `Changes what a key allows, from its next request on; what is not named stays, and
so do its secret, its sessions and what the month has counted. Limits of the
key's own outlast a change of its tier; "tier" takes them away.`,
		Example: `  larder keys set 7 --state larder-state.db --tier professional --per-minute tier --per-month tier
  larder keys set 7 --state larder-state.db --expires 2027-12-31`,
		PreRunE: func(*cobra.Command, []string) (err error) {
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
			if m.Networks, err = networksChange(networks); err != nil {
				return err
			}
			m.Expires, err = expiryChange(expires)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&tier, "tier", "", phrase.Or(tierNames()))
	f.StringVar(&expires, "expires", "", "last `day`, YYYY-MM-DD in UTC, RFC 3339 moment, or never")
	f.StringVar(&perMinute, "per-minute", "", "requests a minute, a `number`, or tier for the tier's")
	f.StringVar(&perMonth, "per-month", "", "requests a month, a `number`, none for no limit, or tier for the tier's")
	f.StringVar(&networks, "networks", "", "`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32, or any")
	completeWith(cmd, "tier", tierNames()...)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, err := db.SetTerms(ctx, id, m)
		if errors.Is(err, state.ErrInvalid) {
			return usageError(err)
		}
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

// limitFlag reads a limit of requests. 0 means the tier's.
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

// limitChange reads a new limit. Nil leaves the limit as it is.
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

// expiryChange reads a new expiry: zero is never. Nil leaves it as it is.
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

// networksChange reads new networks. Nil leaves them as they are.
func networksChange(value string) (*state.Networks, error) {
	switch value {
	case "":
		return nil, nil
	case "any":
		return new(state.Networks), nil
	}
	list, err := parseNetworks("networks", value)
	if err != nil {
		return nil, usagef("%w; any lifts the bound", err)
	}
	return new(state.NetworksOf(list)), nil
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
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "key %d (%s) is disabled since %s\n", k.ID, k.Name, k.Disabled.Format(time.RFC3339))
		return nil
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
		now, err := a.clock()
		if err != nil {
			return err
		}
		note := ""
		if k.Valid(now) != nil {
			note = ", but has expired"
		}
		fmt.Fprintf(a.stderr, "key %d (%s) is enabled%s\n", k.ID, k.Name, note)
		return nil
	})
}
