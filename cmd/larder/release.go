package main

import (
	"cmp"
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
key, which subscribers give to "larder releases verify".

The first release names the log for good: by the setting log_origin, by --log-origin,
or by the host of --base-url. The name is the first line of its checkpoints and the
name of its key, so give --new-key the same.`,
		Example: `  larder release next.db --live larder.db --log releases.db --note "week of 2026-11-22"
  larder release next.db --live larder.db --log releases.db --accept revision="weights of 2026"
  larder release reference.db --rows rows.csv --live larder.db --log releases.db
  larder release --new-key release.key --base-url https://prices.example.org`,
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
	f.StringVar(&o.Origin, "log-origin", "", "the `name` of a new log or a new key, if not the host of --base-url")
	base := ""
	addFlag(cmd, &base, "base-url", "the `address` that readers know the service by: its host names a new log or a new key", readOrigin)
	newKey := f.String("new-key", "", "make a key in a new `file`, print its public part, and release nothing")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would be released, and write nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if _, host, ok := strings.Cut(base, "://"); ok {
			o.Origin = cmp.Or(o.Origin, strings.ToLower(strings.TrimRight(host, "/")))
		}
		if o.Origin != "" {
			if err := (&panel.Setting{Key: "log_origin", Value: o.Origin}).Check(); err != nil {
				return usagef("--log-origin: %v", strings.TrimPrefix(err.Error(), "value: log_origin "))
			}
		}
		if *newKey != "" {
			if len(args) > 0 {
				return usagef("larder release --new-key only makes a key; leave out %q", args[0])
			}
			verifier, err := releaselog.NewKey(*newKey, cmp.Or(o.Origin, releaselog.DefaultOrigin))
			if err == nil {
				fmt.Fprintln(a.stdout, verifier)
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
			a.warnInvented(r.Context.About)
		}
		x := released{Result: result, dryRun: o.DryRun}
		if isStop {
			x.stops = stopped.Stops
		}
		if x.print(a.stdout, a.stderr, *format); !isStop {
			return nil
		}
		fmt.Fprintf(a.stderr, "larder: %v\n", stopped)
		return exitError{exitStopped, stopped}
	}
	return cmd
}

func parseAccepts(list []string) (all []releaselog.Accepted, err error) {
	names := mapped(release.Rules(), func(r release.Rule) string { return string(r) })
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

// outcome says in one word how it ended, and in a sentence.
func (x *released) outcome() (status, text string) {
	r := x.Release
	name := r.ID() + " of " + utc(r.At)
	switch {
	case x.stops != nil:
		return "stopped", ""
	case x.Done:
		return "complete", "release " + name + " is complete and in service; nothing was left to do"
	case x.Resumed && x.dryRun:
		return "dry_run", "release " + name + " is in the log, but not in service; run the command without --dry-run"
	case x.Resumed:
		return "resumed", "release " + name + " is in service now; it was in the log already"
	case x.dryRun:
		return "dry_run", "would release " + name + ": " + summaryOf(r)
	}
	return "released", "released " + name + ": " + summaryOf(r)
}

func (x *released) print(stdout *output, stderr io.Writer, format string) {
	r := x.Release
	status, text := x.outcome()
	if format == "json" {
		printObject(stdout, struct {
			Status   string       `json:"status"` // released, resumed, complete, stopped or dry_run
			Release  wire.Release `json:"release"`
			Stops    []stop       `json:"stops"`
			Accepted []stop       `json:"accepted"`
		}{status, prepared.ReleaseRow(r), wordStops(x.stops), wordStops(x.Accepted)})
		return
	}
	how := "the release was stopped"
	if x.dryRun {
		how = "a release would be stopped"
	}
	for _, stop := range wordStops(x.stops) {
		printWarning(stdout, stop.warning(how))
	}
	if x.stops != nil {
		return
	}
	if !x.Done && !x.Resumed {
		printChanges(stdout, format, x.Changes, "", r.At)
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
	}
	fmt.Fprintln(stderr, "larder:", text)
}

func skippedOf(r *releaselog.Release) string {
	names := mapped(r.Skipped, func(rule release.Rule) string { return string(rule) })
	return "skipped for want of prices: " + strings.Join(names, ", ")
}

func summaryOf(r *releaselog.Release) string {
	text := fmt.Sprintf("%s and %s added, %d revised", phrase.Count(r.WeeksAdded, "week"), phrase.Count(r.CellsAdded, "cell"), r.CellsRevised)
	if r.LargestRevision.Valid {
		text += fmt.Sprintf(" (by up to %s points)", r.LargestRevision)
	}
	return fmt.Sprintf("%s, %d withdrawn", text, r.CellsWithdrawn)
}

// stopWords words the findings of a stop rule.
type stopWords struct {
	title  string
	told   func(x *release.Case) string
	remedy func(first *release.Case) string
	meant  string // when the release is right all the same
}

const (
	correctRows = `larder import DIR --db NEXT --correct "REASON"`
	mostTold    = 20 // cases of one rule
)

func setAside(banner string, from, to panel.Week) string {
	return fmt.Sprintf(`larder quarantine add --db NEXT --banner %s --from %s --to %s --reason "REASON"`, banner, from.Date()-6, to)
}

var stopRules = map[release.Rule]stopWords{
	release.Scale: {"a banner's prices have another scale than before", func(x *release.Case) string {
		ratio := fmt.Sprintf("%.2f times", x.Value)
		if x.Value < 1 {
			ratio = fmt.Sprintf("1/%.2f of", 1/x.Value)
		}
		text := fmt.Sprintf("%s, week %s: the median of %d prices is %s the price of the same listing and store before, such as %s after %s of listing %d at store %d",
			x.Place, x.Week, x.More[0], ratio, x.More[1], x.More[2], x.More[3], x.More[4])
		if x.More[5] != 0 {
			text += fmt.Sprintf("; %s set %d of them aside", x.More[6], x.More[5])
		}
		return text
	}, func(first *release.Case) string {
		return fmt.Sprintf("import the rows again in the right scale with %s, or set them aside with %s", correctRows, setAside(first.Place, first.Week, first.Week))
	}, "the prices are right"},

	release.Jump: {"a headline moves far more than it used to", func(x *release.Case) string {
		text := fmt.Sprintf("%s, week %s: %+.4f%% ", x.Cell, x.Week, x.More[0])
		if x.Kind == release.JumpPercent {
			return text + fmt.Sprintf("is more than %.0f%%", x.Bound)
		}
		return text + fmt.Sprintf("is %.1f robust standard deviations from the median of its %d changes before, %+.4f%%", x.Value, x.More[1], x.More[2])
	}, func(first *release.Case) string {
		command := "larder explain --db NEXT --date " + first.Week.String()
		if first.Cell.City != "" {
			command += fmt.Sprintf(" --city %q", first.Cell.City)
		}
		return fmt.Sprintf("see what moved it (%s); if rows are wrong, import them again with %s, or set them aside with %s", command, correctRows, setAside("BANNER", first.Week, first.Week))
	}, "prices did move so"},

	release.Revision: {"a released level moves a lot", func(x *release.Case) string {
		return fmt.Sprintf("%s, week %s: %s was released and is now %s, because of %s", x.Cell, x.Week, x.More[0], x.More[1], x.More[2].(*release.Change).CauseText(" and "))
	}, func(*release.Case) string {
		return "see every changed cell with its causes (larder diff OLD NEXT --format csv); if rows are wrong, import them again with " + correctRows +
			", or let the entry go that set them aside (larder quarantine list, larder quarantine lift ID)"
	}, "the restatement is meant"},

	release.Lost: {"cells of the last released week are gone", func(x *release.Case) string {
		switch {
		case x.Kind == release.LostCells:
			return fmt.Sprintf("%d of the %d cells of the last released week, %s, such as %q", x.More[0], x.More[1], x.Week, x.Cell)
		case x.Kind != "":
			return fmt.Sprintf("the %s %s had %.0f cells and has none now", x.Kind, x.Place, x.Value)
		case x.Week == 0:
			return "the new table has no rows"
		}
		return fmt.Sprintf("the new table's last week is %s", x.Week)
	}, func(*release.Case) string {
		return "find what was not collected, or what the gate filtered (larder check --db NEXT), and import it (larder import DIR --db NEXT)"
	}, "the place is gone"},

	release.Frozen: {"a banner's prices do not move at all", func(x *release.Case) string {
		return fmt.Sprintf("%s: all %.0f series with a row in each of the weeks %s to %s have one price in all of them", x.Place, x.Value, x.More[0], x.Week)
	}, func(first *release.Case) string {
		return "compare some of the newest rows with what the shop asks; if a copy was collected, set its rows aside with " +
			setAside(first.Place, first.More[0].(panel.Week).Add(1), first.Week)
	}, "the prices did not move"},

	release.NothingNew: {"there is nothing to release", func(x *release.Case) string {
		if x.Week == 0 {
			return "no new closed week and no changed cell; no week was ever released"
		}
		return fmt.Sprintf("no new closed week and no changed cell; the last released week is %s", x.Week)
	}, func(*release.Case) string {
		return "import the rows of the new week first (larder import DIR --db NEXT), and release once it has closed"
	}, "it is to be released all the same"},
}

// stop is a stop rule that fired, in words.
type stop struct {
	Rule     release.Rule `json:"rule"`
	Evidence []string     `json:"evidence"` // one text for each case
	Remedy   string       `json:"what_to_do"`
}

func wordStops(findings []release.Finding) []stop {
	list := []stop{}
	for _, f := range findings {
		words, s := stopRules[f.Rule], stop{Rule: f.Rule}
		for i := range f.Cases[:min(len(f.Cases), mostTold)] {
			s.Evidence = append(s.Evidence, words.told(&f.Cases[i]))
		}
		if more := len(f.Cases) - mostTold; more > 0 {
			s.Evidence = append(s.Evidence, fmt.Sprintf("and %d more cells", more))
		}
		s.Remedy = fmt.Sprintf(`%s; if %s, release with --accept %s="REASON"`, words.remedy(&f.Cases[0]), words.meant, f.Rule)
		list = append(list, s)
	}
	return list
}

func (s *stop) warning(how string) warning {
	return warning{fmt.Sprintf("%s by the rule %s: %s", how, s.Rule, stopRules[s.Rule].title), s.Evidence, s.Remedy}
}

func ruleList() string {
	var b strings.Builder
	for _, r := range release.Rules() {
		fmt.Fprintf(&b, "  %-12s %s\n", r, stopRules[r].title)
	}
	return b.String()
}
