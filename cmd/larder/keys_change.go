package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/state"
)

const keyIDArgument = "the key's id"

func (a *app) keysRotateCommand() *cobra.Command {
	var path, format string
	cmd := &cobra.Command{
		Use:   "rotate ID --state FILE",
		Short: "Give a key a new secret",
		Long: `Gives a key a new secret and prints it, once. The old one is refused from now on;
id, tier, limits and history stay. All sessions of the key end, and its sign-in
links are void.`,
		Example: `  larder keys rotate 7 --state larder-state.db`,
		Args:    exactly(keyIDArgument),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, keyFormats); err != nil {
				return err
			}
			return a.withKey(cmd, path, args[0], func(ctx context.Context, db *state.DB, id int64) error {
				k, secret, err := db.RotateKey(ctx, id)
				if err != nil {
					return err
				}
				return a.printSecret(format, k, secret)
			})
		},
	}
	stateFlag(cmd, &path)
	formatFlag(cmd, &format, keyFormats...)
	return cmd
}

// withKey is withState for a command about one key.
func (a *app) withKey(cmd *cobra.Command, path, arg string, f func(context.Context, *state.DB, int64) error) error {
	id, err := keyID("ID", arg)
	if err != nil {
		return err
	}
	return a.withState(cmd, path, true, func(ctx context.Context, db *state.DB) error { return f(ctx, db, id) })
}

func (a *app) keysDisableCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "disable ID --state FILE",
		Short: "Refuse a key until it is enabled again",
		Long: `Makes a key refused from now on. Its sessions end and its sign-in links are void;
enabling it again does not bring them back.`,
		Example: `  larder keys disable 7 --state larder-state.db`,
		Args:    exactly(keyIDArgument),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withKey(cmd, path, args[0], func(ctx context.Context, db *state.DB, id int64) error {
				k, err := db.DisableKey(ctx, id)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "key %d (%s) is disabled since %s\n", k.ID, k.Name, k.Disabled.Format(time.RFC3339))
				return nil
			})
		},
	}
	stateFlag(cmd, &path)
	return cmd
}

func (a *app) keysEnableCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:     "enable ID --state FILE",
		Short:   "Accept a disabled key again",
		Example: `  larder keys enable 7 --state larder-state.db`,
		Args:    exactly(keyIDArgument),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withKey(cmd, path, args[0], func(ctx context.Context, db *state.DB, id int64) error {
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
		},
	}
	stateFlag(cmd, &path)
	return cmd
}

func (a *app) keysSigninCommand() *cobra.Command {
	var path, base string
	cmd := &cobra.Command{
		Use:   "signin ID --state FILE",
		Short: "Print a one-time link that signs a subscriber in",
		Long: `Prints a link to the account page that signs the subscriber in without the key,
once, within 15 minutes. That is how a lost key is replaced: signed in, the
subscriber rotates it. The token stands after the "#", which browsers don't
send, so that it is in no server's log.`,
		Example: `  larder keys signin 7 --state larder-state.db --base-url https://prices.example.com`,
		Args:    exactly(keyIDArgument),
		RunE: func(cmd *cobra.Command, args []string) error {
			account, err := accountURL(base)
			if err != nil {
				return err
			}
			return a.withKey(cmd, path, args[0], func(ctx context.Context, db *state.DB, id int64) error {
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
		},
	}
	stateFlag(cmd, &path)
	cmd.Flags().StringVar(&base, "base-url", "http://127.0.0.1:8080", "the server's public `address`")
	return cmd
}

// accountURL returns the address of the account page.
func accountURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", usagef("--base-url %q is not an address such as https://prices.example.com", base)
	}
	return strings.TrimRight(base, "/") + "/account", nil
}
