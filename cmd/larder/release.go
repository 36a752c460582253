package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/release/folder"
	"github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel/check"
)

func (a *app) releaseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "release NEXT --live LIVE --log LOG",
		Short: "Publish a snapshot and keep what it changed",
		Long: `Publishes the snapshot NEXT: compares what it publishes with the last release, as
"larder diff" does, applies the stop rules, appends the release to LOG and puts a
copy of NEXT in LIVE's place. The first release makes LOG, and LIVE need not exist. If
the command is killed, run it again: it goes on from there.

A stop rule ends the command with status 4, and nothing is released. It says what it
found, what is usual, and what to do. Each finding has an id. --accept names one and a
reason, which are kept; an id may end in *, which takes what was printed of a rule. What
is not grave enough to stop is a warning. The rules are:

` + ruleList() + `
--rows releases rows that were computed by the script of "larder sql", as CSV; rules that
need prices are skipped. --publish writes a folder of the release that any web server can
serve and "larder verify" checks. --key signs the log with a key that --new-key made. The
first release names the log for good: by the setting log_origin, or by the host of
--base-url; give --new-key the same.`,
		Example: `  larder release next.db --live larder.db --log releases.db --note "week of 2026-11-22"
  larder release next.db --live larder.db --log releases.db --accept restatement:reference="weights of 2026"
  larder release reference.db --rows rows.csv --live larder.db --log releases.db
  larder release --new-key release.key --base-url https://prices.example.org`,
		Args: cobra.ArbitraryArgs, // none with --new-key, else one
	}
	x := a.releasing(cmd)
	x.format = formatFlag(cmd, tableOrJSON...)
	f := cmd.Flags()
	f.StringVar(&x.Rows, "rows", "", "release the rows in this `file`, which were computed elsewhere")
	newKey := f.String("new-key", "", "make a key in a new `file`, print its public part, and release nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if *newKey == "" {
			if err := exactly("the snapshot to release")(cmd, args); err != nil {
				return err
			}
			if err := checkNeeds(cmd, "live", "log"); err != nil {
				return err
			}
			x.Next = args[0]
		}
		if err := x.check(); err != nil {
			return err
		}
		if *newKey == "" {
			return x.run(cmd.Context())
		}
		if len(args) > 0 {
			return usagef("larder release --new-key only makes a key; leave out %q", args[0])
		}
		verifier, err := releaselog.NewKey(*newKey, cmp.Or(x.Origin, releaselog.DefaultOrigin))
		if err == nil {
			fmt.Fprintln(a.stdout, verifier)
		}
		return err
	}
	return cmd
}

// releasing is a release, by the flags of a command.
type releasing struct {
	*app
	releaselog.Options
	accept                         []string
	acceptFile, key, base, publish string
	format                         *string
	waiting                        bool // says which listings wait for a person
}

// releasing gives a command the flags of a release.
func (a *app) releasing(cmd *cobra.Command) *releasing {
	x, f := &releasing{app: a}, cmd.Flags()
	f.StringVar(&x.Live, "live", "", "the snapshot `file` in service, which NEXT replaces")
	f.StringVar(&x.Log, "log", "", "the release log, a `file`")
	f.StringVar(&x.Note, "note", "", "one line of `text` that is kept with the release")
	f.StringArrayVar(&x.accept, "accept", nil,
		"go ahead although a finding stops, for a reason: `ID=REASON`; repeat it for several, or end the id in *")
	f.StringVar(&x.acceptFile, "accept-file", "", "the same from a CSV `file` with the columns id and reason")
	f.StringVar(&x.key, "key", "", "sign the log with the key in this `file`")
	addFlag(cmd, &x.base, "base-url",
		"the `address` that readers know the service by: its host names a new log or a new key", readOrigin)
	f.StringVar(&x.publish, "publish", "",
		"then write the release into a folder of its own in this `folder`, for any web server")
	f.BoolVar(&x.DryRun, "dry-run", false, "say what would be released, and write nothing")
	return x
}

// check reads the flags.
func (x *releasing) check() (err error) {
	if _, host, ok := strings.Cut(x.base, "://"); ok {
		x.Origin = strings.ToLower(strings.TrimRight(host, "/"))
	}
	if x.publish != "" && x.Rows != "" {
		return usagef("--publish and --rows exclude each other: a folder has the prices that give its rows")
	}
	if x.Note != "" {
		if err := oneLine("note", x.Note); err != nil {
			return err
		}
	}
	if x.Accept, err = parseAccepts(x.accept, x.acceptFile); err != nil || x.key == "" {
		return err
	}
	x.Signer, err = releaselog.ReadKey(x.key)
	return err
}

// run releases x.Next, and prints what it changes.
func (x *releasing) run(ctx context.Context) error {
	x.Now = x.now
	result, err := releaselog.Publish(ctx, x.Options)
	stopped, isStop := errors.AsType[*releaselog.Stopped](err)
	if err != nil && !isStop {
		return err
	}
	if r := result.Release; r != nil && r.Context != nil {
		x.warnInvented(r.Context.About)
	}
	report := released{Result: result, dryRun: x.DryRun, warnings: warningsOfRules(result.Warnings, "")}
	if isStop {
		report.stops = stopped.Stops
	}
	if next := result.Next; next != nil && !next.Elsewhere {
		report.warnings = append(report.warnings,
			warningsOf(check.NewReport(next.Panel, next.Rows, next.Quarantine, x.now).Findings)...)
	}
	if result.Next != nil && x.waiting {
		x.sayWaiting(result.Next, x.Next)
	}
	report.print(x.stdout, x.stderr, *x.format)
	if isStop {
		fmt.Fprintf(x.stderr, "larder: %v\n", stopped)
		return exitError{exitStopped, stopped}
	}
	if x.publish == "" || x.DryRun {
		return nil
	}
	path, err := folder.Publish(ctx, x.publish, x.Live, x.Log)
	if err == nil {
		fmt.Fprintf(x.stderr, "larder: published in %s\n", path)
	}
	return err
}

// parseAccepts reads what is accepted from flags and from a file.
func parseAccepts(list []string, file string) (all []releaselog.Accepted, err error) {
	var records [][]string
	for _, text := range list {
		id, reason, _ := strings.Cut(text, "=")
		records = append(records, []string{"--accept", id, reason})
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], []string{"id", "reason"})) {
			err = errors.New("the first line must be id,reason")
		}
		if err != nil {
			return nil, usagef("--accept-file %s: %w", file, err)
		}
		for i, row := range rows[1:] {
			records = append(records, append([]string{fmt.Sprintf("--accept-file %s, row %d:", file, i+2)}, row...))
		}
	}
	rules := mapped(release.Rules(), func(r release.Rule) string { return string(r) })
	for _, x := range records {
		from, id, reason := x[0], x[1], strings.TrimSpace(x[2])
		rule, _, _ := strings.Cut(strings.TrimSuffix(id, "*"), ":")
		if err := known(rule, rules); err != nil {
			return nil, usagef("%s %s: the rule %w", from, id, err)
		}
		if reason == "" || strings.ContainsAny(reason, "\n\r") {
			return nil, usagef(`%s %s needs a reason of one line, such as --accept %[2]s="checked with the chain"`,
				from, id)
		}
		all = append(all, releaselog.Accepted{ID: id, Reason: reason})
	}
	return all, nil
}

// released reports on a release, made or tried.
type released struct {
	releaselog.Result
	stops    []release.Finding // that were not accepted
	warnings []warning
	dryRun   bool
}

func (x *released) print(stdout *output, stderr io.Writer, format string) {
	r := x.Release
	columns := release.NewWire(r.Context.About)
	status, did := "released", "released"
	switch {
	case x.stops != nil:
		status = "stopped"
	case x.Done:
		status = "complete"
	case x.dryRun:
		status, did = "dry_run", "would release"
	}
	if format == "json" {
		var changes []json.RawMessage
		if x.dryRun && x.Next != nil {
			changes = mapped(x.Changes, func(c release.Change) json.RawMessage {
				return columns.AppendJSON(nil, &c, "", r.At)
			})
		}
		printObject(stdout, struct {
			Status   string            `json:"status"` // released, complete, stopped or dry_run
			Release  wire.Release      `json:"release"`
			Stops    []stop            `json:"stops"`
			Accepted []stop            `json:"accepted"`
			Warnings []warning         `json:"warnings"`
			Changes  []json.RawMessage `json:"changes,omitempty"` // of a dry run
		}{status, prepared.ReleaseRow(r), mapped(x.stops, wordStop), mapped(x.Accepted, wordStop),
			append([]warning{}, x.warnings...), changes})
		return
	}
	if !x.Done && (x.stops == nil || x.dryRun) {
		printChanges(stdout, format, x.Changes, columns, "", r.At)
	}
	for _, w := range x.warnings {
		printWarning(stderr, w)
	}
	how := "the release was stopped"
	if x.dryRun {
		how = "a release would be stopped"
	}
	for _, w := range warningsOfRules(x.stops, how) {
		printWarning(stdout, w)
	}
	switch status {
	case "stopped":
		return
	case "complete":
		fmt.Fprintf(stderr, "larder: release %s of %s is complete and in service\n", r.ID(), utc(r.At))
		return
	}
	for _, f := range x.Accepted {
		fmt.Fprintf(stderr, "larder: accepted although %s stops: %s\n", f.ID, f.Text())
	}
	if r.Skipped != nil {
		fmt.Fprintf(stderr, "larder: the rows were computed elsewhere: %s\n", skippedOf(r))
	}
	fmt.Fprintf(stderr, "larder: %s %s of %s: %s\n", did, r.ID(), utc(r.At), summaryOf(r))
}

func skippedOf(r *releaselog.Release) string {
	names := mapped(r.Skipped, func(rule release.Rule) string { return string(rule) })
	return "skipped for want of prices: " + strings.Join(names, ", ")
}

func summaryOf(r *releaselog.Release) string {
	text := fmt.Sprintf("%s and %s added, %d revised", phrase.Count(r.WeeksAdded, "week"),
		phrase.Count(r.CellsAdded, "cell"), r.CellsRevised)
	if r.LargestRevision.Valid {
		text += fmt.Sprintf(" (by up to %s points)", r.LargestRevision)
	}
	return fmt.Sprintf("%s, %d withdrawn", text, r.CellsWithdrawn)
}

const (
	correct  = `larder import DIR --db NEXT --correct "REASON"`
	setAside = `larder quarantine add --db NEXT --banner {banner} --from {from} --to {to} --reason "REASON"`
	mendRows = "import the rows again as they should be with " + correct + ", or set them aside with " + setAside
	again    = "if rows are wrong, import them again with " + correct
	seeRows  = "compare some of the newest rows with what the shop asks: "
	findRows = "find what was not collected, or what the gate filtered (larder check --db NEXT), and import it " +
		"(larder import DIR --db NEXT)"
	seeCells = "see every changed cell with its causes (larder diff OLD NEXT --format csv)"
)

// ruleWords say of each stop rule what to do, and when the release is right all the same.
var ruleWords = map[release.Rule]struct{ remedy, meant string }{
	release.Scale: {"look for cents, or a decimal point lost: " + mendRows, "the prices are right"},
	release.Shift: {seeRows + "tax, another currency, another unit, another store: " + mendRows,
		"the prices are right"},
	release.Frozen: {seeRows + "a copy, or another store: " + mendRows, "the prices are right"},
	release.Surge: {"see which (larder check --db NEXT --filtered); mend the feed, the listing or the " +
		"product's spec, or let go what was set aside (larder quarantine list)", "they are rightly set aside"},
	release.Promotions: {"compare some rows on sale with what the shop asks: a sale that ended, a discount " +
		"taken twice, a deposit: " + mendRows, "the promotions are right"},
	release.Vanished: {findRows, "the prices are gone"},
	release.Jump: {"see what moved it (larder explain --db NEXT --date {to}{city}); " + again +
		", or set them aside with " + setAside, "prices did move so"},
	release.Lost: {findRows, "the place is gone"},
	release.Revision: {seeCells + "; " + again + ", or let the entry go that set them aside (larder " +
		"quarantine list, larder quarantine lift ID)", "the restatement is meant"},
	release.Restatement: {seeCells + ", and import the file again as it was if it was not to change",
		"the restatement is meant"},
	release.NothingNew: {"import the rows of the new week first (larder import DIR --db NEXT), and release " +
		"once it has closed", "it is to be released all the same"},
}

func remedyOf(f *release.Finding) string {
	if strings.HasPrefix(f.ID, "vanished:places") {
		return "see stores.csv: location_certain is 1 for a store whose address is known"
	}
	banner, city := "BANNER", ""
	if f.Cell != nil {
		banner = cmp.Or(f.Cell.Banner, banner)
		if f.Cell.City != "" {
			city = fmt.Sprintf(" --city %q", f.Cell.City)
		}
	}
	return strings.NewReplacer("{banner}", banner, "{city}", city, "{from}", (f.Week.Date() - 6).String(),
		"{to}", f.Week.String()).Replace(ruleWords[f.Rule].remedy)
}

// stop is a finding in words.
type stop struct {
	Rule release.Rule `json:"rule"`
	wire.Found
	Evidence []string `json:"evidence"`
	Remedy   string   `json:"what_to_do"`
}

func wordStop(f release.Finding) stop {
	return stop{f.Rule, wire.Found{
		ID: f.ID, Value: wire.Number(f.Value.String()), Low: wire.Number(f.Low.String()),
		High: wire.Number(f.High.String()), Unit: f.Unit,
	}, []string{f.Text()}, fmt.Sprintf(`%s; if %s, release with --accept %s="REASON"`, remedyOf(&f),
		ruleWords[f.Rule].meant, f.ID)}
}

// warningsOfRules words findings rule by rule: first those that stop, and how, then those that warn.
func warningsOfRules(findings []release.Finding, how string) []warning {
	list := []warning{}
	for i := 0; i < len(findings); {
		first, found := &findings[i], []string{}
		for ; i < len(findings) && findings[i].Rule == first.Rule && findings[i].Stops == first.Stops; i++ {
			found = append(found, findings[i].ID+": "+findings[i].Text())
		}
		title := pages.StopRules[first.Rule]
		w := warning{title, found, remedyOf(first)}
		if more := len(found) - releaselog.MaxShown; more > 0 {
			w.Found = append(found[:releaselog.MaxShown],
				fmt.Sprintf("and %d more; --format json has their ids, for --accept-file", more))
		}
		if first.Stops {
			w.Kind = fmt.Sprintf("%s by the rule %s: %s", how, first.Rule, title)
			id := first.ID
			if len(found) > 1 {
				id = string(first.Rule) + ":*"
			}
			w.Remedy += fmt.Sprintf(`; if %s, release with --accept '%s=REASON'`, ruleWords[first.Rule].meant,
				id)
		}
		list = append(list, w)
	}
	return list
}

func ruleList() string {
	var b strings.Builder
	for _, r := range release.Rules() {
		fmt.Fprintf(&b, "  %-12s %s\n", r, pages.StopRules[r])
	}
	return b.String()
}
