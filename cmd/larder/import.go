package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/offers"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
)

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import [DIR] [FILE...] --db FILE",
		Short: "Read a panel directory, or prices as others publish them, into a snapshot",
		Long: `Reads a folder of CSV files, plain or gzipped, into a snapshot, which is made when it
does not exist. Observations are only ever added: one that is there already is skipped,
one that contradicts it is rejected, or replaces it with --correct.

Rejected rows go to a file with their line, reason and text, and the exit status is 3.

FILES are read as their form says (see --as); folders and archives stand for all in them.
Their goods are mapped to the products of the snapshot and of the folder before them.
What may be an item waits in "larder match"; its rows come with the next import of the
same files. Import files again at any time: what is there already is skipped.`,
		Example: `  larder import prices/ --db larder.db
  larder import prices/ --db larder.db --strict --rejects rejects.csv
  larder import basket/ prices.zip --db larder.db --dry-run
  larder import week/ --db larder.db --correct "sent in cents at first"`,
		Args: atLeast("the folder to import"),
	}
	x := a.importing(cmd)
	x.format = formatFlag(cmd, tableOrJSON...)
	needs(cmd, "db")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), args) }
	return cmd
}

// importing is an import, by the flags of a command.
type importing struct {
	*app
	sqlite.ImportOptions
	source
	flags      *pflag.FlagSet
	db, format *string
}

// importing gives a command the flags of an import.
func (a *app) importing(cmd *cobra.Command) *importing {
	f := cmd.Flags()
	x := &importing{app: a, flags: f, db: f.String("db", "", "the snapshot `file` to write")}
	f.StringVar(&x.Rejects, "rejects", "",
		"where rejected rows go (default: the snapshot's name and .rejects.csv)")
	f.StringVar(&x.Correct, "correct", "",
		"replace stored rows that new ones contradict, for a `reason` in one line, which is kept")
	f.BoolVar(&x.Strict, "strict", false, "import nothing when a row is rejected")
	x.source.addTo(f)
	return x
}

func (x *importing) run(ctx context.Context, args []string) error {
	a, db, format := x.app, x.db, x.format
	if x.flags.Changed("correct") {
		if err := oneLine("correct", x.Correct); err != nil {
			return err
		}
	}
	update, finish := a.progress("importing " + args[0])
	o := x.ImportOptions
	o.Rejects, o.Now = cmp.Or(o.Rejects, *db+".rejects.csv"), a.now
	o.Detect, o.Progress = shrink.Detect, update
	dir, files, err := x.split(args)
	if err != nil {
		return err
	}
	var placed *offers.Placed
	if len(files) > 0 {
		temp := *db + ".offers-" // and more
		defer func() { os.RemoveAll(temp) }()
		o.More = func(known sqlite.Known, reject func(*csvdir.Reject, string)) (m sqlite.More, err error) {
			old, _ := filepath.Glob(temp + "[0-9]*") // left by an import that was killed: this one has the lock
			for _, dir := range old {
				os.RemoveAll(dir)
			}
			if temp, err = os.MkdirTemp(filepath.Dir(*db), filepath.Base(temp)); err != nil {
				return m, err
			}
			m.Dir = filepath.Join(temp, "panel")
			placed, err = a.place(ctx, m.Dir, files, &x.source, known, reject)
			m.Origin = placed.Origin
			return m, err
		}
	}
	summary, err := sqlite.Import(ctx, dir, *db, o)
	finish()
	if errors.Is(err, errShown) {
		return nil
	}
	if err != nil && !errors.Is(err, sqlite.ErrRejected) {
		return err
	}
	if *format == "json" {
		printObject(a.stdout, newImported(&summary, args[0], *db, placed, err))
	}
	if err != nil {
		fmt.Fprintln(a.stderr, "larder: nothing was imported, because of --strict")
	} else if *format != "json" {
		fmt.Fprintln(a.stderr, summary)
		a.printSettled("found", summary.Found)
		a.printSettled("withdrawn", summary.Withdrawn)
	}
	if *format != "json" {
		a.printPlaced(placed)
		for _, note := range summary.Notes {
			fmt.Fprintf(a.stderr, "larder: note: %s\n", printable(note))
		}
	}
	n, verb := summary.Total().Rejected, "were"
	if n == 0 {
		return nil
	}
	if n == 1 {
		verb = "was"
	}
	fmt.Fprintf(a.stderr, "larder: %s %s rejected; see %s\n", phrase.Count(n, "row"), verb, o.Rejects)
	a.printReasons(&summary)
	return errRejected
}

// imported is the summary of an import as JSON. docs/snapshot.md explains the members.
type imported struct {
	Status      string               `json:"status"`
	Folder      string               `json:"folder"`
	Snapshot    string               `json:"snapshot"`
	Rows        sqlite.Counts        `json:"rows"`
	Tables      []sqlite.TableCounts `json:"tables"`
	Quarantined int                  `json:"quarantined"`
	Withdrawn   int                  `json:"withdrawn"`
	Shrunk      int                  `json:"shrunk"`
	Unshrunk    int                  `json:"unshrunk"`
	Rejects     any                  `json:"rejects"`
	Reasons     []rejected           `json:"reasons"`
	Notes       []string             `json:"notes"`
	Offers      *offers.Placed       `json:"offers,omitempty"` // of files
}

type rejected struct {
	File   string `json:"file"`
	Column any    `json:"column"`
	Rows   int    `json:"rows"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

func newImported(s *sqlite.Summary, folder, db string, placed *offers.Placed, refused error) imported {
	status := "unchanged"
	switch {
	case refused != nil:
		status = "refused"
	case s.Changed:
		status = "imported"
	}
	return imported{
		status, folder, db, s.Total(), s.Tables, len(s.Found), len(s.Withdrawn), s.Shrunk, s.Unshrunk,
		orNil(s.Rejects), mapped(s.Reasons, func(r sqlite.RejectReason) rejected {
			return rejected{r.File, orNil(r.Column), r.Rows, r.First.Line, r.First.Reason, r.First.Text}
		}), append([]string{}, s.Notes...), placed,
	}
}

// printSettled names entries that an import found or withdrew, each in a line.
func (a *app) printSettled(state string, entries []panel.Quarantine) {
	if more := len(entries) - mostShown; more > 0 {
		defer fmt.Fprintf(a.stderr, "  and %d more %s: \"larder quarantine list\" has them all\n", more, state)
		entries = entries[:mostShown]
	}
	for _, e := range entries {
		place := ""
		if e.Observation != 0 {
			place = fmt.Sprintf(", row %d", e.Observation)
		}
		if e.Store != 0 {
			place += fmt.Sprintf(" at store %d", e.Store)
		}
		fmt.Fprintf(a.stderr, "  %s: entry %d, %s, retailer product %d%s: %s\n", state, e.ID, e.Rule, e.Listing, place,
			printable(e.Reason))
	}
}

// printReasons says why rows were rejected: by file and column, most rows first.
func (a *app) printReasons(s *sqlite.Summary) {
	for _, r := range s.Reasons[:min(len(s.Reasons), mostShown)] {
		column := r.Column
		if column == "" {
			column = "row"
		}
		reason := strings.TrimPrefix(r.First.Reason, column+": ")
		fmt.Fprintf(a.stderr, "  %d %s %s: line %d: %s\n", r.Rows, r.File, column, r.First.Line, printable(reason))
	}
	if more := len(s.Reasons) - mostShown; more > 0 {
		fmt.Fprintf(a.stderr, "  and %s more\n", phrase.Count(more, "reason"))
	}
}
