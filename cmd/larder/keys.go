package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/phrase"
)

func (a *app) keysCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "keys",
		Short: "Make and manage licence keys",
		Long: `Makes and manages the licence keys of a server, in its state. A change holds from the
running server's next request on. A key is printed once, when it is made or rotated.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys list --state larder-state.db`,
	}, a.keysCreateCommand(), a.keysListCommand(), a.keysRotateCommand(), a.keysSetCommand(),
		a.keysDisableCommand(), a.keysEnableCommand(), a.keysSigninCommand())
}

func tierFlag[T any](cmd *cobra.Command, to *T, as func(state.Tier) T) {
	names := mapped(state.Tiers(), state.Tier.String)
	choiceOf(cmd, to, "tier", "", phrase.Or(names), names, func(text string) (T, error) {
		t, err := state.ParseTier(text)
		return as(t), err
	})
}

func (a *app) keysCreateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create --state FILE --tier TIER --name NAME",
		Short: "Make a key and print it, once",
		Long: `Makes a licence key and prints it, once. A state file that does not exist is made,
readable by its owner only.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd" --expires 2027-12-31
  larder keys create --state larder-state.db --tier enterprise --name Big --per-minute 9000 --format json`,
	}
	var n state.NewKey
	path, format := stateFlag(cmd, "tier", "name"), formatFlag(cmd, tableOrJSON...)
	tierFlag(cmd, &n.Tier, func(t state.Tier) state.Tier { return t })
	cmd.Flags().StringVar(&n.Name, "name", "", "the subscriber's `name`")
	addFlag(cmd, &n.Expires, "expires",
		"last `day`, YYYY-MM-DD in UTC, or the RFC 3339 moment of the end (default: never)",
		state.ParseExpiry)
	addFlag(cmd, &n.PerMinute, "per-minute", "requests a minute, a `number` (default: the tier's)", readLimit)
	addFlag(cmd, &n.PerMonth, "per-month", "requests a month, a `number` or none for no limit (default: the tier's)",
		readMonthly)
	addFlag(cmd, &n.Networks, "networks",
		"`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32 (default: "+
			"anywhere)", readNetworks)
	cmd.Flags().StringVar(&n.Prefix, "prefix", state.DefaultPrefix,
		"what the key starts with: small `letters` and digits")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error {
			k, secret, err := db.CreateKey(ctx, n)
			if err != nil {
				return err
			}
			return a.printSecret(*format, k, secret)
		})
	}
	return cmd
}

func readLimit(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		err = fmt.Errorf("%q is not a number from 1", text)
	}
	return n, err
}

func readMonthly(text string) (int64, error) {
	if text == "none" {
		return state.Unlimited, nil
	}
	n, err := readLimit(text)
	if err != nil {
		err = fmt.Errorf("%w; none is taken too", err)
	}
	return n, err
}

func readNetworks(text string) (state.Networks, error) {
	list, err := parseNetworks(text)
	return state.Networks(strings.Join(mapped(list, netip.Prefix.String), ",")), err
}

// printSecret prints a key with its secret. If that fails, the secret is lost,
// and the error says what to do.
func (a *app) printSecret(format string, k state.Key, secret string) error {
	if format == "json" {
		json.NewEncoder(a.stdout).Encode(struct {
			ID      int64      `json:"id"`
			Name    string     `json:"name"`
			Tier    state.Tier `json:"tier"`
			Key     string     `json:"key"`
			Expires any        `json:"expires"`
		}{k.ID, k.Name, k.Tier, secret, orNil(k.Expires)})
	} else {
		row := []any{k.ID, k.Name, k.Tier, orNever(k.Expires), secret}
		newSheet([][]any{row}, ">id", "name", "tier", "expires", "key").print(a.stdout, "table")
	}
	if err := a.stdout.Flush(); err != nil {
		return fmt.Errorf("key %d is made but could not be printed: %w; \"larder keys rotate %d\" gives it a new "+
			"secret", k.ID, err, k.ID)
	}
	fmt.Fprintln(a.stderr, "the key won't be shown again: only its hash is kept")
	return nil
}

func (a *app) keysRotateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate ID --state FILE",
		Short: "Give a key a new secret",
		Long: `Gives a key a new secret and prints it, once. The old one is refused from now on, all
sessions of the key end, and its sign-in links are void.`,
		Example: `  larder keys rotate 7 --state larder-state.db`,
	}
	format := formatFlag(cmd, tableOrJSON...)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, secret, err := db.RotateKey(ctx, id)
		if err != nil {
			return err
		}
		return a.printSecret(*format, k, secret)
	})
}

func (a *app) keysSigninCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "signin ID --state FILE",
		Short: "Print a one-time link that signs a subscriber in",
		Long: `Prints a link to the account page that signs the subscriber in without the key, once,
within 15 minutes.`,
		Example: `  larder keys signin 7 --state larder-state.db --base-url https://prices.example.com`,
	}
	base := "http://127.0.0.1:8080"
	addFlag(cmd, &base, "base-url", "the server's public `address` (default: "+base+")", readOrigin)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		token, expires, err := db.NewLink(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s/account#signin=%s\n", strings.TrimRight(base, "/"), token)
		fmt.Fprintf(a.stderr, "good once, until %s\n", expires.Format(time.RFC3339))
		return nil
	})
}

// readOrigin reads the address that readers know a service by.
func readOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		err = fmt.Errorf("%q is not an address such as https://prices.example.org, without a path", text)
	}
	return text, err
}

func (a *app) keysSetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set ID --state FILE",
		Short: "Change a key's tier, limits, expiry or networks",
		Long: `Changes what a key allows; what is not named stays. Limits of the key's own outlast a
change of its tier; "tier" takes them away.`,
		Example: `  larder keys set 7 --state larder-state.db --tier professional --per-minute tier --per-month tier
  larder keys set 7 --state larder-state.db --expires 2027-12-31`,
	}
	var m state.Terms
	tierFlag(cmd, &m.Tier, func(t state.Tier) *state.Tier { return &t })
	change(cmd, &m.Expires, "expires", "last `day`, YYYY-MM-DD in UTC, RFC 3339 moment, or never", "never",
		state.ParseExpiry)
	change(cmd, &m.PerMinute, "per-minute", "requests a minute, a `number`, or tier for the tier's", "tier", readLimit)
	change(cmd, &m.PerMonth, "per-month", "requests a month, a `number`, none for no limit, or tier for the tier's",
		"tier", readMonthly)
	change(cmd, &m.Networks, "networks",
		"`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32, or any", "any", readNetworks)
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

// change adds a flag for a new value; a word stands for the zero value. Without the flag the value is nil.
func change[T any](cmd *cobra.Command, to **T, name, usage, word string, read func(string) (T, error)) {
	addFlag(cmd, to, name, usage, func(text string) (*T, error) {
		if text == word {
			return new(T), nil
		}
		x, err := read(text)
		if err != nil {
			err = fmt.Errorf("%w; %s is taken too", err, word)
		}
		return &x, err
	})
}

func monthLimit(l state.Limits) string {
	if l.PerMonth == state.Unlimited {
		return "none"
	}
	return fmt.Sprint(l.PerMonth)
}

func (a *app) keysDisableCommand() *cobra.Command {
	return a.keyCommand(&cobra.Command{
		Use:     "disable ID --state FILE",
		Short:   "Refuse a key until it is enabled again, and end its sessions",
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
		note := ""
		if k.Valid(a.now) != nil {
			note = ", but has expired"
		}
		if err == nil {
			fmt.Fprintf(a.stderr, "key %d (%s) is enabled%s\n", k.ID, k.Name, note)
		}
		return err
	})
}

func (a *app) keysListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list --state FILE",
		Short:   "Print all keys, with the beginnings of their secrets",
		Example: `  larder keys list --state larder-state.db --format json`,
	}
	path, format := stateFlag(cmd), formatFlag(cmd, tableOrJSON...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withState(cmd, *path, func(ctx context.Context, db *state.DB) error {
			keys, err := db.Keys(ctx)
			if err == nil {
				a.printKeys(*format, keys)
			}
			return err
		})
	}
	return cmd
}

func (a *app) keyStatus(k *state.Key) string {
	switch err := k.Valid(a.now); {
	case errors.Is(err, state.ErrKeyDisabled):
		return "disabled"
	case errors.Is(err, state.ErrKeyExpired):
		return "expired"
	}
	return "active"
}

func (a *app) printKeys(format string, keys []state.Key) {
	sheetOf(keys, func(k *state.Key) []any {
		var perMonth any = k.Limits.PerMonth
		if k.Limits.PerMonth == state.Unlimited {
			perMonth = nil
		}
		return []any{
			k.ID, k.Shown(), k.Name, k.Tier, a.keyStatus(k), k.Limits.PerMinute, perMonth, k.Created, k.Rotated,
			k.Expires, k.Disabled, orNil(string(k.Networks)),
		}
	}, ">id", "prefix", "name", "tier", "status", ">per_minute", ">per_month", "created", "rotated", "expires",
		"disabled", "networks").print(a.stdout, format)
}

func orNever(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Format(time.RFC3339)
}
