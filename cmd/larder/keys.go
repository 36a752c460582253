package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
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
		Long: `Makes and manages the licence keys of a server, in its state file. It works
while the server runs, and holds from the server's next request on.

A key is printed once, when it is made. The file keeps its hash only: a lost key
can't be shown again, but rotated.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys list --state larder-state.db`,
	}, a.keysCreateCommand(), a.keysListCommand(), a.keysShowCommand(), a.keysRotateCommand(),
		a.keysSetCommand(), a.keysDisableCommand(), a.keysEnableCommand(), a.keysSigninCommand())
}

func tierNames() []string {
	var names []string
	for _, t := range state.Tiers() {
		names = append(names, t.String())
	}
	return names
}

func (a *app) keysCreateCommand() *cobra.Command {
	var (
		path, tier, expires, perMinute, perMonth, networks, format string
		n                                                          state.NewKey
	)
	cmd := &cobra.Command{
		Use:   "create --state FILE --tier TIER --name NAME",
		Short: "Make a key and print it, once",
		Long: `Makes a licence key and prints it, once. A state file that does not exist is
made, readable by its owner only.

A day given to --expires is the last one, to its end in UTC; a moment is the
first at which the key is refused. That moment is what "expires" shows.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys create --state larder-state.db --tier enterprise --name Big --expires 2027-12-31 --per-minute 9000 --format json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := cmp.Or(required(cmd, "state", path), required(cmd, "tier", tier), required(cmd, "name", n.Name))
			if err != nil {
				return err
			}
			if err := oneOf("format", format, tableOrJSON); err != nil {
				return err
			}
			if err := oneOf("tier", tier, tierNames()); err != nil {
				return err
			}
			n.Tier, _ = state.ParseTier(tier) // checked above
			if n.PerMinute, err = limitFlag("per-minute", perMinute, false); err != nil {
				return err
			}
			if n.PerMonth, err = limitFlag("per-month", perMonth, true); err != nil {
				return err
			}
			list, err := parseNetworks("networks", networks)
			if err != nil {
				return err
			}
			n.Networks = state.NetworksOf(list)
			if expires != "" {
				if n.Expires, err = state.ParseExpiry(expires); err != nil {
					return usagef("--expires %w", err)
				}
			}
			return a.withState(cmd, path, false, func(ctx context.Context, db *state.DB) error {
				k, secret, err := db.CreateKey(ctx, n)
				if errors.Is(err, state.ErrInvalid) {
					return usageError(err)
				}
				if err != nil {
					return err
				}
				return a.printSecret(format, k, secret)
			})
		},
	}
	stateFlag(cmd, &path)
	f := cmd.Flags()
	f.StringVar(&tier, "tier", "", phrase.Or(tierNames()))
	f.StringVar(&n.Name, "name", "", "the subscriber's `name`")
	f.StringVar(&expires, "expires", "", "last `day`, YYYY-MM-DD in UTC, or RFC 3339 moment (default: never)")
	f.StringVar(&perMinute, "per-minute", "", "requests a minute, a `number` (default: the tier's)")
	f.StringVar(&perMonth, "per-month", "", "requests a month, a `number` or none for no limit (default: the tier's)")
	f.StringVar(&networks, "networks", "", "`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32 (default: anywhere)")
	f.StringVar(&n.Prefix, "prefix", state.DefaultPrefix, "what the key starts with: small `letters` and digits")
	completeWith(cmd, "tier", tierNames()...)
	formatFlag(cmd, &format, tableOrJSON...)
	return cmd
}

// printSecret prints a key with its secret. If that fails, the secret is lost,
// and the error says what to do.
func (a *app) printSecret(format string, k state.Key, secret string) error {
	var err error
	if format == "json" {
		err = json.NewEncoder(a.stdout).Encode(struct {
			ID      int64      `json:"id"`
			Name    string     `json:"name"`
			Tier    state.Tier `json:"tier"`
			Key     string     `json:"key"`
			Expires any        `json:"expires"`
			Old     any        `json:"old_until,omitempty"`
		}{k.ID, k.Name, k.Tier, secret, orNil(k.Expires), orNil(k.Old.Until)})
	} else {
		row := []any{k.ID, k.Name, k.Tier, orNever(k.Expires), secret}
		err = newSheet([][]any{row}, ">id", "name", "tier", "expires", "key").printTable(a.stdout)
	}
	if err != nil {
		return fmt.Errorf("key %d is made but could not be printed: %w; \"larder keys rotate %d\" gives it a new secret", k.ID, err, k.ID)
	}
	fmt.Fprintln(a.stderr, "the key won't be shown again: only its hash is kept")
	if !k.Old.Until.IsZero() {
		fmt.Fprintf(a.stderr, "the old one, %s, is good until %s\n", k.OldShown(), k.Old.Until.Format(time.RFC3339))
	}
	return nil
}

func (a *app) keysRotateCommand() *cobra.Command {
	var (
		format  string
		overlap time.Duration
	)
	cmd := &cobra.Command{
		Use:   "rotate ID --state FILE",
		Short: "Give a key a new secret",
		Long: `Gives a key a new secret and prints it, once. The old one is refused from now on;
id, tier, limits and history stay. All sessions of the key end, and its sign-in
links are void. That is what --now says too, and right after a leak.

With --overlap the old one stays good for a while, up to 720h, so that programs
can change over one by one; sessions and links go on. A key has two good secrets
at most: until the old one ends, the next rotation with --overlap is refused, but
for a new secret that was never used, which is replaced.`,
		Example: `  larder keys rotate 7 --state larder-state.db --overlap 72h
  larder keys rotate 7 --state larder-state.db --now`,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			atOnce := a.nowFlag == cmd.Flags().Lookup("now").NoOptDefVal
			if atOnce {
				a.nowFlag = os.Getenv("LARDER_NOW")
			}
			switch {
			case cmd.Flags().Changed("overlap") && atOnce:
				return usagef("--overlap and --now contradict each other: --now refuses the old key at once")
			case cmd.Flags().Changed("overlap") && (overlap <= 0 || overlap > state.MaxOverlap):
				return usagef("--overlap %s is not a time above 0 and up to %s", overlap, state.MaxOverlap)
			}
			return oneOf("format", format, tableOrJSON)
		},
	}
	cmd.Flags().DurationVar(&overlap, "overlap", 0, "how `long` the old key stays good, such as 72h (default: it is refused at once)")
	cmd.Flags().StringVar(&a.nowFlag, "now", "", "refuse the old key, and any older one, at once: the default; with a `time`, the clock")
	cmd.Flags().Lookup("now").NoOptDefVal = "at once"
	formatFlag(cmd, &format, tableOrJSON...)
	a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, secret, err := db.RotateKey(ctx, id, overlap)
		if errors.Is(err, state.ErrOverlap) {
			return fmt.Errorf("key %d: %w; wait until then, or end both with --now", id, err)
		}
		if err != nil {
			return err
		}
		return a.printSecret(format, k, secret)
	})
	check, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error { return check(cmd, a.takeClock(args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, a.takeClock(args)) }
	return cmd
}

// takeClock takes the time out of "--now TIME", the clock, for a command where --now has a
// meaning without a time too. There the time comes as an argument.
func (a *app) takeClock(args []string) (others []string) {
	for _, arg := range args {
		if _, err := time.Parse(time.RFC3339, arg); err == nil {
			a.nowFlag = arg
			continue
		}
		others = append(others, arg)
	}
	return others
}

func (a *app) keysSigninCommand() *cobra.Command {
	var base, account string
	cmd := &cobra.Command{
		Use:   "signin ID --state FILE",
		Short: "Print a one-time link that signs a subscriber in",
		Long: `Prints a link to the account page that signs the subscriber in without the key,
once, within 15 minutes. That is how a lost key is replaced: signed in, the
subscriber rotates it. The token stands after the "#", which browsers don't
send, so that it is in no server's log.`,
		Example: `  larder keys signin 7 --state larder-state.db --base-url https://prices.example.com`,
		PreRunE: func(*cobra.Command, []string) (err error) {
			account, err = accountURL(base)
			return err
		},
	}
	cmd.Flags().StringVar(&base, "base-url", "http://127.0.0.1:8080", "the server's public `address`")
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		token, expires, err := db.NewLink(ctx, id)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(a.stdout, "%s#signin=%s\n", account, token); err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "good once, until %s\n", expires.Format(time.RFC3339))
		return nil
	})
}

// accountURL returns the address of the account page.
func accountURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", usagef("--base-url %q is not an address such as https://prices.example.com", base)
	}
	return strings.TrimRight(base, "/") + "/account", nil
}
