package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// confidences are the values of --confidence, the strictest first.
var confidences = []string{shrink.High.String(), shrink.Medium.String(), shrink.Low.String()}

// recentDays is how far back events are shown unless --from is given.
const recentDays = 90

// eventSelection is the flags that choose shrinkflation events.
type eventSelection struct{ confidence, banner, from, to string }

func (a *app) shrinkflationCommand() *cobra.Command {
	var (
		db, format string
		chosen     eventSelection
	)
	cmd := &cobra.Command{
		Use:   "shrinkflation",
		Short: "Print packs that got smaller",
		Long: `Prints the recorded changes of listings to a smaller pack, with the grade that
says how far to trust each: when a pack shrinks by X percent at an unchanged
shelf price, the unit price should rise by about X percent. Grades are derived
now and never stored; --confidence medium includes high, low includes all.
Events of listings that are retired since are history, and shown.

Dates are days in Toronto, both included, on which the change was detected.
--format json prints the array that /api/v1/shrinkflation calls "events".`,
		Example: `  larder shrinkflation
  larder shrinkflation --db larder.db --confidence low --from 2026-08-01 --format csv`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			if err := oneOf("confidence", chosen.confidence, confidences); err != nil {
				return err
			}
			all, now, err := a.openContents(cmd.Context(), db)
			if err != nil {
				return err
			}
			if err := oneOfOrNone("banner", chosen.banner, bannerKeys(all.Panel)); err != nil {
				return err
			}
			from, to, err := chosen.window(now)
			if err != nil {
				return err
			}
			events := chosen.events(listingsOf(all.Panel), all.Events, from, to)
			if len(events) == 0 {
				fmt.Fprintf(a.stderr, "larder: no event from %s to %s matches; --confidence low shows all grades, --from earlier ones\n", from, to)
			}
			return printEvents(a.stdout, format, events)
		},
	}
	dbFlag(cmd, &db)
	f := cmd.Flags()
	f.StringVar(&chosen.confidence, "confidence", confidences[0], "lowest grade to show: "+joinOr(confidences))
	f.StringVar(&chosen.banner, "banner", "", "a banner's `key` (default: all)")
	f.StringVar(&chosen.from, "from", "", fmt.Sprintf("first `date`, YYYY-MM-DD (default: %d days ago)", recentDays))
	f.StringVar(&chosen.to, "to", "", "last `date`, YYYY-MM-DD (default: today)")
	completeWith(cmd, "confidence", confidences...)
	formatFlag(cmd, &format, formats...)
	return cmd
}

// window returns the first and the last day asked for.
func (s *eventSelection) window(now time.Time) (from, to panel.Date, err error) {
	if from, err = dateFlag("from", s.from); err != nil {
		return 0, 0, err
	}
	if to, err = dateFlag("to", s.to); err != nil {
		return 0, 0, err
	}
	if s.from != "" && s.to != "" && from > to {
		return 0, 0, usagef("--from %s is after --to %s", s.from, s.to)
	}
	today := panel.DateIn(now, panel.Toronto)
	if s.from == "" {
		from = today - recentDays
	}
	if s.to == "" {
		to = today
	}
	return from, to, nil
}

// events returns the events asked for, by time, then id.
func (s *eventSelection) events(of map[int64]listed, events []panel.ShrinkEvent, from, to panel.Date) []shrinkage {
	least, _ := shrink.ParseConfidence(s.confidence) // checked before
	var chosen []shrinkage
	for i := range events {
		e := &events[i]
		x := shrinkage{ShrinkEvent: e, listed: of[e.Listing], day: panel.DateIn(e.DetectedAt, panel.Toronto)}
		x.confidence, x.flag = shrink.Grade(e)
		if least.Includes(x.confidence) && x.day >= from && x.day <= to && (s.banner == "" || x.banner.Key == s.banner) {
			chosen = append(chosen, x)
		}
	}
	slices.SortFunc(chosen, func(a, b shrinkage) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return chosen
}

func bannerKeys(p *panel.Panel) []string {
	var keys []string
	for _, b := range p.Banners() {
		keys = append(keys, b.Key)
	}
	return keys
}
