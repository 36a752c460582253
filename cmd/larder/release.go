package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

func (a *app) releaseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "release NEXT --live LIVE --log LOG",
		Short: "Publish a snapshot and keep what it changed",
		Long: `Publishes the snapshot NEXT: compares what it publishes with the last release, as
"larder diff" does, applies the stop rules, appends the release to LOG and puts a
copy of NEXT in LIVE's place. NEXT stays where it is: the next import can go into
it. The first release makes LOG, and LIVE need not exist.

A stop rule ends the command with status 4, and nothing is released. It says what
it found and what to do. --accept names a rule and a reason: the release goes
ahead, and the reason is kept. The rules are:

` + ruleList() + `
If the command is killed, the old release is in service or the new one. Run it again
and it goes on from there; when nothing is left to do it says so. --dry-run
compares and judges, and writes nothing.

--rows releases rows that were computed where the prices lie, by the script of "larder
sql": CSV with the columns of "larder index --format csv", whole weeks of it. NEXT then
holds products, places and settings, and no price of those weeks. Rules that need
prices are skipped, and the release names them.

--key signs the log with a key that --new-key made. --new-key prints the public
key, which subscribers give to "larder releases verify".`,
		Example: `  larder release next.db --live larder.db --log releases.db --note "week of 2026-11-22"
  larder release next.db --live larder.db --log releases.db --accept revision="weights of 2026"
  larder release reference.db --rows rows.csv --live larder.db --log releases.db
  larder release --new-key release.key`,
		Args: cobra.ArbitraryArgs, // none with --new-key, else one
	}
	var o releaselog.Options
	format := formatFlag(cmd, tableOrJSON...)
	f := cmd.Flags()
	f.StringVar(&o.Live, "live", "", "the snapshot `file` in service, which NEXT replaces")
	f.StringVar(&o.Log, "log", "", "the release log, a `file`")
	f.StringVar(&o.Rows, "rows", "", "release the rows in this `file`, which were computed elsewhere")
	f.StringVar(&o.Note, "note", "", "one line of `text` that is kept with the release")
	accept := f.StringArray("accept", nil, "go ahead although a rule stops, for a reason: `RULE=REASON`; repeat it for several rules")
	key := f.String("key", "", "sign the log with the key in this `file`")
	newKey := f.String("new-key", "", "make a key in a new `file`, print its public part, and release nothing")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would be released, and write nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if *newKey != "" {
			if len(args) > 0 {
				return usagef("larder release --new-key only makes a key; leave out %q", args[0])
			}
			verifier, err := releaselog.NewKey(*newKey)
			if err == nil {
				_, err = fmt.Fprintln(a.stdout, verifier)
			}
			return err
		}
		if err := exactly("the snapshot to release")(cmd, args); err != nil {
			return err
		}
		if err := checkNeeds(cmd, "live", "log"); err != nil {
			return err
		}
		o.Next, o.Now = args[0], a.now
		if o.Note != "" {
			if err := oneLine("note", o.Note); err != nil {
				return err
			}
		}
		if o.Accept, err = parseAccepts(*accept); err != nil {
			return err
		}
		if *key != "" {
			if o.Signer, err = releaselog.ReadKey(*key); err != nil {
				return err
			}
		}
		result, err := releaselog.Publish(cmd.Context(), o)
		stopped, isStop := errors.AsType[*releaselog.Stopped](err)
		if err != nil && !isStop {
			return err
		}
		if r := result.Release; r != nil && r.Context != nil {
			a.warnInvented(panel.NewAbout(r.Context.Settings))
		}
		x := released{Result: result, dryRun: o.DryRun}
		if isStop {
			x.stops = stopped.Stops
		}
		if err := x.print(a.stdout, a.stderr, *format); err != nil || !isStop {
			return err
		}
		fmt.Fprintf(a.stderr, "larder: %v\n", stopped)
		return exitError{exitStopped, stopped}
	}
	return cmd
}

// parseAccepts reads the values of --accept.
func parseAccepts(list []string) (all []releaselog.Accepted, err error) {
	var names []string
	for _, r := range release.Rules() {
		names = append(names, string(r))
	}
	for _, text := range list {
		rule, reason, _ := strings.Cut(text, "=")
		if err := oneOf("accept", rule, names); err != nil {
			return nil, err
		}
		reason = strings.TrimSpace(reason)
		if reason == "" || strings.ContainsAny(reason, "\n\r") {
			return nil, usagef(`--accept %s needs a reason of one line, such as --accept %s="checked with the chain"`, rule, rule)
		}
		all = append(all, releaselog.Accepted{Rule: release.Rule(rule), Reason: reason})
	}
	return all, nil
}

// released reports on a release, made or tried.
type released struct {
	releaselog.Result
	stops  []release.Finding // that were not accepted
	dryRun bool
}

// status says in one word how it ended.
func (x *released) status() string {
	switch {
	case x.stops != nil:
		return "stopped"
	case x.Done:
		return "complete"
	case x.dryRun:
		return "dry_run"
	case x.Resumed:
		return "resumed"
	}
	return "released"
}

func (x *released) print(stdout, stderr io.Writer, format string) error {
	if format == "json" {
		return printObject(stdout, struct {
			Status   string       `json:"status"` // released, resumed, complete, stopped or dry_run
			Release  wire.Release `json:"release"`
			Stops    []stop       `json:"stops"`
			Accepted []stop       `json:"accepted"`
		}{x.status(), prepared.ReleaseRow(x.Release), wordStops(x.stops), wordStops(x.Accepted)})
	}
	for _, stop := range wordStops(x.stops) {
		if err := printWarning(stdout, stop.warning()); err != nil {
			return err
		}
	}
	r := x.Release
	switch {
	case x.stops != nil:
		return nil
	case x.Done:
		_, err := fmt.Fprintf(stderr, "larder: release %s of %s is complete and in service; nothing was left to do\n", r.ID(), utc(r.At))
		return err
	case x.Resumed:
		what := "is in service now; it was in the log already"
		if x.dryRun {
			what = "is in the log, but not in service; run the command without --dry-run"
		}
		_, err := fmt.Fprintf(stderr, "larder: release %s of %s %s\n", r.ID(), utc(r.At), what)
		return err
	}
	if err := printChanges(stdout, format, x.Changes, "", r.At); err != nil {
		return err
	}
	for _, stop := range wordStops(x.Accepted) {
		more := ""
		if len(stop.Evidence) > 1 {
			more = "; --format json has all of its evidence"
		}
		fmt.Fprintf(stderr, "larder: accepted although %s stops: %s%s\n", stop.Rule, stop.Evidence[0], more)
	}
	if r.Skipped != nil {
		fmt.Fprintf(stderr, "larder: the rows were computed elsewhere: %s\n", skippedOf(r))
	}
	verb := "released"
	if x.dryRun {
		verb = "would release"
	}
	_, err := fmt.Fprintf(stderr, "larder: %s %s of %s: %s\n", verb, r.ID(), utc(r.At), summaryOf(r))
	return err
}

// skippedOf names the rules that were skipped.
func skippedOf(r *releaselog.Release) string {
	var names []string
	for _, rule := range r.Skipped {
		names = append(names, string(rule))
	}
	return "skipped for want of prices: " + strings.Join(names, ", ")
}

// summaryOf says in words how much a release changed.
func summaryOf(r *releaselog.Release) string {
	text := fmt.Sprintf("%s and %s added, %d revised", phrase.Count(r.WeeksAdded, "week"), phrase.Count(r.CellsAdded, "cell"), r.CellsRevised)
	if r.LargestRevision.Valid {
		text += fmt.Sprintf(" (by up to %s points)", r.LargestRevision)
	}
	return fmt.Sprintf("%s, %d withdrawn", text, r.CellsWithdrawn)
}
