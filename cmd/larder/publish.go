package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

func (a *app) publishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish FILE... --db NEXT --live LIVE --log LOG",
		Short: "Import the prices of a week, and release them",
		Long: `Does a week's work: imports FILES into the snapshot NEXT, as "larder import" does, says
which listings wait for "larder match", and releases NEXT, as "larder release" does. If NEXT
does not exist, it begins as a copy of LIVE.

If the command is killed or stopped, run it again with the same arguments: it goes on
from there, and does nothing twice. --accept takes the ids of findings that stop the
release, each with a reason. Rejected rows stop nothing without --strict, and the exit
status is 3 in the end. With --dry-run the prices are imported into NEXT, and nothing
is released.`,
		Example: `  larder publish prices/ --db next.db --live larder.db --log releases.db --dry-run
  larder publish prices/ --db next.db --live larder.db --log releases.db --publish public/`,
		Args: a.importCommand().Args,
	}
	released, imported := a.releasing(cmd), a.importing(&cobra.Command{})
	cmd.Flags().AddFlagSet(imported.flags)
	released.format = formatFlag(cmd, tableOrJSON...)
	imported.format, released.waiting = released.format, true
	needs(cmd, "db", "live", "log")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		released.Next = *imported.db
		if err := released.check(); err != nil {
			return err
		}
		if err := beginWith(released.Live, released.Next); err != nil {
			return err
		}
		rejected := imported.run(cmd.Context(), args)
		if rejected != nil && (imported.Strict || !errors.Is(rejected, errRejected)) {
			return rejected
		}
		if err := released.run(cmd.Context()); err != nil {
			return err
		}
		return rejected
	}
	return cmd
}

// beginWith makes the next snapshot of the one in service, if only that exists.
func beginWith(live, next string) error {
	from, err := os.Open(live)
	if _, there := os.Stat(next); there == nil || errors.Is(err, fs.ErrNotExist) {
		from.Close() // also of nil
		return nil
	}
	if err == nil {
		defer from.Close()
		err = atomicfile.Write(next, atomicfile.DraftMode(next), func(to io.Writer) error {
			_, err := io.Copy(to, from)
			return err
		})
	}
	if err != nil {
		return atomicfile.Fail("copy snapshot", live, err, "")
	}
	return nil
}

// sayWaiting says which listings a person has to judge: those that wait or are doubtful, the most rows first.
func (a *app) sayWaiting(next *release.Snapshot, db string) {
	list := next.Panel.Fits().Match(next.Rows)
	list = slices.DeleteFunc(list, func(x panel.Matched) bool {
		return x.Verdict != nil || !x.Waits && (x.Fit != basket.Doubtful || x.Rows == 0)
	})
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(x, y panel.Matched) int { return y.Rows - x.Rows })
	fmt.Fprintf(a.stderr, "larder: %d doubtful; judge with \"larder match --db %s\":\n", len(list), db)
	for _, x := range list[:min(len(list), mostShown)] {
		fmt.Fprintf(a.stderr, "  %d, %s: %s\n", x.Listing, x.Banner, printable(x.Title))
	}
}
