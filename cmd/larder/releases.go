package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/release/log"
)

func (a *app) releasesCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "releases",
		Short: "List, show and verify what was released",
		Long: `Reads a release log: which releases there were, what each changed, and whether
the log is whole. "larder index --log LOG --as-of ID" prints the index as a release
had it.`,
		Example: `  larder releases list --log releases.db
  larder releases show r12 --log releases.db
  larder releases verify --log releases.db`,
	}, a.releasesListCommand(), a.releasesShowCommand(), a.releasesVerifyCommand())
}

func logFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("log", "", "the release log, a `file`")
}

func (a *app) releasesListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list --log LOG",
		Short:   "List the releases, newest first",
		Long:    `Lists the releases, newest first. --format json prints the rows of /api/v1/releases.`,
		Example: `  larder releases list --log releases.db --format json`,
	}
	path, format := logFlag(cmd), formatFlag(cmd, tableOrJSON...)
	needs(cmd, "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		log, err := releaselog.Open(*path)
		if err != nil {
			return err
		}
		list := slices.Clone(log.Releases())
		slices.Reverse(list)
		if *format == "json" {
			rows := []any{}
			for i := range list {
				rows = append(rows, prepared.ReleaseRow(&list[i]))
			}
			return printObject(a.stdout, rows)
		}
		sheetOf(list, func(r *releaselog.Release) []any {
			rules := slices.Compact(mapped(r.Accepted, func(x releaselog.Accepted) string { return string(x.Rule) }))
			return []any{r.ID(), r.At, r.Snapshot[:min(len(r.Snapshot), 16)], r.WeeksAdded, r.CellsAdded,
				r.CellsRevised,
				r.CellsWithdrawn, r.LargestRevision.Fixed, orNil(strings.Join(rules, ", ")), orNil(r.Note)}
		}, "id", "released", "snapshot", ">weeks added", ">cells added", ">revised", ">withdrawn", ">largest revision",
			"accepted", "note").print(a.stdout, *format)
		return nil
	}
	return cmd
}

func (a *app) releasesShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID --log LOG",
		Short: "Show what a release changed",
		Long: `Shows the cells that a release changed, with the old row, the new one and the causes. The
table has the largest changes; csv and json have all of them. ID is a release such as
r12, or an RFC 3339 instant.`,
		Example: `  larder releases show r12 --log releases.db
  larder releases show r12 --log releases.db --format csv > r12.csv`,
		Args: exactly("the id of a release"),
	}
	path, format := logFlag(cmd), formatFlag(cmd)
	needs(cmd, "log")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		log, err := releaselog.Open(*path)
		if err != nil {
			return err
		}
		r, err := a.asOf(log, "the release", args[0])
		if err != nil {
			return err
		}
		if r == nil {
			return fmt.Errorf("nothing was released by %s", args[0])
		}
		changes, err := log.Changes(r.Number)
		if err != nil {
			return err
		}
		if *format == "table" {
			fmt.Fprintf(a.stdout, "%s of %s, snapshot %s\n%s\n", r.ID(), utc(r.At), r.Snapshot, summaryOf(r))
			if r.Note != "" {
				fmt.Fprintf(a.stdout, "note: %s\n", printable(r.Note))
			}
			if r.Skipped != nil {
				fmt.Fprintln(a.stdout, skippedOf(r))
			}
			for _, x := range r.Accepted {
				fmt.Fprintf(a.stdout, "accepted: %s: %s\n", acceptedText(&x), printable(x.Reason))
			}
			fmt.Fprintln(a.stdout)
		}
		printChanges(a.stdout, *format, changes, release.NewWire(r.Context.About), r.ID(), r.At)
		return nil
	}
	return cmd
}

// acceptedText names what was accepted, with its figures where the log has them.
func acceptedText(x *releaselog.Accepted) string {
	if x.ID == "" {
		return string(x.Rule)
	}
	return fmt.Sprintf("%s (%s %s, usual from %s to %s)", x.ID, x.Value, x.Unit, cmp.Or(x.Low.String(), "any"),
		cmp.Or(x.High.String(), "any"))
}

// asOf finds a release by its id or an instant. It is nil before the first release.
func (a *app) asOf(log *releaselog.Log, what, text string) (*releaselog.Release, error) {
	r, err := log.AsOf(text, a.now)
	if err != nil {
		return nil, usagef("%s: %v", what, err)
	}
	return r, nil
}

func utc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (a *app) releasesVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify --log LOG",
		Short: "Recompute all that a release log says",
		Long: `Recomputes the tables of all releases, the counts, the hash tree and every checkpoint.
With --verifier the newest checkpoint must have the publisher's signature. With
--checkpoint the log must begin with the releases of one that was kept from earlier.`,
		Example: `  larder releases verify --log releases.db
  larder releases verify --log releases.db --verifier larder-releases+2f1c6e4b+AbC... --checkpoint kept.txt`,
	}
	var o releaselog.VerifyOptions
	path := logFlag(cmd)
	cmd.Flags().StringVar(&o.Verifier, "verifier", "",
		"the publisher's public `key`, as larder release --new-key printed it")
	checkpoints := cmd.Flags().StringArray("checkpoint", nil,
		"a `file` with a checkpoint from earlier; repeat it for several")
	needs(cmd, "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		for _, name := range *checkpoints {
			text, err := os.ReadFile(name)
			if err != nil {
				return fmt.Errorf("--checkpoint: %w", err)
			}
			o.Checkpoints = append(o.Checkpoints, string(text))
		}
		v, err := releaselog.Verify(*path, o)
		if err != nil {
			return err
		}
		signature := "unsigned"
		switch {
		case v.Signed && o.Verifier != "":
			signature = "signed by the verifier's key"
		case v.Signed:
			signature = "signed; give --verifier to check by whom"
		}
		fmt.Fprintf(a.stdout, "%s with %s: every table, leaf and checkpoint fits\nroot %s, %s\n",
			phrase.Count(v.Releases, "release"), phrase.Count(v.Changes, "changed cell"), v.Root, signature)
		return nil
	}
	return cmd
}

// releasedTable returns the table of a series as the release --as-of had it, or as the newest release has it, and
// what else that release knew. Before the first release the table is empty.
func (a *app) releasedTable(path, at, series string) (*jevons.Table, *releaselog.Context, error) {
	log, err := releaselog.Open(path)
	if err != nil {
		return nil, nil, err
	}
	releases := log.Releases()
	if len(releases) == 0 {
		return nil, nil, fmt.Errorf("%s has no release", path)
	}
	r := &releases[len(releases)-1]
	if at != "" {
		if r, err = a.asOf(log, "--as-of", at); err != nil {
			return nil, nil, err
		}
	}
	if r == nil {
		first := &releases[0]
		fmt.Fprintf(a.stderr, "larder: nothing was released by %s; the first release was at %s\n", at, utc(first.At))
		return &jevons.Table{}, first.Context, nil
	}
	a.warnInvented(r.Context.About)
	a.sayCredit(r.Context.About)
	if series == "v1" {
		return r.Context.Pilot, r.Context, nil
	}
	t, err := log.Table(r.Number)
	return t, r.Context, err
}
