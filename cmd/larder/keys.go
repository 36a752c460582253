package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
		Long: `Makes and manages the licence keys of a server, in its state file. It works
while the server runs, and holds from the server's next request on.

A key is printed once, when it is made. The file keeps its hash only: a lost key
can't be shown again, but rotated.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys list --state larder-state.db`,
	}, a.keysCreateCommand(), a.keysListCommand(), a.keysShowCommand(), a.keysRotateCommand(),
		a.keysSetCommand(), a.keysDisableCommand(), a.keysEnableCommand(), a.keysSigninCommand())
}

// tierFlag adds --tier.
func tierFlag[T any](cmd *cobra.Command, to *T, as func(state.Tier) T) {
	var names []string
	for _, t := range state.Tiers() {
		names = append(names, t.String())
	}
	choiceOf(cmd, to, "tier", "", phrase.Or(names), names, func(text string) (T, error) {
		t, err := state.ParseTier(text)
		return as(t), err
	})
}

func (a *app) keysCreateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create --state FILE --tier TIER --name NAME",
		Short: "Make a key and print it, once",
		Long: `Makes a licence key and prints it, once. A state file that does not exist is
made, readable by its owner only.

A day given to --expires is the last one, to its end in UTC; a moment is the
first at which the key is refused. That moment is what "expires" shows.`,
		Example: `  larder keys create --state larder-state.db --tier standard --name "Example Ltd"
  larder keys create --state larder-state.db --tier enterprise --name Big --expires 2027-12-31 --per-minute 9000 --format json`,
	}
	var n state.NewKey
	path, format := stateFlag(cmd, "tier", "name"), formatFlag(cmd, tableOrJSON...)
	tierFlag(cmd, &n.Tier, func(t state.Tier) state.Tier { return t })
	cmd.Flags().StringVar(&n.Name, "name", "", "the subscriber's `name`")
	addFlag(cmd, &n.Expires, "expires", "last `day`, YYYY-MM-DD in UTC, or RFC 3339 moment (default: never)", state.ParseExpiry)
	addFlag(cmd, &n.PerMinute, "per-minute", "requests a minute, a `number` (default: the tier's)", limitOr())
	addFlag(cmd, &n.PerMonth, "per-month", "requests a month, a `number` or none for no limit (default: the tier's)", limitOr("none"))
	addFlag(cmd, &n.Networks, "networks", "`networks` that the key may be used from, such as 192.0.2.0/24,2001:db8::/32 (default: anywhere)", readNetworks)
	cmd.Flags().StringVar(&n.Prefix, "prefix", state.DefaultPrefix, "what the key starts with: small `letters` and digits")
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

// limitOr returns a reader of a limit of requests, which may also be one of some words: none
// for no limit, tier for the tier's.
func limitOr(words ...string) func(string) (int64, error) {
	special := map[string]int64{"none": state.Unlimited, "tier": 0}
	return func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && n >= 1 {
			return n, nil
		}
		message := fmt.Sprintf("%q is not a number from 1", text)
		for _, word := range words {
			if text == word {
				return special[word], nil
			}
			message += " or " + word
		}
		return 0, errors.New(message)
	}
}

// readNetworks reads the networks of a key.
func readNetworks(text string) (state.Networks, error) {
	list, err := parseNetworks(text)
	return state.NetworksOf(list), err
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
		err = newSheet([][]any{row}, ">id", "name", "tier", "expires", "key").print(a.stdout, "table")
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
	cmd := &cobra.Command{
		Use:   "rotate ID --state FILE",
		Short: "Give a key a new secret",
		Long: `Gives a key a new secret and prints it, once. The old one is refused from now on;
id, tier, limits and history stay. All sessions of the key end, and its sign-in
links are void. That is what a leak needs.

With --overlap the old one stays good for a while, up to 720h, so that programs
can change over one by one; sessions and links go on. A key has two good secrets
at most: until the old one ends, the next rotation with --overlap is refused, but
for a new secret that was never used, which is replaced.`,
		Example: `  larder keys rotate 7 --state larder-state.db
  larder keys rotate 7 --state larder-state.db --overlap 72h`,
	}
	var overlap time.Duration
	addFlag(cmd, &overlap, "overlap", "how `long` the old key stays good, such as 72h (default: it is refused at once)", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 || d > state.MaxOverlap {
			err = fmt.Errorf("%s is not a time above 0 and up to %s", text, state.MaxOverlap)
		}
		return d, err
	})
	format := formatFlag(cmd, tableOrJSON...)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		k, secret, err := db.RotateKey(ctx, id, overlap)
		if errors.Is(err, state.ErrOverlap) {
			return fmt.Errorf("key %d: %w; wait until then, or end both without --overlap", id, err)
		}
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
		Long: `Prints a link to the account page that signs the subscriber in without the key,
once, within 15 minutes. That is how a lost key is replaced: signed in, the
subscriber rotates it. The token stands after the "#", which browsers don't
send, so that it is in no server's log.`,
		Example: `  larder keys signin 7 --state larder-state.db --base-url https://prices.example.com`,
	}
	base := "http://127.0.0.1:8080"
	addFlag(cmd, &base, "base-url", "the server's public `address` (default: "+base+")", readOrigin)
	return a.keyCommand(cmd, func(ctx context.Context, db *state.DB, id int64) error {
		token, expires, err := db.NewLink(ctx, id)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(a.stdout, "%s/account#signin=%s\n", strings.TrimRight(base, "/"), token); err != nil {
			return err
		}
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
